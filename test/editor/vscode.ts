// Finds the VS Code that the suite runs in: the one that was named, one installed on this machine, or our launcher.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installServer } from './install.ts';

export interface Editor {
	/** What runTests starts. */
	executable: string;
	/** Whether it is our launcher, which alone lets the tests see the window and switch workspace trust on. */
	launcher: boolean;
}

/** Where systems keep a desktop VS Code's executable (not the `code` script, which does not wait). */
function installed(): string[] {
	switch (process.platform) {
		case 'linux':
			return ['/usr/share/code/code', '/opt/visual-studio-code/code', '/snap/code/current/usr/share/code/code'];
		case 'darwin':
			return ['Electron', 'Code'].map((name) => `/Applications/Visual Studio Code.app/Contents/MacOS/${name}`);
		case 'win32':
			return [process.env.LOCALAPPDATA && `${process.env.LOCALAPPDATA}\\Programs`, process.env.ProgramFiles]
				.filter((folder) => folder !== undefined)
				.map((folder) => `${folder}\\Microsoft VS Code\\Code.exe`);
		default:
			return [];
	}
}

/** The desktop VS Code that the tests run in; undefined where our launcher has to do. */
export function desktopEditor(): string | undefined {
	if (process.env.WAITLINE_VSCODE) return process.env.WAITLINE_VSCODE;
	return hasDisplay() ? installed().find((file) => existsSync(file)) : undefined;
}

/**
 * @param scratch a folder of this run, which may receive the launcher's start script
 */
export async function findEditor(scratch: string): Promise<Editor> {
	const desktop = desktopEditor();
	if (desktop !== undefined) return { executable: desktop, launcher: false };
	if (process.platform === 'win32') {
		throw new Error('No VS Code found. Install it, or name its Code.exe in WAITLINE_VSCODE.');
	}
	await installServer();
	return { executable: launcherScript(scratch), launcher: true };
}

/** Desktop VS Code does not start without one. */
function hasDisplay(): boolean {
	return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** An executable that runs launcher.ts on this very Node; a `#!` line would take whichever is on the PATH. */
function launcherScript(scratch: string): string {
	const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
	const script = path.join(scratch, 'code');
	const launcher = path.join(import.meta.dirname, 'launcher.ts');
	writeFileSync(script, `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(launcher)} "$@"\n`, { mode: 0o755 });
	return script;
}
