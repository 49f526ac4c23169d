// The report of a stretch of time: the figures of what ended in it, compared with what the test itself put there.
import assert from 'node:assert/strict';
import test from 'node:test';
import { SessionModel } from '../../../src/engine/session-model.ts';
import type { Report } from '../../../src/protocol/report.ts';
import { simulate, type Task } from '../../support/pool-simulation.ts';
import { random } from '../../support/random.ts';
import { ThreadJournal } from '../../support/thread-journal.ts';

const MS = 1000;
const resolve = ({ script, line }: { script: string; line: number }) => ({ file: script, line });

/** Jobs of three lines on two threads of a pool, by their times in ms, and the session of their journal. */
function session(seed: number): { tasks: (Task & { line: number })[]; model: SessionModel; bytes: Uint8Array } {
	const next = random(seed);
	let now = 0;
	const tasks = Array.from({ length: 200 }, (_, index) => {
		now += 10 + Math.floor(next() * 20);
		const length = 5 + Math.floor(next() * 40);
		// Distinct times: what comes first in one instant is libuv's secret.
		return {
			id: index + 2,
			submitted: now,
			length,
			isSlow: false,
			began: 0,
			done: 0,
			line: 1 + Math.floor(next() * 3),
		};
	});
	simulate(tasks, 2);
	const journal = new ThreadJournal({ pool: 2 });
	const events = tasks.flatMap((task) => [
		{ at: task.submitted, isEnd: false, task },
		{ at: task.done, isEnd: true, task },
	]);
	events.sort((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd));
	for (const { at, isEnd, task } of events) {
		if (isEnd) journal.callback(task.id, at * MS + 1);
		else journal.start(task.id, task.line, at * MS);
	}
	const { bytes, name } = journal.exit((Math.max(...tasks.map(({ done }) => done)) + 10) * MS);
	const model = new SessionModel();
	model.load([{ name, pieces: () => [bytes] }]);
	return { tasks, model, bytes };
}

function total(report: Report, part: 'wait' | 'queue'): number {
	return report.lines.reduce((sum, line) => sum + (line[part]?.totalMs ?? 0), 0);
}

test('the figures are those of the operations that ended in the stretch', () => {
	for (let seed = 1; seed <= 5; seed++) {
		const { tasks, model, bytes } = session(seed);
		const end = Math.max(...tasks.map(({ done }) => done));
		for (const [fromMs, toMs] of [
			[0, end + 20],
			[end * 0.3, end * 0.6],
			[end * 0.8, end + 20],
		] as const) {
			const report = model.part({ fromMs, toMs }, () => bytes).report(resolve);
			const inside = tasks.filter(({ done }) => done + 0.001 >= fromMs && done + 0.001 <= toMs);
			const what = `seed ${seed}, ${fromMs} to ${toMs}`;
			for (const line of [1, 2, 3]) {
				const own = inside.filter((task) => task.line === line);
				const found = report.lines.find((each) => each.line === line)!;
				assert.equal(found.count, own.length, `${what}, line ${line}`);
				const longest = Math.max(...own.map(({ done, submitted }) => done - submitted));
				assert.ok(Math.abs(found.wait!.maxMs - longest) < 0.01, `${what}, line ${line}: ${found.wait!.maxMs} at most`);
				assert.ok(found.wallMs <= toMs - fromMs + 0.01, `${what}: under way for ${found.wallMs}`);
				const open = tasks.filter((task) => task.line === line && task.submitted <= toMs && task.done + 0.001 > toMs);
				assert.equal(found.pending, open.length, `${what}, line ${line}: under way at the end`);
			}
			const waits = inside.reduce((sum, { done, submitted }) => sum + done - submitted, 0);
			const queues = inside.reduce((sum, { began, submitted }) => sum + began - submitted, 0);
			assert.ok(Math.abs(total(report, 'wait') - waits) < 0.01 * inside.length, `${what}: ${total(report, 'wait')}`);
			assert.ok(Math.abs(total(report, 'queue') - queues) < 0.01 * inside.length, `${what}: ${total(report, 'queue')}`);
			const [process] = report.processes;
			assert.ok(
				Math.abs(process!.durationMs - (Math.min(toMs, end + 10) - fromMs)) < 0.01,
				`${what}: ${process!.durationMs}`,
			);
			assert.equal(process!.end, 'exit');
			const { occupiedMs, saturatedMs } = report.pools[0]!;
			assert.ok(occupiedMs.high <= 2 * (toMs - fromMs) + 0.01 && saturatedMs <= toMs - fromMs, what);
		}
	}
});

test('all of the time gives the report of the session', () => {
	const { model, bytes } = session(7);
	const whole = model.report(resolve);
	const part = model.part({ fromMs: 0, toMs: 1e9 }, () => bytes).report(resolve);
	for (const key of ['processes', 'lines', 'requests', 'pools', 'loops', 'warnings', 'findings'] as const) {
		assert.deepEqual(part[key], whole[key], key);
	}
});

test('the loop is idle in the stretch for as long as it slept there', () => {
	const journal = new ThreadJournal({ pool: 2 });
	// Each callback sleeps before it for all of the time; `begin` of the journal says 1 µs.
	for (let at = 10; at <= 1000; at += 10) journal.start(at, 1, at * MS).callback(at, at * MS + 5 * MS);
	const { bytes, name } = journal.exit(1010 * MS);
	const model = new SessionModel();
	model.load([{ name, pieces: () => [bytes] }]);
	const { loops } = model.part({ fromMs: 300, toMs: 700 }, () => bytes).report(resolve);
	// 80 callbacks, before each of which it slept for 1 µs.
	assert.ok(Math.abs(loops[0]!.utilization - (1 - 0.08 / 400)) < 0.00001, `${loops[0]!.utilization}`);
});

test('the stretch is no longer for ticks that begin in it and end behind it', () => {
	const journal = new ThreadJournal({ pool: 2 }).start(2, 1, 10 * MS).start(3, 1, 11 * MS);
	journal.callback(2, 480 * MS, 60 * MS).callback(3, 600 * MS);
	const { bytes, name } = journal.exit(1000 * MS);
	const model = new SessionModel();
	model.load([{ name, pieces: () => [bytes] }]);
	const [process] = model.part({ fromMs: 100, toMs: 500 }, () => bytes).report(resolve).processes;
	assert.deepEqual([process!.durationMs, process!.recordedMs], [400, 400]);
});
