// `waitline records`: what the tracer wrote, a line for each record.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { cli, tracerPrograms } from '../support/paths.ts';
import { execute } from '../support/process.ts';
import { lengthOfSources } from '../support/recording-bytes.ts';
import { scratchFolder } from '../support/scratch.ts';
import { readReport, waitline } from '../support/waitline.ts';

describe('waitline records', () => {
	const folder = scratchFolder();
	const recording = join(folder, 'r.waitline');
	const json = join(folder, 'r.json');

	before(async () => {
		// With children: the journal of the last one is damaged below. Of one block, nothing may be readable.
		const program = [process.execPath, join(tracerPrograms, 'many-operations.cjs')];
		const { code, stderr } = await waitline([
			'run',
			'--no-report',
			'--out',
			recording,
			'--json',
			json,
			'--',
			...program,
		]);
		assert.equal(code, 0, stderr.toString());
	});

	it('prints a line for each record', async () => {
		const { code, stdout, stderr } = await waitline(['records', recording]);
		assert.deepEqual([code, stderr.toString()], [0, '']);
		const lines = stdout.toString().trimEnd().split('\n');
		const heads = lines.filter((line) => line.startsWith('process '));
		assert.equal(heads.length, readReport(json).processes.length);
		assert.equal(lines.length - heads.length, readReport(json).accounting.decoded);
		for (const line of lines) assert.match(line, /^process \d+ · |^ +(\d+\.\d{3})? {2}[a-zA-Z]+( +\w+=|$)/);
	});

	it('prints what it can of a damaged recording, and one sentence', async () => {
		const bytes = readFileSync(recording);
		const at = lengthOfSources(bytes) - 20;
		bytes[at] = bytes[at]! ^ 0x55;
		const damaged = join(folder, 'damaged.waitline');
		writeFileSync(damaged, bytes);
		const { code, stdout, stderr } = await waitline(['records', damaged]);
		assert.equal(code, 2);
		assert.match(stderr.toString(), /^waitline: Not all of [^\n]*damaged\.waitline can be read: [^\n]*\.\n$/);
		assert.match(stdout.toString(), /^process /);
	});

	it('prints nothing more when its reader has closed the pipe', { skip: process.platform === 'win32' }, async () => {
		const command = `"${process.execPath}" "${cli}" records "${recording}" | head -n 1`;
		const { code, stdout, stderr } = await execute('/bin/sh', ['-c', command]);
		assert.deepEqual([code, stderr.toString()], [0, '']);
		assert.match(stdout.toString(), /^process [^\n]*\n$/);
	});
});
