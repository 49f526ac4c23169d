// By its index a long recording shows stretches of its timeline without its journals being read; and it comes from a stranger.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { readBelow } from '../../../src/host/common/read-text.ts';
import { parseRecording } from '../../../src/host/recordings/recording-file.ts';
import { indexOf } from '../../../src/host/recordings/recording-index.ts';
import { LiveSession } from '../../../src/host/sessions/live-session.ts';
import { RecordedSession } from '../../../src/host/sessions/recorded-session.ts';
import { reportSourceOf } from '../../../src/host/sessions/report-source.ts';
import { ALL_OF_IT } from '../../../src/protocol/timeline.ts';
import type { TimelineIndex } from '../../../src/protocol/timeline-index.ts';
import { writeMadeJournal } from '../../bench/engine/made-journal.ts';
import { type Part, partsOf, recordingOf } from '../../mutations/parts.ts';
import { drawnStretches } from '../../support/drawn-stretches.ts';
import { BLOCK_BYTES, pack } from '../../support/packed-blocks.ts';
import { random } from '../../support/random.ts';
import { scratchFolder } from '../../support/scratch.ts';

const INDEX = 'timeline.index';
const SUMMARY = 'summary.json';
const read = readBelow([]);
/** Of which everything is read one by one. */
const SHORT = { fromMs: 700, toMs: 702, bins: 100 };

const parse = (bytes: Buffer) => parseRecording(bytes, 'r.waitline');
const neverRead = () => assert.fail('a journal is read');

async function saved(operations: number, lines: number): Promise<Buffer> {
	const folder = scratchFolder();
	writeMadeJournal(folder, operations, random(1), lines);
	const session = await LiveSession.start({ folder });
	await session.stop();
	const file = path.join(scratchFolder(), 'saved.waitline');
	await session.save(file);
	await session.remove();
	return readFileSync(file);
}

