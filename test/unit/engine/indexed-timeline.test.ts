// The timeline of a recording by its index is, to the unit, what reading all of its journals gives.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { IndexedTimeline } from '../../../src/engine/indexed-timeline.ts';
import { SessionModel } from '../../../src/engine/session-model.ts';
import { rowsIn } from '../../../src/engine/timeline/bin-rows.ts';
import { rowCountOf } from '../../../src/engine/timeline/timeline-index.ts';
import { readRecording } from '../../../src/host/recordings/recording-file.ts';
import { bytesOfPart } from '../../../src/host/recordings/recording-part.ts';
import { NO_NOTES, type SessionNotes } from '../../../src/host/recordings/session-notes.ts';
import { notedModel } from '../../../src/host/sessions/noted-model.ts';
import type { TimelineIndex } from '../../../src/protocol/timeline-index.ts';
import { drawnStretches } from '../../support/drawn-stretches.ts';
import { ThreadJournal } from '../../support/thread-journal.ts';

const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, bins: 512 };
const SECOND = 1_000_000;
const PIECE_BYTES = 2000;
const resolve = ({ script, line }: { script: string; line: number }) => ({ file: script, line });

interface Journal {
	name: string;
	bytes: Uint8Array;
}

/** A session that has read the journals as they grew, some bytes of each in turn, the last one first. */
function followed(journals: readonly Journal[], notes: SessionNotes): SessionModel {
	const session = notedModel(notes);
	const longest = Math.max(...journals.map(({ bytes }) => bytes.length));
	for (let at = 0; at < longest; at += PIECE_BYTES) {
		for (const { name, bytes } of journals.toReversed()) {
			if (at < bytes.length) session.push(name, bytes.subarray(at, at + PIECE_BYTES));
		}
	}
	for (const { name } of journals) session.finish(name, true);
	return session;
}

/** Compares both for many stretches. @returns the timeline of all of it */
function assertSame(journals: readonly Journal[], notes: SessionNotes = NO_NOTES) {
	const read = notedModel(notes, new SessionModel());
	read.load(journals.map(({ name, bytes }) => ({ name, pieces: () => [bytes] })));
	const saved = followed(journals, notes).timelineIndex(Infinity)!;
	const index = JSON.parse(JSON.stringify(saved.index)) as TimelineIndex;
	const rows = rowsIn(saved.rows, rowCountOf(index), index.length)!;
	const names = journals.map(({ name }) => name);
	const byIndex = new IndexedTimeline(index, rows, names, notedModel(notes));
	const bytes = new Map(journals.map((journal) => [journal.name, journal.bytes]));
	const shown = (of: SessionModel | IndexedTimeline, query: typeof ALL) => {
		const stretches = of.stretches(query);
		const bytesOf = (name: string) => bytes.get(name)!.subarray(stretches!.get(name)!.from, stretches!.get(name)!.to);
		const detail = stretches === null ? null : of.readAgain(query, stretches, bytesOf);
		return { stretches, timeline: of.timeline(query, detail, resolve) };
	};
	const whole = shown(read, ALL).timeline;
	for (const query of [ALL, ...drawnStretches(whole.endMs, 60)]) {
		assert.deepEqual(shown(byIndex, query), shown(read, query), JSON.stringify(query));
	}
	return whole;
}

test('of a server that version 0.1.0 has recorded', async () => {
	const file = path.join(import.meta.dirname, '../recordings/version-0.1.0.waitline');
	const { journals, ...notes } = await readRecording(file);
	const { lines } = assertSame(
		journals.map((part) => ({ name: part.name, bytes: bytesOfPart(part) })),
		notes,
	);
	assert.ok(lines.length > 5);
});

test('of processes and threads with blocks, queued jobs and many generations, one of which a debugger had stopped', () => {
	const facts = [{ pid: 7 }, { pid: 7, threadId: 1, beganUs: 2 * SECOND + 7 }, { pid: 3, beganUs: 5 * SECOND }];
	const threads = facts.map((each) => new ThreadJournal(each));
	for (const [thread, journal] of threads.entries()) {
		for (let job = 0; job < 30; job++) {
			const at = job * SECOND + 1000 * thread;
			journal.turn(at).start(100 + job, 5 + (job % 3), at + 1);
			journal.start(300 + job, 20, at + 5, 'Timeout').callback(300 + job, at + 1005, job % 7 === 0 ? 80_000 : 10);
			if (job < 4) continue;
			const done = job - 4;
			journal.restate(100 + done, 5 + (done % 3), done * SECOND + 1000 * thread + 1);
			journal.callback(100 + done, at + 500_000);
		}
		if (thread !== 1) journal.exit(31 * SECOND);
		journal.flush();
	}
	const pauses = [
		{ pid: 7, from: 6 * SECOND, to: 9 * SECOND },
		{ pid: 7, from: 20 * SECOND, to: 20 * SECOND + 500 },
	];
	const journals = threads.map(({ name, bytes }) => ({ name, bytes }));
	const whole = assertSame(journals, { ...NO_NOTES, pauses, asyncStacks: pauses });
	assert.equal(whole.threads.length, 3);
	assert.ok(whole.blocks.length > 5 && whole.gaps.length > 1 && whole.density.queues.length > 0);
});
