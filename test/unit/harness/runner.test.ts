// The test of the test runner: every kind of planted fault must turn it red, down to its last line and its exit code,
// because people who run `npm test` read only those.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../support/paths.ts';
import { execute } from '../../support/process.ts';
import { scratchFolder } from '../../support/scratch.ts';

const good = "import { it } from 'node:test';\nit('is good', () => {});\n";

const faults: Record<string, { source: string; lastLine: string }> = {
	'a failing test': {
		source: "it('fails', () => { throw new Error('planted'); });",
		lastLine: '1 passed, 1 failed',
	},
	'a failing test in a suite': {
		source: "describe('suite', () => { it('fails', () => { throw new Error('planted'); }); });",
		lastLine: '1 passed, 1 failed',
	},
	'a rejected promise that nobody awaits': {
		source: "Promise.reject(new Error('planted'));",
		lastLine: '1 passed, 1 failed',
	},
	'a failing clean-up': { source: "after(() => { throw new Error('planted'); });", lastLine: '1 passed, 1 failed' },
	'a crash after the tests': {
		source: 'after(() => void setTimeout(() => process.exit(3)));',
		lastLine: '1 passed, 1 failed',
	},
	'something that never ends': {
		source: 'setInterval(() => undefined, 1000);',
		lastLine: '1 passed, 1 failed',
	},
	'a crash before the tests': { source: "throw new Error('planted');", lastLine: '0 passed, 1 failed' },
};

async function runner(args: string[]): Promise<{ code: number | null; lastLine: string | undefined; all: string }> {
	const outcome = await execute(process.execPath, [join(root, 'test', 'run.ts'), ...args]);
	const all = outcome.stdout.toString() + outcome.stderr.toString();
	return { code: outcome.code, lastLine: all.trimEnd().split('\n').at(-1), all };
}

function planted(source: string): string {
	const file = join(scratchFolder(), 'planted.test.ts');
	writeFileSync(file, source);
	return file;
}

describe('npm test', () => {
	it('is green for a good file', async () => {
		const { code, lastLine } = await runner([planted(good)]);
		assert.deepEqual({ code, lastLine }, { code: 0, lastLine: '1 passed, 0 failed' });
	});

	for (const [what, { source, lastLine }] of Object.entries(faults)) {
		it(`is red for ${what}, and shows it`, async () => {
			const imports = "import { after, describe, it } from 'node:test';\n";
			const file = planted(`${imports}${source}\nexport const used = [after, describe, it];\n${good.split('\n')[1]}\n`);
			const result = await runner([file]);
			assert.deepEqual({ code: result.code, lastLine: result.lastLine }, { code: 1, lastLine }, result.all);
			assert.match(result.all, /planted/);
		});
	}

	it('names at its end what failed and why, and the slowest tests', async () => {
		const sleep =
			"describe('suite', () => { it('sleeps', () => new Promise((resolve) => setTimeout(resolve, 50))); });";
		const bad = "it('fails', () => { throw new Error('planted'); });";
		const { all } = await runner([planted(`import { describe, it } from 'node:test';\n${sleep}\n${bad}\n`)]);
		assert.match(all, /\nFailed:\n {2}planted\.test\.ts: fails\n {4}planted\n\nThe slowest tests:\n/);
		// On a busy machine the other one may take longer.
		const times = [...all.matchAll(/^ +(\d+\.\d) s {2}planted\.test\.ts: (?:suite › sleeps|fails)$/gm)].map(([, s]) =>
			Number(s),
		);
		assert.equal(times.length, 2, all);
		assert.ok(times[0]! >= times[1]!, all);
	});

	it('names a suite whose hook failed', async () => {
		const source =
			"describe('suite', () => { before(() => { throw new Error('planted'); }); it('is not run', () => {}); });";
		const { all, code } = await runner([planted(`import { before, describe, it } from 'node:test';\n${source}\n`)]);
		assert.match(all, /\nFailed:\n(?: {2}.*\n)* {2}planted\.test\.ts: suite/);
		assert.equal(code, 1);
	});

	it('is red for a file without a test', async () => {
		const { code, lastLine } = await runner([planted('export {};\n')]);
		assert.deepEqual({ code, lastLine }, { code: 1, lastLine: '0 passed, 1 failed' });
	});

	it('counts skipped tests apart', async () => {
		const { code, lastLine } = await runner([planted(`${good}it('waits', { skip: true }, () => {});\n`)]);
		assert.deepEqual({ code, lastLine }, { code: 0, lastLine: '1 passed, 0 failed, 1 skipped' });
	});

	it('goes on after a failing file', async () => {
		const bad = planted("throw new Error('planted');");
		const { code, lastLine } = await runner([bad, planted(good)]);
		assert.deepEqual({ code, lastLine }, { code: 1, lastLine: '1 passed, 1 failed' });
	});

	it('refuses a step that it does not know', async () => {
		const { code, all } = await runner(['labb']);
		assert.equal(code, 2);
		assert.match(all, /^There is no step "labb"\. .*\n$/);
	});
});
