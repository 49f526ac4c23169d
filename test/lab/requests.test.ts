// Requests as a whole: how long each took until its response was finished, and what that time went to, compared with what a client in another process measured
// by its own clock.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Report, Route } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, lineWith } from '../support/report.ts';
import { record } from '../support/waitline.ts';

const program = join(labPrograms, 'requests.cjs');
/** By how much a timer of Node may fire too soon, in ms: it counts in whole ones. */
const EARLY = 1;

/** By route, in ms: how long each answer took, and for how long one of both processes was ready meanwhile and had no CPU. */
interface Seen {
	latencies: Record<string, number[]>;
	withoutCpu: Record<string, number>;
	/** For how long the timers of the blocked requests were due and could not run. */
	overdueMs: number;
}

function routeAt(report: Report, text: string): Route {
	const line = lineWith(program, text);
	const route = report.requests.find((each) => each.file === program && each.line === line);
	assert.ok(route, `line ${line} is a route`);
	return route;
}

/** The sum of one kind of step on that line, in ms, and in how many requests it was. */
function partOf(route: Route, kind: Route['parts'][number]['kind'], text: string): { ms: number; count: number } {
	const line = lineWith(program, text);
	const parts = route.parts.filter((part) => part.kind === kind && part.line === line);
	return { ms: sum(parts.map(({ ms }) => ms)), count: Math.max(0, ...parts.map(({ count }) => count)) };
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

for (const node of nodes()) {
	it(`the parts of requests add up to what their client measured, on Node ${node.major}`, async () => {
		const { report, text } = await record(node, [program]);
		assertComplete(report);
		const { latencies, withoutCpu, overdueMs } = JSON.parse(text) as Seen;
		// What the client and the kernel take for a request that takes nothing, as often as it was asked: busy machines take more.
		const overhead = sum(latencies.nothing!);
		for (const [name, own] of Object.entries(latencies)) {
			const route = routeAt(report, `${name}(_request, response)`);
			assert.deepEqual([route.count, route.pending], [own.length, 0], name);
			const { duration } = route;
			const parts = [route.run, route.wait, route.blocked, route.unknown];
			assertNear(sum(parts.map(({ totalMs }) => totalMs)), duration.totalMs, 0, `${name}: parts`, 0.01);
			const typical = sum(route.typical.steps.map(({ ms }) => ms));
			assertNear(typical, route.typical.durationMs, 0, `${name}: steps of a typical one`, 0.01);
			if (name === 'nothing') continue;
			const { low, high } = duration.range ?? { low: duration, high: duration };
			// The limits hold the truth; where they are far apart, nobody knows it better.
			const truth = Math.min(Math.max(sum(own), low.totalMs), high.totalMs);
			assertNear(truth, sum(own), 0.05, `${name}: what the client measured`, overhead + withoutCpu[name]!);
			// The client may have its answer before the server's callback is over.
			const most = sum(own) + overhead + withoutCpu[name]!;
			assert.ok(low.totalMs <= most, `${name}: ${low.totalMs} ms at least, but the client measured ${sum(own)}`);
		}
		const waits = routeAt(report, 'waits(_request');
		assert.ok(partOf(waits, 'wait', 'await sleep(30)').ms >= 20 * (30 - EARLY));
		assert.equal(partOf(waits, 'wait', 'await fs.promises.readFile').count, 20);
		// The shorter of two at once is beside the way.
		const together = routeAt(report, 'together(_request');
		assert.ok(partOf(together, 'wait', 'sleep(15), sleep(45)').ms >= 20 * (45 - EARLY));
		assert.ok(together.run.totalMs < together.wait.totalMs);
		assert.ok(partOf(routeAt(report, 'computes(_request'), 'run', 'computes(_request').ms >= 20 * 25);
		const blocked = routeAt(report, 'blocked(_request');
		assert.ok(partOf(blocked, 'wait', 'slept = sleep(200)').ms >= 5 * (200 - EARLY));
		const { ms } = partOf(blocked, 'blocked', 'hogs(_request');
		assert.ok(ms >= overdueMs - 5 * EARLY, `blocked for ${overdueMs} ms by the one that computed, and not for ${ms}`);
	});
}
