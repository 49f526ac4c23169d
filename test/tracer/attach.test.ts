// The tracer is attached to a running program, wherever that is at that moment: from then on it counts what the program
// counts, reports that it was attached, and leaves the program as it was.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { LiveSession } from '../../src/host/sessions/live-session.ts';
import type { Report } from '../../src/protocol/report.ts';
import { Inspected } from '../support/inspector.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { scratchFolder } from '../support/scratch.ts';

interface Counts {
	reads: number;
	sleeps: number;
}

const PROGRAM = join(tracerPrograms, 'runs-already.cjs');
const INTERRUPTIONS = 400;
const WORKERS = 6;
const COUNTS = '({ ...globalThis.counts })';

/** Operations that the report has of the line with that comment, finished or not. */
function countOn(report: Report, comment: string): number {
	const line =
		readFileSync(PROGRAM, 'utf8')
			.split('\n')
			.findIndex((text) => text.endsWith(`// ${comment}`)) + 1;
	return report.lines
		.filter((each) => each.line === line)
		.reduce((sum, { count, pending }) => sum + count + pending, 0);
}

/**
 * The program may be interrupted between its count and what it counts, so each end of the stretch may be off by one.
 */
function assertCounted(report: Report, from: Counts, to: Counts): void {
	for (const [key, comment] of [
		['reads', 'read'],
		['sleeps', 'sleep'],
	] as const) {
		const [seen, counted] = [countOn(report, comment), to[key] - from[key]];
		assert.ok(Math.abs(seen - counted) <= 1, `${seen} ${key} in the report, ${counted} by the program's count`);
	}
}

/** Waits until the program has started `reads` more reads. */
async function goOn(program: Inspected, reads: number): Promise<void> {
	let from: Partial<Counts> = {};
	while (from.reads === undefined) from = (await program.evaluate(COUNTS)) as Partial<Counts>;
	while (((await program.evaluate(COUNTS)) as Counts).reads < from.reads + reads);
}

for (const node of nodes()) {
	describe(`in a program that runs already, on Node ${node.major}`, () => {
		it('the tracer counts what is started from then on, twice over', async () => {
			const first = await LiveSession.start({ folder: scratchFolder() });
			const second = await LiveSession.start({ folder: scratchFolder() });
			const program = await Inspected.start(node, [PROGRAM]);
			try {
				await goOn(program, 20);
				const atFirst = (await program.attachTracer(first.folder, COUNTS)) as Counts;
				await goOn(program, 20);
				const atSecond = (await program.attachTracer(second.folder, COUNTS)) as Counts;
				await goOn(program, 20);
				await program.evaluate('globalThis.ends = true');
				assert.equal(await program.end(), 0);
				const atEnd = JSON.parse(program.stdout) as Counts;
				const [one, two] = [await first.stop(), await second.stop()];
				assertCounted(one, atFirst, atSecond);
				assertCounted(two, atSecond, atEnd);
				assert.ok([one, two].every(({ warnings }) => warnings.some(({ code }) => code === 'started-late')));
				assert.match(JSON.stringify(one.warnings), /stopped before the program did: profiled again/);
				assert.equal(two.processes[0]?.end, 'exit');
				assert.doesNotMatch(program.stderr, /waitline/);
			} finally {
				program.kill();
				await first.remove();
				await second.remove();
			}
		});

		it('a Worker that only starts is entered as soon as it is ready, and starts as it would', async () => {
			const session = await LiveSession.start({ folder: scratchFolder() });
			const program = await Inspected.start(node, [join(tracerPrograms, 'starts-workers.cjs')]);
			try {
				const entries: Promise<unknown>[] = [];
				await program.enterWorkers((worker) => {
					// The first before Node has set up anything, the others while it does.
					const steps = [() => worker.attachTracer(session.folder), () => worker.run()];
					if (entries.length > 0) steps.reverse();
					entries.push(Promise.all(steps.map((step) => step())));
				});
				for (let started = 0; started < WORKERS; started++) await program.evaluate('globalThis.startWorker()');
				while (entries.length < WORKERS) await setImmediate();
				await Promise.all(entries);
				await program.evaluate('globalThis.ends = true');
				assert.equal(await program.end(), 0, program.stderr);
				assert.equal(program.stdout, `${WORKERS} Workers, 0 failed\n`);
				const { processes } = await session.stop();
				assert.equal(processes.filter(({ threadId }) => threadId > 0).length, WORKERS);
			} finally {
				program.kill();
				await session.remove();
			}
		});

		it('fs answers what it was about to answer when the tracer came', async () => {
			const program = await Inspected.start(node, [join(tracerPrograms, 'asks-files.cjs')]);
			try {
				for (let time = 0; time < 40; time++) await program.attachTracer(scratchFolder(), 'null');
				await program.evaluate('globalThis.ends = true');
				assert.equal(await program.end(), 0);
				assert.equal(program.stdout, '0\n');
			} finally {
				program.kill();
			}
		});

		it('writes whole records when a debugger interrupts it and starts something by an expression', async () => {
			const session = await LiveSession.start({ folder: scratchFolder() });
			const file = join(tracerPrograms, 'starts-always.cjs');
			const code = readFileSync(file, 'utf8').split('\n');
			const program = await Inspected.start(node, [file]);
			try {
				await program.attachTracer(session.folder, 'null');
				for (let time = 0; time < INTERRUPTIONS; time++) await program.evaluate('setImmediate(() => {}), 0');
				await program.evaluate('globalThis.ends = true');
				assert.equal(await program.end(), 0);
				const { lines, warnings, accounting } = await session.stop();
				assert.doesNotMatch(JSON.stringify(warnings), /tracer-stopped/);
				// What the debugger started in the middle of the tracer's work is not recorded, but counted; the
				// tracer's own work is complete.
				const { emitted, decoded, dropped, lost } = accounting;
				assert.deepEqual({ emitted, lost }, { emitted: decoded + dropped, lost: 0 });
				assert.ok(dropped <= INTERRUPTIONS, JSON.stringify(accounting));
				assert.deepEqual([...new Set(lines.map(({ op }) => op))], ['setImmediate']);
				const shown = lines.filter(({ line }) => code[line - 1]!.includes('setImmediate(again)'));
				assert.ok(shown.length > 20, JSON.stringify(lines.map(({ line, count }) => [line, count])));
			} finally {
				program.kill();
				await session.remove();
			}
		});
	});
}
