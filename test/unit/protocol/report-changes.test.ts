// A report that crosses to another thread is the same there, and what has not changed is neither sent again nor
// rebuilt.
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Block, EMPTY_REPORT, type Line, type Loop, type Report } from '../../../src/protocol/report.ts';
import { ReportReceiver, ReportSender } from '../../../src/protocol/report-changes.ts';

const line = (number: number) => ({ file: '/a.js', line: number }) as Line;
const block = (startMs: number) => ({ file: '/a.js', startMs }) as Block;
const loop = (pid: number, blocks: Block[]) => ({ pid, threadId: 0, utilization: 0.5, blocks }) as unknown as Loop;

/** Both sides, with the copy that a message is. */
function crossing() {
	const sender = new ReportSender();
	const receiver = new ReportReceiver();
	let fresh = 0;
	return {
		send(lines: Line[], loops: Loop[] = []): Report {
			const changes = structuredClone(sender.changesOf({ ...EMPTY_REPORT, lines, loops }));
			fresh = changes.lines.fresh.length + changes.blocks.fresh.length;
			const report = receiver.reportOf(changes);
			assert.deepEqual(report, { ...EMPTY_REPORT, lines, loops });
			return report;
		},
		get fresh() {
			return fresh;
		},
	};
}

test('only what is new crosses, and the rest keeps its objects', () => {
	const both = crossing();
	const [one, two, changed, three] = [line(1), line(2), line(2), line(3)];
	const before = both.send([one, two]);
	assert.equal(both.fresh, 2);
	const after = both.send([three, one, changed]);
	assert.equal(both.fresh, 2);
	assert.equal(after.lines[1], before.lines[0]);
	assert.notEqual(after.lines[2], before.lines[1]);
	both.send([three, one, changed]);
	assert.equal(both.fresh, 0);
});

test('a line that was gone for one report crosses again', () => {
	const both = crossing();
	const [one, two] = [line(1), line(2)];
	both.send([one, two]);
	both.send([two]);
	both.send([one, two]);
	assert.equal(both.fresh, 1);
});

test('blocks stay with their loops', () => {
	const both = crossing();
	const [a, b, c] = [block(1), block(2), block(3)];
	const before = both.send([], [loop(1, [a]), loop(2, []), loop(3, [b])]);
	const after = both.send([], [loop(1, [a, c]), loop(2, []), loop(3, [b])]);
	assert.equal(both.fresh, 1);
	assert.equal(after.loops[2]!.blocks[0], before.loops[2]!.blocks[0]);
});

test('an entry that is twice in the list is so on the other side', () => {
	const both = crossing();
	const one = line(1);
	const { lines } = both.send([one, line(2), one]);
	assert.equal(lines[0], lines[2]);
});
