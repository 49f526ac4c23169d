// The harness is tested as well: a run with a planted fault must turn red, by its counts and by its exit code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const OUT = path.resolve(import.meta.dirname, '../out');

test('a planted fault turns the editor tests red', () => {
	// Inside the project, from where the bundled suite finds mocha.
	mkdirSync(OUT, { recursive: true });
	const out = mkdtempSync(path.join(OUT, 'planted-'));
	try {
		const run = path.join(import.meta.dirname, 'run.ts');
		const result = spawnSync(process.execPath, [run, '--no-build', '--suite', 'planted', '--out', out], {
			encoding: 'utf8',
		});
		assert.equal(result.status, 1, result.stdout + result.stderr);
		assert.match(result.stdout, /'planted' !== 'found'/);
		const counts: unknown = JSON.parse(readFileSync(path.join(out, 'results.json'), 'utf8'));
		assert.deepEqual(counts, { passed: 0, failed: 1, skipped: 0 });
	} finally {
		rmSync(out, { recursive: true, force: true });
	}
});
