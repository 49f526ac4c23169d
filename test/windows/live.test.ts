// A session on Windows while its program runs: its journal is read while the tracer writes it, and whoever removes it harms neither side.
import assert from 'node:assert/strict';
import { rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { build } from 'esbuild';
import { LEASE_FILE } from '../../src/protocol/journal.ts';
import { root, tracerPrograms } from '../support/paths.ts';
import { scratchFolder } from '../support/scratch.ts';
import { recordOnWindows, runOnWindows, skip, windowsNodes, windowsPath } from '../support/windows.ts';
import type { Followed } from './programs/follows.ts';

const programs = join(import.meta.dirname, 'programs');

describe('a session on Windows', { skip }, () => {
	const host = join(scratchFolder('host'), 'follows.cjs');
	before(async () => {
		const entryPoints = [join(programs, 'follows.ts')];
		await build({ entryPoints, outfile: host, bundle: true, platform: 'node', target: 'node18', logLevel: 'error' });
	});

	for (const node of windowsNodes()) {
		it(`on Node ${node.major} follows the journal while it is written, and its end stops the recording alone`, async () => {
			const folder = join(scratchFolder('live'), 'session');
			const files = [join(root, 'dist', 'tracer.cjs'), folder, join(programs, 'goes-on.cjs')].map(windowsPath);
			const { code, stdout, stderr } = await runOnWindows([node.path, windowsPath(host), ...files]);
			assert.deepEqual([code, stderr], [0, '']);
			const { counts, ...followed } = JSON.parse(stdout) as Followed;
			assert.ok(counts.length >= 4, `the report grew while the program ran: ${counts}`);
			assert.deepEqual(followed, { end: 'running', code: 0, reason: 'lease', isFolderGone: true });
		});

		it(`on Node ${node.major} says that its folder was removed while the program ran, which goes on`, async () => {
			const program = windowsPath(join(programs, 'removes-its-folder.cjs'));
			const { report, ...outcome } = await recordOnWindows(node, [program, LEASE_FILE]);
			assert.deepEqual(outcome, { code: 0, stdout: 'done\n', stderr: '' });
			// A journal that the tracer has open may stay where it is until that is closed: then the tracer misses the lease.
			const said = report.warnings.map(({ message }) => message).join('\n');
			assert.match(
				said,
				/^The journal of process \d+ was removed while|^Recording stopped before the program did: lease/m,
			);
			assert.ok(report.lines.length > 0, 'what was read before is there');
		});

		it(`on Node ${node.major} says that the journal was shortened`, async () => {
			const program = windowsPath(join(tracerPrograms, 'loses-its-journal.cjs'));
			const { report, ...outcome } = await recordOnWindows(node, [program, 'shortens']);
			assert.deepEqual(outcome, { code: 0, stdout: 'done\n', stderr: '' });
			assert.match(report.warnings[0]!.message, /^The journal of process \d+ was shortened while/);
		});

		it(`on Node ${node.major} ends well though a program that it has started outlives it and holds its journal`, async () => {
			const stays = scratchFolder('stays');
			const program = [join(programs, 'outlives.cjs'), stays].map(windowsPath);
			const { report, ...outcome } = await recordOnWindows(node, program).finally(() => rmdirSync(stays));
			assert.deepEqual(outcome, { code: 0, stdout: '', stderr: '' });
			assert.deepEqual(
				report.processes.map(({ end }) => end),
				['exit', 'running'],
			);
		});
	}
});
