// Of thousands of short-lived processes the figures are kept, and little else.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SessionModel } from '../../../src/engine/session-model.ts';
import { ThreadJournal } from '../../support/thread-journal.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const LINES = 20;

function heap(): number {
	collect();
	return process.memoryUsage().heapUsed;
}

/** The journal of a process with an operation on each of its lines, one of which never calls back. */
function shortLived(): Uint8Array {
	const journal = new ThreadJournal();
	for (let line = 1; line <= LINES; line++) journal.start(line + 1, line, line * 100);
	for (let line = 2; line <= LINES; line++) journal.callback(line + 1, line * 100 + 5000);
	return journal.exit(10_000).bytes;
}

test('what is kept of processes that have ended does not grow with their operations', () => {
	const bytes = shortLived();
	const model = new SessionModel();
	let count = 0;
	const add = (processes: number) => {
		for (let i = 0; i < processes; i++) model.push(`${count++}.journal`, bytes);
		return heap();
	};
	const before = heap();
	const whole = add(32) - before;
	const some = add(1000);
	const perProcess = (add(2000) - some) / 2000;
	assert.ok(perProcess < whole / 32 / 3, `${perProcess} bytes per process, ${whole / 32} while they are kept whole`);
	const { lines, processes, accounting } = model.report(({ script, line }) => ({ file: script, line }));
	assert.equal(processes.length, count);
	assert.deepEqual(
		lines.map((line) => [line.line, line.count, line.pending]),
		Array.from({ length: LINES }, (_, i) => (i === 0 ? [1, 0, count] : [i + 1, count, 0])),
	);
	assert.equal(accounting.emitted, accounting.decoded);
});
