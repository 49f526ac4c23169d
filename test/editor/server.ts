// Starts VS Code's server (code-server) on the loopback interface with a home and settings of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SERVER_ENTRY } from './install.ts';
import { stopTree } from './processes.ts';

/** Long, because it only limits when to give up: two seconds are enough on two idle cores. */
const START_LIMIT_MS = 180_000;

export interface ServerOptions {
	/** A folder of this run; the server's home. */
	home: string;
	userData: string;
	extensions: string;
	/** File that receives everything the server prints. */
	log: string;
	/** Whether workspaces start untrusted. */
	workspaceTrust: boolean;
	/** Variables for the server and its extension host, over those of this process. */
	env: Record<string, string>;
}

export interface Server {
	/** `127.0.0.1:PORT`; also the authority of `vscode-remote:` URIs. */
	authority: string;
	process: ChildProcess;
	stop(): Promise<void>;
}

/** Resolves once the server listens. */
export async function startServer(options: ServerOptions): Promise<Server> {
	mkdirSync(options.home, { recursive: true });
	const config = path.join(options.home, 'code-server.yaml');
	writeFileSync(config, 'auth: none\n');
	const child = spawn(process.execPath, [SERVER_ENTRY, '--config', config, ...flags(options)], {
		env: {
			...process.env,
			...options.env,
			// No marketplace: the workbench would look for updates of everything at the start.
			EXTENSIONS_GALLERY: '{"serviceUrl":""}',
			HOME: options.home,
			XDG_CONFIG_HOME: path.join(options.home, 'config'),
			XDG_DATA_HOME: path.join(options.home, 'data'),
		},
		stdio: ['ignore', 'pipe', 'pipe'],
		// A group of its own: Ctrl+C reaches the launcher alone, which then ends the server in order.
		detached: true,
	});
	const authority = await listening(child, options.log);
	return { authority, process: child, stop: () => stopTree(child) };
}

function flags(options: ServerOptions): string[] {
	return [
		'--bind-addr',
		'127.0.0.1:0',
		'--auth',
		'none',
		'--disable-telemetry',
		'--disable-update-check',
		'--disable-getting-started-override',
		'--disable-proxy',
		'--ignore-last-opened',
		// Without it the workbench ignores the test extension named in the address, in silence.
		'--vscode-option',
		'enable-smoke-test-driver',
		// Both ends are on this machine.
		'--vscode-option',
		'disable-websocket-compression',
		...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
		'--user-data-dir',
		options.userData,
		'--extensions-dir',
		options.extensions,
	];
}

/** Waits for the line that names the port. */
function listening(child: ChildProcess, logFile: string): Promise<string> {
	const log = createWriteStream(logFile);
	return new Promise((resolve, reject) => {
		let output = '';
		const fail = (why: string) => reject(new Error(`VS Code's server ${why}\n${output}`));
		const timer = setTimeout(() => fail(`did not listen within ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS);
		const read = (data: Buffer) => {
			log.write(data);
			output = (output + data.toString()).slice(-4000);
			const match = /listening on http:\/\/([^\s/]+)/.exec(output);
			if (match === null) return;
			clearTimeout(timer);
			resolve(match[1]!);
		};
		child.stdout!.on('data', read);
		child.stderr!.on('data', read);
		child.once('error', (error) => fail(`did not start: ${error.message}`));
		child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
	});
}
