// Makes the packaged extension, as `npm run package` does. vsce holds each file of the folder against each line of .vscodeignore, which takes 15 s of CPU time
// where tests and packages are in it; so it gets a copy without these, of which the list lets nothing in.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

const LEFT_OUT = ['.git', 'node_modules', 'test'];

/**
 * @param scratch a folder that receives the copy
 * @returns the `.vsix`
 */
export function makeVsix(scratch: string): string {
	const lines = readFileSync(join(root, '.vscodeignore'), 'utf8').split('\n');
	const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
	assert.ok(lines.includes('**') && allowed.length > 0, '.vscodeignore is a list of what is let in');
	for (const pattern of allowed) assert.ok(!LEFT_OUT.includes(pattern.split('/')[0]!), pattern);
	const copy = join(scratch, 'to package');
	for (const entry of readdirSync(root))
		if (!LEFT_OUT.includes(entry)) cpSync(join(root, entry), join(copy, entry), { recursive: true });
	const file = join(scratch, 'waitline.vsix');
	const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
	const args = ['package', '--no-dependencies', '--out', file];
	execFileSync(process.execPath, [vsce, ...args], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] });
	return file;
}
