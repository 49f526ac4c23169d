// Runs a command to its end and keeps what it did byte for byte. Every program of the tests goes through here, bare or
// under Waitline, so that both sides of a comparison differ in nothing else.
import { type ChildProcess, spawn } from 'node:child_process';
import { root } from './paths.ts';

export interface Outcome {
	code: number | null;
	signal: NodeJS.Signals | null;
	stdout: Buffer;
	stderr: Buffer;
}

export interface RunOptions {
	env?: Record<string, string> | undefined;
	cwd?: string | undefined;
	/** What the program reads from stdin; without it, stdin is empty. */
	input?: Buffer | undefined;
	/** Called with the running process and its first output. */
	onFirstOutput?: ((child: ChildProcess, text: string) => void) | undefined;
}

/**
 * A program that hangs must not hang the suite; no test depends on this limit otherwise. No program here needs more
 * than five seconds on two idle cores, but a busy machine may take much longer.
 */
const longestRunMs = 600_000;

/** Variables of the test runner that would change how a program behaves. */
const ambient = /^(NODE_|UV_|npm_|WAITLINE_|NO_COLOR$|FORCE_COLOR$|COLUMNS$|CI$)/;

/** The machine's environment without what npm, node:test and the user's shell put there for Node. */
export function plainEnvironment(extra: Record<string, string> = {}): Record<string, string> {
	const env: Record<string, string> = {};
	for (const [key, value] of Object.entries(process.env)) {
		if (value !== undefined && !ambient.test(key)) env[key] = value;
	}
	return { ...env, ...extra };
}

/** Runs `command` and waits until it ended and both its outputs are closed. */
export function execute(command: string, args: string[], options: RunOptions = {}): Promise<Outcome> {
	const child = spawn(command, args, {
		cwd: options.cwd ?? root,
		env: plainEnvironment(options.env),
		stdio: ['pipe', 'pipe', 'pipe'],
		// A process group of its own, so that a hanging program can be ended together with what it started.
		detached: process.platform !== 'win32',
	});
	const stdout: Buffer[] = [];
	const stderr: Buffer[] = [];
	child.stdout.on('data', (chunk: Buffer) => {
		if (stdout.length === 0) options.onFirstOutput?.(child, chunk.toString());
		stdout.push(chunk);
	});
	child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => {
			killGroup(child);
			const seen = Buffer.concat([...stdout, ...stderr]).toString();
			reject(new Error(`${command} ${args.join(' ')} did not end in ${longestRunMs / 1000} s. It wrote:\n${seen}`));
		}, longestRunMs);
		const fail = (error: Error) => {
			clearTimeout(timer);
			reject(error);
		};
		child.on('error', fail);
		// A program may end without reading its input, which closes the pipe: that is no error of the test.
		child.stdin.on('error', (error: NodeJS.ErrnoException) => {
			if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') fail(error);
		});
		child.stdin.end(options.input);
		child.on('close', (code, signal) => {
			clearTimeout(timer);
			resolve({ code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) });
		});
	});
}

function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
}
