// Runs a command of the project's as a step of `npm test`: the whole command counts as one test.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Counts, noCounts } from './counts.ts';
import { root } from './paths.ts';

/**
 * Runs Node with these arguments, in the project's folder.
 * @param write is called with the command's output
 */
export function command(name: string, args: string[], write: (text: string) => void): Promise<Counts> {
	const began = performance.now();
	const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
	for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', write);
	return new Promise((resolve) => {
		const end = (passed: boolean) => {
			const tests = [{ name, ms: performance.now() - began }];
			const counts = passed ? { passed: 1 } : { failed: 1, failures: [name] };
			resolve({ ...noCounts(), ...counts, tests });
		};
		child.on('error', (error) => {
			write(`${error.message}\n`);
			end(false);
		});
		child.on('close', (code) => end(code === 0));
	});
}

/** The script behind a package's command. */
export function binary(name: string, bin: string): string {
	const folder = join(root, 'node_modules', name);
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		bin: string | Record<string, string>;
	};
	return join(folder, typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]!);
}
