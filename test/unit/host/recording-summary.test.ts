// A recording's summary is shown in the place of its journals only where reading them would give the same; and it comes from a stranger.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { readBelow } from '../../../src/host/common/read-text.ts';
import { ReadingProgress, ReadingStopped } from '../../../src/host/common/reading-progress.ts';
import { parseRecording } from '../../../src/host/recordings/recording-file.ts';
import { isSummary, summaryOf } from '../../../src/host/recordings/recording-summary.ts';
import { LiveSession } from '../../../src/host/sessions/live-session.ts';
import { RecordedSession } from '../../../src/host/sessions/recorded-session.ts';
import { reportOfFile, reportSourceOf } from '../../../src/host/sessions/report-source.ts';
import { EMPTY_REPORT } from '../../../src/protocol/report.ts';
import type { Summary } from '../../../src/protocol/summary.ts';
import { ALL_OF_IT } from '../../../src/protocol/timeline.ts';
import { writeMadeJournal } from '../../bench/engine/made-journal.ts';
import { type Part, partsOf, recordingOf } from '../../mutations/parts.ts';
import { scratchFolder } from '../../support/scratch.ts';

const NAME = 'summary.json';
const read = readBelow([]);
/** Of which everything is read one by one. */
const SHORT = { fromMs: 100, toMs: 102, bins: 100 };

const EMPTY_SUMMARY = {
	engine: '',
	rest: '',
	beganAt: null,
	overview: { fromMs: 0, binMs: 1, length: 0, endMs: 0, threads: [], queues: [], lines: [] },
	timeline: null,
};

const parse = (bytes: Buffer) => parseRecording(bytes, 'r.waitline');

