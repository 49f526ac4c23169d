// What `npm start` shows: five equal hashes from one source line on 1, 2 and 4 pool threads, each in a real run under the
// command line tool, and then how to see the same in the editor.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { cli, labPrograms, root } from '../support/paths.ts';

const program = relative(process.cwd(), join(labPrograms, 'seed3-five-hashes.cjs'));

for (const threads of [1, 2, 4]) {
	console.log(`\n━━ Five pbkdf2 on ${threads} pool ${threads === 1 ? 'thread' : 'threads'} ━━\n`);
	const result = spawnSync(process.execPath, [cli, 'run', '--', process.execPath, program], {
		stdio: 'inherit',
		env: { ...process.env, UV_THREADPOOL_SIZE: String(threads) },
	});
	if (result.error) throw result.error;
	if (result.status !== 0) process.exit(result.status ?? 1);
}

const args = [`--extensionDevelopmentPath=${root}`, labPrograms];
console.log('\nTo see the same on the source lines in VS Code:');
console.log(`  code ${args.map((arg) => (/\s/.test(arg) ? JSON.stringify(arg) : arg)).join(' ')}`);
console.log(
	'Then open seed3-five-hashes.cjs there and run "Waitline: Debug with Async Profile" from the command palette.',
);

const editor = installedEditor();
if (editor !== undefined && process.stdout.isTTY && hasDisplay()) {
	console.log('Opening it now…');
	spawnSync(editor, args, { stdio: 'ignore', shell: process.platform === 'win32' });
}

/** The `code` command on the PATH, if any. */
function installedEditor(): string | undefined {
	const name = process.platform === 'win32' ? 'code.cmd' : 'code';
	return (process.env.PATH ?? '')
		.split(delimiter)
		.filter((folder) => folder !== '')
		.map((folder) => join(folder, name))
		.find(isExecutable);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** On Linux a window needs a display server; elsewhere there always is one. */
function hasDisplay(): boolean {
	return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
