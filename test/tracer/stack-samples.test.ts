// Stack samples and the program: it does not notice them, they cost nothing unless asked for, and other measurements
// stay true.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { lineWith, sum } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';
import { recordTimed } from '../support/truth.ts';
import { waitline } from '../support/waitline.ts';

const looker = join(tracerPrograms, 'looks-for-samples.cjs');
const sleeper = join(tracerPrograms, 'sleeps-long.cjs');
const workers = join(tracerPrograms, 'worker-descriptors.cjs');
const threads = join(tracerPrograms, 'prints-threads.cjs');
/** V8's thread that takes the samples. */
const PROFILER = 'v8:ProfEvntProc';
/** How long that program sleeps when it has computed. */
const SLEEP_MS = 1000;

for (const node of nodes()) {
	describe(`stack samples on Node ${node.major}`, () => {
		it('are not noticed by the program, not even when it listens to the signal that takes them', async () => {
			const run = (...options: string[]) => waitline(['run', '--no-report', ...options, '--', node.path, looker]);
			const [without, sampled] = [await run(), await run('--sample')];
			assert.equal(without.code, 0);
			assert.deepEqual({ code: sampled.code, text: `${sampled.stdout}` }, { code: 0, text: `${without.stdout}` });
			assert.match(`${without.stdout}`, /"signals":1\}/);
		});

		it('are taken by a thread of V8’s, which is not there without them', {
			skip: process.platform !== 'linux',
		}, async () => {
			const names = async (options: string[], ...args: string[]) =>
				`${(await waitline(['run', '--no-report', ...options, '--', node.path, threads, ...args])).stdout}`;
			assert.ok((await names(['--sample'], PROFILER)).includes(PROFILER));
			assert.ok(!(await names([])).includes(PROFILER));
		});

		it('have Node’s own profiler print nothing where it profiles or covers the program', async () => {
			const said = async (options: string[], env: Record<string, string>) => {
				const own = ['run', '--no-report', '--sample', '--', node.path, ...options];
				const { code, stderr } = await waitline([...own, sleeper], { env });
				return { code, said: `${stderr}` };
			};
			const silent = { code: 0, said: '' };
			const profile = ['--cpu-prof', `--cpu-prof-dir=${scratchFolder()}`];
			assert.deepEqual(await said(profile, {}), silent);
			assert.deepEqual(await said([], { NODE_V8_COVERAGE: scratchFolder() }), silent);
			// Older versions refuse the option there.
			if (node.major >= 24) assert.deepEqual(await said([], { NODE_OPTIONS: profile.join(' ') }), silent);
		});

		it('leave no descriptor of a Worker open', {
			skip: process.platform !== 'linux' && 'counts in /proc',
		}, async () => {
			const { code, stdout } = await waitline(['run', '--no-report', '--sample', '--', node.path, workers]);
			assert.deepEqual({ code, text: `${stdout}` }, { code: 0, text: '0 more descriptors\n' });
		});

		it('a sleep that the profiler interrupts does not count as code behind an await', async () => {
			const { report, text, noCpuMs } = await recordTimed(node, [sleeper], {}, ['--sample']);
			const computedMs = Number(/^computed for ([\d.]+) ms$/m.exec(text)![1]);
			// What comes of a busy machine is no more than that; the sleep alone is twice as long as the rest.
			const most = computedMs + noCpuMs + SLEEP_MS / 2;
			const [loop] = report.loops;
			const blocks = loop!.blocks.filter(({ isStartUp }) => !isStartUp);
			const longest = Math.max(...blocks.map(({ durationMs }) => durationMs));
			assert.ok(longest > 60 && longest < most, `${longest} of ${most} ms`);
			const at = lineWith(sleeper, 'readFile(');
			const run = sum(report.lines.filter(({ line }) => line === at).map((line) => line.run!.totalMs));
			assert.ok(run < most, `${run} of ${most} ms`);
		});
	});
}