describe('the summary of a recording', () => {
	let bytes: Buffer;
	let summary: Summary;
	/** The same recording without it. */
	let bare: Buffer;

	before(async () => {
		const folder = scratchFolder();
		// Too many for the timeline to show them one by one.
		writeMadeJournal(folder, 20_000);
		const session = await LiveSession.start({ folder });
		await session.stop();
		const file = path.join(scratchFolder(), 'saved.waitline');
		await session.save(file);
		await session.remove();
		bytes = readFileSync(file);
		summary = summaryOf(parse(bytes)) ?? assert.fail('it is not taken');
		bare = bytes.subarray(0, bytes.indexOf(NAME) - 20);
	});

	/** As it is in the file. */
	const stored = (): Summary => JSON.parse(partsOf(bytes).at(-1)!.bytes.toString()) as Summary;

	/** The recording with another summary, which says that it is of this recording. */
	const withSummary = (changed: unknown): Buffer => {
		const parts = partsOf(bare);
		const part: Part = { name: Buffer.from(NAME), bytes: Buffer.alloc(0), sealed: changed as object };
		return recordingOf([...parts, part]);
	};

	it('says what reading the journals says', async () => {
		const source = reportSourceOf(parse(bare));
		assert.deepEqual(summary.report, await source.report());
		assert.deepEqual(summary.overview, source.overview());
		assert.deepEqual(summary.timeline, await source.timeline(ALL_OF_IT));
		assert.ok(summary.timeline!.density.lanes.length > 10);
		assert.equal(summary.beganAt, source.model.beganAt);
		assert.equal(summaryOf(parse(bare)), null);
	});

	it('spares reading the journals until something is asked for that it does not have', async () => {
		let pieces = 0;
		const session = new RecordedSession(parse(bytes), read, () => pieces++);
		const { report } = await session.first();
		assert.deepEqual(report, summary.report);
		assert.deepEqual(await session.timeline(ALL_OF_IT), summary.timeline);
		assert.equal(pieces, 0);
		const whole = reportSourceOf(parse(bare));
		await whole.report();
		const [short, part] = [await session.timeline(SHORT), await session.part(SHORT)];
		assert.ok(pieces > 0);
		assert.ok(short.detail!.operations.line.length > 10);
		assert.deepEqual(short, await whole.timeline(SHORT));
		assert.deepEqual(part, await whole.part(SHORT));
	});

	it('leaves a recording readable whose reading was stopped', async () => {
		let isStopped = true;
		const session = new RecordedSession(parse(bytes), read, () => {
			if (isStopped) throw new ReadingStopped();
		});
		await session.first();
		await assert.rejects(session.timeline(SHORT), ReadingStopped);
		assert.deepEqual(await session.timeline(ALL_OF_IT), summary.timeline, 'what is known is still shown');
		isStopped = false;
		assert.ok((await session.timeline(SHORT)).detail!.operations.line.length > 10);
	});

	it('is what the command line tool prints', async () => {
		const claimed = stored();
		claimed.report.lines[0]!.count = 123_456;
		const file = path.join(scratchFolder(), 'claimed.waitline');
		writeFileSync(file, withSummary(claimed));
		assert.equal((await reportOfFile(file)).report.lines[0]!.count, 123_456);
	});

	it('is not taken from another build of the engine, nor after a change of anything that it was made of', async () => {
		assert.notEqual(summaryOf(parse(withSummary(stored()))), null, 'the others are refused for their change');
		assert.equal(summaryOf(parse(withSummary({ ...stored(), engine: 'other' }))), null);
		for (const at of [30, bare.length >> 1, bare.length - 1]) {
			const damaged = Buffer.from(bytes);
			damaged[at]! ^= 1;
			assert.equal(summaryOf(parse(damaged)), null, `byte ${at}`);
			const session = new RecordedSession(parse(damaged), read, () => undefined);
			const { report } = await session.first();
			assert.deepEqual(report, await reportSourceOf(parse(damaged)).report(), 'it is read');
		}
		for (const length of [bytes.length - 1, bare.length + 40, bare.length + 10]) {
			assert.equal(summaryOf(parse(bytes.subarray(0, length))), null, `${length} bytes`);
		}
		assert.equal(summaryOf(parse(Buffer.concat([bytes, Buffer.of(0)]))), null, 'a byte more');
		const more = recordingOf([...partsOf(bytes), { name: Buffer.from('1.0.9.journal'), bytes: Buffer.from('x') }]);
		assert.equal(summaryOf(parse(more)), null, 'a journal more');
	});

	it('whose damage takes nothing from the figures is not said to', async () => {
		const damaged = Buffer.from(bytes);
		damaged[bytes.length - 20]! ^= 0xff;
		assert.equal(summaryOf(parse(damaged)), null);
		assert.deepEqual((await reportSourceOf(parse(damaged)).report()).warnings, summary.report.warnings);
	});

	/** Each of them on a summary that is taken without it. */
	const LIES: Record<string, (summary: Record<string, never> & Summary) => void> = {
		'a figure below zero': ({ report }) => Object.assign(report.lines[0]!, { wallMs: -1 }),
		'a figure beyond all': ({ report }) => Object.assign(report.lines[0]!, { wallMs: 1e300 }),
		'half a line': ({ report }) => Object.assign(report.lines[0]!, { line: 1.5 }),
		'a text for a figure': ({ report }) => Object.assign(report.lines[0]!, { count: '1' }),
		'null for a figure': ({ report }) => Object.assign(report.lines[0]!, { count: null }),
		'something left out': ({ report }) => Reflect.deleteProperty(report.lines[0]!, 'count'),
		'something more': ({ report }) => Object.assign(report, { html: '<b>' }),
		'another version of the report': ({ report }) => Object.assign(report, { schema: 'waitline/report@1' }),
		'books that do not balance': ({ report }) => Object.assign(report.accounting, { lost: 7 }),
		'a range that is none': ({ report }) => Object.assign(report.pools[0]!, { occupiedMs: { low: 2, high: 1 } }),
		'an escape sequence': ({ report }) => Object.assign(report.lines[0]!, { file: '/a\u001b[2J.js' }),
		'a name that is turned around': ({ report }) => Object.assign(report.lines[0]!, { op: 'a\u202eb' }),
		'more bars than there are': ({ report }) =>
			Object.assign(report.lines[0]!, { histogram: Array(17).fill({ fromMs: 1, toMs: 2, count: 1 }) }),
		'a loop busier than always': ({ report }) => Object.assign(report.loops[0]!, { utilization: 1.5 }),
		'nested without an end': ({ report }) => {
			let effects: unknown[] = [];
			for (let depth = 0; depth < 1000; depth++) effects = [{ effects }];
			Object.assign(report, { findings: effects });
		},
		'a thread that is not there': ({ timeline }) => Object.assign(timeline!.density.lanes[0]!, { thread: 9 }),
		'a line that is not there': ({ timeline }) => Object.assign(timeline!.density.lanes[0]!, { line: 1e6 }),
		'a row that is too short': ({ timeline }) => (timeline!.density.loops[0]!.busy = [] as never),
		'more bins than are drawn': ({ overview }) => Object.assign(overview, { length: 1e9 }),
		'a bin of no width': ({ overview }) => Object.assign(overview, { binMs: 0 }),
		'a stretch that ends before it begins': ({ overview }) => Object.assign(overview.lines[0]!, { fromMs: 9, toMs: 1 }),
		'only a part of the session': ({ timeline }) => Object.assign(timeline!, { fromMs: 5 }),
		'a member of every object': (lie) =>
			Object.defineProperty(lie, '__proto__', { value: { x: 1 }, enumerable: true, configurable: true }),
	};
	for (const [what, lie] of Object.entries(LIES)) {
		it(`is not taken where it has ${what}`, async () => {
			const claimed = stored();
			assert.ok(isSummary(claimed));
			lie(claimed as never);
			assert.ok(!isSummary(claimed));
			const session = new RecordedSession(parse(withSummary(claimed)), read, () => undefined);
			assert.deepEqual((await session.first()).report, summary.report, 'the journals are read');
		});
	}

	it('is not taken where a number in its JSON is none', () => {
		const text = JSON.stringify(stored());
		assert.ok(!isSummary(JSON.parse(text.replace(/"wallMs":[\d.]+/, '"wallMs":1e999'))));
	});
});