describe('the index of a recording', () => {
	let bytes: Buffer;
	let parts: Part[];
	/** What stands in the index, and its sums. */
	let stored: { index: string; rows: Buffer };
	/** All of its journals read. */
	let whole: ReturnType<typeof reportSourceOf>;

	before(async () => {
		// Of several generations.
		bytes = await saved(150_000, 4);
		parts = partsOf(bytes);
		const part = parts.find(({ name }) => name.toString() === INDEX) ?? assert.fail('it has none');
		const end = 4 + part.bytes.readUInt32LE();
		stored = { index: part.bytes.toString('utf8', 4, end), rows: part.bytes.subarray(end) };
		whole = reportSourceOf(parse(bytes));
		await whole.report();
	});

	/** The recording with another part in the place of one that it has, and a summary that says that it is of that recording. */
	const withPart = (name: string, change: (part: Part) => Partial<Part>): Buffer =>
		recordingOf(
			parts.map((part) => {
				if (part.name.toString() === name) return { ...part, ...change(part) };
				const isSummary = part.name.toString() === SUMMARY;
				return isSummary ? { ...part, sealed: JSON.parse(part.bytes.toString()) as object } : part;
			}),
		);

	const withIndex = (index: string, rows = stored.rows): Buffer => {
		const json = Buffer.from(index);
		const head = Buffer.alloc(4);
		head.writeUInt32LE(json.length);
		return withPart(INDEX, () => ({ bytes: Buffer.concat([head, json, rows]) }));
	};

	/** Whether all of the journals is read for a stretch, which then is as it must be. */
	const isRead = async (file: Buffer): Promise<boolean> => {
		let pieces = 0;
		const session = new RecordedSession(parse(file), read, () => pieces++);
		assert.deepEqual(await session.timeline(SHORT), await whole.timeline(SHORT));
		return pieces > 0;
	};

	it('shows any stretch as reading all of the journals does, without reading them', async () => {
		const session = new RecordedSession(parse(bytes), read, neverRead);
		const { endMs } = await session.timeline(ALL_OF_IT);
		let single = 0;
		for (const query of [SHORT, ...drawnStretches(endMs, 20)]) {
			const shown = await session.timeline(query);
			assert.deepEqual(shown, await whole.timeline(query), JSON.stringify(query));
			if (shown.detail !== null && shown.detail.operations.line.length > 10) single++;
		}
		assert.ok(single > 3, `${single} stretches with single operations`);
	});

	it('is no longer asked when the journals have been read for something else', async () => {
		let pieces = 0;
		const session = new RecordedSession(parse(bytes), read, () => pieces++);
		const byIndex = await session.timeline(SHORT);
		assert.equal(pieces, 0);
		assert.deepEqual(await session.part(SHORT), await whole.part(SHORT));
		assert.ok(pieces > 0);
		assert.deepEqual(await session.timeline(SHORT), byIndex);
	});

	it('takes no more than an eighth of what the journals take', async () => {
		const [journal, index] = [/\.journal$/, /^timeline\.index$/].map((name) =>
			parts.filter((part) => name.test(part.name.toString())).reduce((sum, part) => sum + part.bytes.length, 0),
		) as [number, number];
		assert.ok(index <= journal / 8, `${index} of ${journal}`);
		// Of enough lines that most bins have one operation.
		const many = partsOf(await saved(20_000, 100));
		assert.deepEqual(
			many.map(({ name }) => name.toString()).filter((name) => name === INDEX),
			[],
		);
	});

	it('is not taken without the summary, whose hash says that nothing was changed', async () => {
		const bare = recordingOf(parts.filter(({ name }) => name.toString() !== SUMMARY));
		assert.ok(await isRead(bare));
		const damaged = recordingOf(
			parts.map((part) =>
				part.name.toString() === INDEX ? { ...part, bytes: Buffer.concat([part.bytes, Buffer.of(0)]) } : part,
			),
		);
		assert.ok(await isRead(damaged));
		assert.equal(reportSourceOf(parse(damaged)).unreadable, 0, 'that takes nothing from the figures');
	});

	it('is given up where a block of a journal is not as long as the file says', async () => {
		const { name, bytes: journal } = parts.find((part) => part.name.toString().endsWith('.journal'))!;
		const withShort = (index: number) =>
			parse(withPart(name.toString(), () => ({ damage: { index, packed: () => pack(Buffer.alloc(7)) } })));
		const needed = withShort(Math.floor((0.46 * journal.length) / BLOCK_BYTES));
		let pieces = 0;
		const session = new RecordedSession(needed, read, () => pieces++);
		const source = reportSourceOf(needed);
		await source.resolver();
		assert.deepEqual(await session.timeline(SHORT), await source.timeline(SHORT));
		assert.ok(pieces > 0);
		// One that the stretch does not need is not looked at.
		const other = new RecordedSession(withShort(0), read, neverRead);
		assert.deepEqual(await other.timeline(SHORT), await whole.timeline(SHORT));
	});

	/** Each of them on an index that is taken without it. */
	const LIES: Record<string, (index: TimelineIndex) => void> = {
		'a journal that is not there': ({ journals }) => (journals[0]!.name = '9.0.1.journal'),
		'a journal twice': ({ journals }) => journals.push(journals[0]!),
		'no journal': ({ journals }) => (journals.length = 0),
		'a journal of another length': ({ journals }) => journals[0]!.bytes++,
		'a place beyond its journal': ({ journals: [first] }) => (first!.generations.at[1] = first!.bytes),
		'places out of order': ({ journals: [first] }) => first!.generations.at.reverse(),
		'a place twice': ({ journals: [first] }) => (first!.generations.at[1] = first!.generations.at[0]!),
		'half a byte': ({ journals: [first] }) => (first!.generations.at[1]! += 0.5),
		'a place without a time': ({ journals: [first] }) => first!.generations.timeUs.pop(),
		'a time below zero': ({ journals: [first] }) => (first!.generations.timeUs[0] = -1),
		'half a job': ({ journals: [first] }) => (first!.generations.openJobs[0] = 0.5),
		'an end beyond all': ({ journals: [first] }) => (first!.nowUs = Number.MAX_SAFE_INTEGER),
		'half a process': ({ journals: [first] }) => (first!.pid += 0.5),
		'more gaps than are kept': ({ journals: [first] }) => (first!.rests = Array(101).fill({ fromUs: 1, toUs: 2 })),
		'a gap below zero': ({ journals: [first] }) => (first!.missing = [{ fromUs: -1, toUs: 2 }]),
		'a block on half a line': ({ journals: [first], lines: [line] }) =>
			(first!.blocks = [{ place: { ...line!.place, line: 1.5 }, startUs: 1, durationUs: 2 }]),
		'a bin of no width': (index) => (index.binUs = 0),
		'a bin of a part of a µs': (index) => (index.binUs = 0.5),
		'bins beyond all times': (index) => (index.first = 2 ** 52),
		'more bins than are kept': (index) => (index.length = 16_385),
		'fewer bins than there are sums of': (index) => (index.length = 10),
		'a line of no thread': ({ lines }) => (lines[0]!.journal = 1),
		'a line of half a thread': ({ lines }) => (lines[0]!.journal = 0.5),
		'half an operation': ({ lines }) => (lines[0]!.count = 0.5),
		'a sum below zero': ({ lines }) => (lines[0]!.wholeUs = -1),
		'a line less than there are sums of': ({ lines }) => lines.pop(),
		'more lines than are kept': ({ lines }) => lines.push(...Array(1000).fill(lines[0])),
		'a class that is none': ({ lines }) => Object.assign(lines[0]!, { class: 'disk' }),
		'a loop twice': ({ loops }) => loops.push(loops[0]!),
		'a loop of no thread': ({ loops }) => (loops[0]!.journal = -1),
		'a queue more than there are sums of': ({ loops }) => (loops[0]!.hasRequests = true),
		'a text for a number': ({ journals }) => Object.assign(journals[0]!, { nowUs: '1' }),
		'something more': (index) => Object.assign(index, { html: '<b>' }),
		'something left out': (index) => Reflect.deleteProperty(index, 'scripts'),
	};
	for (const [what, lie] of Object.entries(LIES)) {
		it(`is not taken where it has ${what}`, () => {
			assert.notEqual(indexOf(parse(withIndex(stored.index))), null);
			const changed = JSON.parse(stored.index) as TimelineIndex;
			lie(changed);
			assert.equal(indexOf(parse(withIndex(JSON.stringify(changed)))), null);
		});
	}

	it('is not taken where its JSON, or its sums, are cut off, or something is behind them', () => {
		const { index, rows } = stored;
		assert.equal(indexOf(parse(withIndex(index.slice(0, -1)))), null);
		assert.equal(indexOf(parse(withIndex(`${index} x`))), null);
		assert.equal(indexOf(parse(withIndex(index.replace(/"binUs":\d+/, '"binUs":1e999')))), null);
		assert.equal(indexOf(parse(withIndex(index, rows.subarray(0, -1)))), null);
		assert.equal(indexOf(parse(withIndex(index, Buffer.concat([rows, Buffer.of(0)])))), null);
		assert.equal(indexOf(parse(withPart(INDEX, () => ({ bytes: Buffer.of(1, 2) })))), null);
	});

	it('that is not taken leaves the journals to be read', async () => {
		assert.ok(!(await isRead(withIndex(stored.index))));
		assert.ok(await isRead(withIndex('{}')));
	});
});
