// The panel reports its drawing to tests, and to nothing that has not asked.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Drawn } from '../../../src/protocol/webview.ts';
import { DrawnReports } from '../../../src/webview/common/drawn-reports.ts';

/** @returns the reports, and how often the drawing was read and sent */
function counted() {
	const counts = { read: 0, sent: 0 };
	const read = () => {
		counts.read++;
		return {} as Drawn;
	};
	return { reports: new DrawnReports(read, () => counts.sent++), counts };
}

test('the view neither collects nor sends what it has drawn before it is asked', () => {
	const { reports, counts } = counted();
	reports.changed();
	reports.changed();
	assert.deepEqual(counts, { read: 0, sent: 0 });
});

test('once asked, it sends what is drawn at once and after each change', () => {
	const { reports, counts } = counted();
	reports.ask();
	assert.deepEqual(counts, { read: 1, sent: 1 });
	reports.changed();
	assert.deepEqual(counts, { read: 2, sent: 2 });
});