describe('a summary', () => {
	it('of findings within findings, by whose order one could be kept busy for hours, is refused at once', () => {
		let effects: unknown[] = [];
		for (let depth = 0; depth < 9; depth++) effects = [{ effects, code: 'none' }];
		const text = JSON.stringify({ ...EMPTY_SUMMARY, report: { ...EMPTY_REPORT, findings: effects } });
		let steps = 0;
		const counted = JSON.parse(text, (_, value: unknown) =>
			typeof value !== 'object' || value === null
				? value
				: new Proxy(value, {
						get(target, key) {
							steps++;
							return Reflect.get(target, key) as unknown;
						},
					}),
		) as unknown;
		assert.ok(!isSummary(counted));
		assert.ok(steps < 1000, `${steps} steps`);
	});
});

describe('a session whose program still runs', () => {
	it('is saved without a summary', async () => {
		const folder = scratchFolder();
		const journal = writeMadeJournal(folder, 100);
		const own = path.join(folder, `${process.pid}.0.1.journal`);
		writeFileSync(own, readFileSync(journal));
		const session = await LiveSession.start({ folder });
		await session.stop();
		const file = path.join(scratchFolder(), 'saved.waitline');
		await session.save(file);
		await session.remove();
		assert.equal(parse(readFileSync(file)).summary, null);
	});
});

describe('how far reading is', () => {
	it('is reported when it takes long, a few times a second, and so is its end', () => {
		let now = 0;
		const reported: number[] = [];
		const progress = new ReadingProgress(
			(share) => reported.push(share),
			undefined,
			() => now,
		);
		for (; now < 1000; now += 10) progress.at(now / 1000);
		progress.end();
		progress.end();
		assert.deepEqual(reported, [0.5, 0.7, 0.9, 1]);
		progress.at(0);
		progress.end();
		assert.equal(reported.length, 4, 'what is short is not');
	});

	it('is where it is stopped, once', () => {
		const cancel = new Int32Array(new SharedArrayBuffer(4));
		const progress = new ReadingProgress(() => undefined, cancel);
		progress.at(0);
		Atomics.store(cancel, 0, 1);
		assert.throws(() => progress.at(0.1), ReadingStopped);
		progress.at(0.2);
	});
});
