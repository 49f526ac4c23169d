// Runs a command of the project's as a step of `npm test`: the whole command counts as one test.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Counts, failure, noCounts } from './counts.ts';
import { root } from './paths.ts';

/**
 * Runs Node with these arguments, in the project's folder.
 * @param write is called with the command's output
 */
export function command(name: string, args: string[], write: (text: string) => void): Promise<Counts> {
	const began = performance.now();
	const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
	let text = '';
	const take = (piece: string) => {
		text += piece;
		write(piece);
	};
	for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', take);
	return new Promise((resolve) => {
		const end = (reason: string | null) => {
			const tests = [{ name, ms: performance.now() - began }];
			const counts = reason === null ? { passed: 1 } : { failed: 1, failures: [failure(name, reason)] };
			resolve({ ...noCounts(), ...counts, tests });
		};
		child.on('error', ({ message }) => {
			take(`${message}\n`);
			end(message);
		});
		child.on('close', (code, signal) =>
			end(code === 0 ? null : `It ended with ${signal ?? code}.\n${whatFailed(text)}`),
		);
	});
}

/** This many lines from the end of an output say enough where nothing in it is marked as failed. */
const LAST_LINES = 5;

/** Of a command's output, what stands behind the first mark of a failure, or else its end. */
function whatFailed(text: string): string {
	const at = text.search(/^✖/m);
	return at >= 0 ? text.slice(at) : text.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
}

/** The script behind a package's command. */
export function binary(name: string, bin: string): string {
	const folder = join(root, 'node_modules', name);
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		bin: string | Record<string, string>;
	};
	return join(folder, typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]!);
}
