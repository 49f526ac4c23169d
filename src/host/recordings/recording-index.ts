// The index in a recording (src/protocol/timeline-index.ts): where in its journals which time is, and its sums over time, so that looking closer at a long one
// need not read all of it. It is taken with the recording's summary alone, and like that it comes from a stranger: each number is checked as if it had been
// made up. Names in it are as little to be trusted as those in a journal, and go the same ways.
//
//   u32  length of the index as JSON, in bytes, little endian
//   the index, and its sums (src/engine/timeline/bin-rows.ts)

import { type BinLane, MOST_BINS, MOST_CELLS } from '../../engine/common/time-bins.ts';
import { MOST_INT, MOST_US } from '../../engine/journal/record-decoder.ts';
import type { SessionModel } from '../../engine/session-model.ts';
import { rowsIn } from '../../engine/timeline/bin-rows.ts';
import { MOST_BINNED_THREADS, MOST_LANES } from '../../engine/timeline/timeline-density.ts';
import { rowCountOf } from '../../engine/timeline/timeline-index.ts';
import type { IndexedJournal, IndexedPlace, TimelineIndex } from '../../protocol/timeline-index.ts';
import { matches, type Schema } from '../common/schema-match.ts';
import type { Recording } from './recording-file.ts';
import { bytesOfPart, type RecordingPart } from './recording-part.ts';
import SCHEMA from './timeline-index.schema.json' with { type: 'json' };

/** The most that an index may add to the journals' bytes: where it would be more, reading them takes little longer. */
const MOST_SHARE = 1 / 8;
const HEAD_BYTES = 4;
/** The largest index that is read: the sums of all bins that there can be, and as much for the rest. */
const MOST_BYTES = 64 * 2 ** 20;
/** Of one thread: what the engine keeps of each. */
const MOST_BLOCKS = 1000;
const MOST_GAPS = 100;
/** More than the longest times and durations of a journal add up to, in µs. */
const MOST_TIME_US = 4 * MOST_US;
/** hrtime on any system, in µs, and ids. */
const MOST_CLOCK_US = 2 ** 52;
const MOST_ID = 2 ** 32 - 1;

export interface RecordingIndex {
	readonly index: TimelineIndex;
	readonly rows: readonly BinLane[];
}

/** What the recording of a session carries; null where reading its journals takes about as long. */
export function indexBytes(model: SessionModel): Uint8Array | null {
	const ofJournals = model.journals.reduce((sum, { bytes }) => sum + bytes, 0);
	const mostBytes = Math.min(MOST_BYTES, ofJournals * MOST_SHARE);
	const saved = model.timelineIndex(mostBytes);
	if (saved === null) return null;
	const json = Buffer.from(JSON.stringify(saved.index));
	const head = Buffer.alloc(HEAD_BYTES);
	head.writeUInt32LE(json.length);
	const bytes = Buffer.concat([head, json, saved.rows]);
	return bytes.length > mostBytes ? null : bytes;
}

/** The index of a recording whose summary is taken; null where there is none, or it cannot be that of these journals. */
export function indexOf({ index: part, journals }: Recording): RecordingIndex | null {
	if (part === null || part.length < HEAD_BYTES || part.length > MOST_BYTES) return null;
	const bytes = bytesOfPart(part);
	if (bytes.length !== part.length) return null;
	const end = HEAD_BYTES + bytes.readUInt32LE();
	let index: unknown;
	try {
		index = JSON.parse(bytes.toString('utf8', HEAD_BYTES, end));
	} catch {
		return null;
	}
	if (!isIndex(index, journals)) return null;
	const rows = rowsIn(bytes.subarray(end), rowCountOf(index), index.length);
	return rows === null ? null : { index, rows };
}

function isIndex(value: unknown, parts: readonly RecordingPart[]): value is TimelineIndex {
	if (!matches(value, SCHEMA as Schema)) return false;
	const index = value as TimelineIndex;
	const { journals, lines, loops } = index;
	const lengths = new Map(parts.map(({ name, length }) => [name, length]));
	const isJournal = (at: number) => isWhole(at, journals.length - 1);
	return (
		haveRoom(index) &&
		journals.length > 0 &&
		isOnce(journals.map(({ name }) => name)) &&
		isOnce(loops.map(({ journal }) => journal)) &&
		journals.every((journal) => lengths.get(journal.name) === journal.bytes && isIndexedJournal(journal)) &&
		lines.every(
			({ journal, place, count, wholeUs }) =>
				isJournal(journal) && isPlace(place) && isWhole(count, Number.MAX_SAFE_INTEGER) && wholeUs >= 0,
		) &&
		loops.every(({ journal }) => isJournal(journal))
	);
}

/** Whether the engine could have kept such bins, and that many rows of them. */
function haveRoom(index: TimelineIndex): boolean {
	const { binUs, first, length, lines, loops } = index;
	return (
		isWhole(binUs, MOST_TIME_US) &&
		binUs > 0 &&
		Number.isInteger(first) &&
		(Math.abs(first) + MOST_BINS) * binUs <= Number.MAX_SAFE_INTEGER &&
		isWhole(length, MOST_BINS) &&
		lines.length <= MOST_LANES &&
		loops.length <= MOST_BINNED_THREADS &&
		rowCountOf(index) * length <= MOST_CELLS
	);
}

function isIndexedJournal(journal: IndexedJournal): boolean {
	const { bytes, pid, threadId, beganUs, nowUs, generations, blocks, missing, rests, stages } = journal;
	const { at, timeUs, openJobs } = generations;
	return (
		isWhole(pid, MOST_ID) &&
		isWhole(threadId, MOST_ID) &&
		isWhole(beganUs, MOST_CLOCK_US) &&
		isTime(nowUs) &&
		at.length === timeUs.length &&
		at.length === openJobs.length &&
		at.every((each, i) => isWhole(each, bytes - 1) && (i === 0 || each > at[i - 1]!)) &&
		timeUs.every(isTime) &&
		openJobs.every((jobs) => isWhole(jobs, MOST_ID)) &&
		blocks.length <= MOST_BLOCKS &&
		blocks.every(
			({ place, startUs, durationUs }) => (place === null || isPlace(place)) && isTime(startUs) && isTime(durationUs),
		) &&
		[missing, rests, stages].every(({ length }) => length <= MOST_GAPS) &&
		[...missing, ...rests].every(({ fromUs, toUs }) => isTime(fromUs) && isTime(toUs)) &&
		stages.every(({ startMs, stage }) => isTime(startMs) && isWhole(stage, MOST_ID))
	);
}

function isPlace({ line, column }: IndexedPlace): boolean {
	return isWhole(line, MOST_INT) && isWhole(column, MOST_INT);
}

function isTime(us: number): boolean {
	return us >= 0 && us <= MOST_TIME_US;
}

function isWhole(value: number, most: number): boolean {
	return Number.isInteger(value) && value >= 0 && value <= most;
}

function isOnce(values: readonly unknown[]): boolean {
	return new Set(values).size === values.length;
}
