// What a cluster costs the extension host: 16 processes with 50 Workers write 100,000 operations a second in all, and this process follows them
// as the extension host does, with the engine in a thread (dist/ must be built). Prints Markdown.
// WAITLINE_BENCH_SECONDS: how long (30).
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { SessionThread } from '../../../src/host/engine-thread/session-thread.ts';
import { root } from '../../support/paths.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { OPEN } from '../engine/made-journal.ts';
import type { Share } from './process.ts';

const PROCESSES = 16;
const WORKERS = 50;
const RATE = 100_000;
const SECONDS = Number(process.env.WAITLINE_BENCH_SECONDS ?? 30);
const TARGET_DELAY_MS = 20;
/** A second report comes 250 ms after the first at the earliest (REPORT_MS of src/host/sessions/live-session.ts). */
const TARGET_UPDATES = 3;
/** What the histogram of the loop's delay takes a sample of, in ms; its figures include it. */
const RESOLUTION_MS = 1;

const folder = join(scratchFolder('cluster'), 'session');
const session = await SessionThread.start({ folder, program: join(root, 'dist', 'engine-thread.js') });
const before = await follow(5);
const children = Array.from({ length: PROCESSES }, (_, index) => startProcess(index));
await Promise.all(children.map((child) => once(child, 'message')));
const during = await follow(SECONDS);
const operations = (await Promise.all(children.map(endOf))).reduce((sum, count) => sum + count, 0);
await session.stop();
const { accounting, processes, lines } = session.report();
const open = (PROCESSES + WORKERS) * OPEN;
const counted = lines.reduce((total, { count }) => total + count, 0);
assert.equal(processes.length, PROCESSES + WORKERS);

const delays = ({ p50, p99, max }: Followed) => [p50, p99, max].map((ms) => `${ms.toFixed(1)} ms`).join(' / ');
const verdict = (isMet: boolean) => (isMet ? '(met)' : '(**missed**)');
const { lost, dropped } = accounting;
console.log(
	[
		`${PROCESSES} processes with ${WORKERS} Workers for ${SECONDS} s after their start, ${RATE.toLocaleString('en')} operations a second in all, on Node ${process.version}.`,
		'',
		'| | before | while they run | target |',
		'|---|---|---|---|',
		`| delay of the host’s loop, p50 / p99 / max | ${delays(before)} | ${delays(during)} | p99 ≤ ${TARGET_DELAY_MS} ms ${verdict(during.p99 <= TARGET_DELAY_MS)} |`,
		`| new reports a second | ${before.reports.toFixed(1)} | ${during.reports.toFixed(1)} | ≥ ${TARGET_UPDATES} ${verdict(during.reports >= TARGET_UPDATES)} |`,
		`| operations counted of those that have ended | | ${counted.toLocaleString('en')} of ${(operations - open).toLocaleString('en')} | all ${verdict(counted === operations - open)} |`,
		`| records lost or dropped | | ${lost + dropped} of ${accounting.emitted.toLocaleString('en')} | none ${verdict(lost + dropped === 0)} |`,
	].join('\n'),
);
process.exit();

function startProcess(index: number): ChildProcess {
	const workers = Math.floor(((index + 1) * WORKERS) / PROCESSES) - Math.floor((index * WORKERS) / PROCESSES);
	const share: Share = { folder, workers, rate: RATE / (PROCESSES + WORKERS) };
	return fork(join(import.meta.dirname, 'process.ts'), [JSON.stringify(share)]);
}

/** Ends a process. @returns how many operations it has started */
async function endOf(child: ChildProcess): Promise<number> {
	child.send('end');
	const [count] = (await once(child, 'message')) as [number];
	child.disconnect();
	return count;
}

interface Followed {
	p50: number;
	p99: number;
	max: number;
	/** New reports a second. */
	reports: number;
}

async function follow(seconds: number): Promise<Followed> {
	const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
	let reports = 0;
	let latest = session.report();
	const remove = session.onUpdate(() => {
		const report = session.report();
		if (report === latest) return;
		latest = report;
		reports++;
	});
	histogram.enable();
	await delay(seconds * 1000);
	histogram.disable();
	remove();
	const ms = (percent: number) => histogram.percentile(percent) / 1e6;
	return {
		p50: ms(50),
		p99: ms(99),
		max: histogram.max / 1e6,
		reports: reports / seconds,
	};
}
