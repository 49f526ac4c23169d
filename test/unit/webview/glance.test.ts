// What the panel's head says at a glance.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewState } from '../../../src/protocol/webview.ts';
import { glanceOf } from '../../../src/webview/common/glance.ts';
import { loop, process, report } from '../../support/report-values.ts';

const WORDS = {
	durationHelp: '',
	loop: 'loop {0} %',
	loopBusyHelp: 'busiest: {0}',
	poolBusy: 'pool {0}',
	poolBusyHelp: '{0} threads of {1}',
	overheadWithin: 'within',
	overheadReached: 'reached {0} %',
	overheadHelp: '',
	unknown: 'unknown',
};

const PROCESSES = [process({}), process({ pid: 2, durationMs: 4000, entry: '/app/worker.js' })];
const POOL = { pid: 2, size: 4, saturatedMs: 0, saturatedMostMs: 0, lookupsQueuedMs: 0, maxQueued: 0 };

function texts(values: Parameters<typeof report>[0], session: ViewState['session'] = 'live'): string[] {
	return glanceOf({ report: report(values), date: 'Nov 25', session }, WORDS).map(({ text }) => text);
}

test('the longest duration, the busiest loop, the fullest pool and the overhead', () => {
	const loops = [loop({ pid: 1, utilization: 0.2 }), loop({ pid: 2, utilization: 0.52 })];
	const pools = [{ ...POOL, occupiedMs: { low: 4000, high: 8000 } }];
	assert.deepEqual(texts({ processes: PROCESSES, loops, pools }), ['4 s', 'loop 52 %', 'pool 25–50 %', 'within']);
	const [, busiest] = glanceOf({ report: report({ processes: PROCESSES, loops }), date: '', session: 'live' }, WORDS);
	assert.equal(busiest!.title, 'busiest: 2 (worker.js)');
});

test('a Worker that was busy for the moment that it lived is not the busiest loop', () => {
	const loops = [loop({ pid: 2, utilization: 0.3 }), loop({ pid: 2, threadId: 1, utilization: 1 })];
	const processes = [...PROCESSES, process({ pid: 2, threadId: 1, durationMs: 80 })];
	assert.deepEqual(texts({ processes, loops }).slice(0, 2), ['4 s', 'loop 30 %']);
});

test('what the governor measured where it had to reduce', () => {
	const stages = [{ startMs: 5, stage: 1, costPercent: 12.34 }];
	assert.deepEqual(texts({ processes: [process({ stages })] }), ['1 s', 'reached 12.3 %']);
});

test('a recording says when it was made and of what; nothing is said of nothing', () => {
	assert.deepEqual(texts({ processes: PROCESSES }, 'recording').slice(-2), ['Nov 25', 'node main.js']);
	assert.deepEqual(texts({ processes: [] }), []);
});
