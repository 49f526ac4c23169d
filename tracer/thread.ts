// Opens this thread's journal and describes the thread in it.
import path from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';
import { JOURNAL_SUFFIX, LEASE_FILE, TAG } from '../src/protocol/journal.ts';
import type { Recorder } from './recorder.ts';
import { JournalWriter } from './writer.ts';

/** The version of the record schema in src/protocol/journal.ts. */
const VERSION = 1;

/**
 * @param folder the session's folder
 * @param way how promise events are kept away, an index of PROMISE_HOOKS
 * @throws when the folder cannot be written to
 */
export function openJournal(folder: string, recorder: Recorder, way: number): JournalWriter {
	const wallMs = Date.now();
	const beganUs = Number(recorder.began / 1000n);
	const name = `${process.pid}.${isMainThread ? 0 : threadId}.${beganUs}${JOURNAL_SUFFIX}`;
	return new JournalWriter(path.join(folder, name), path.join(folder, LEASE_FILE), (writer) => {
		writer.record(TAG.thread);
		writer.uint(VERSION);
		writer.uint(process.pid);
		writer.uint(process.ppid);
		writer.uint(isMainThread ? 0 : threadId);
		writer.text(process.versions.node);
		writer.text(process.versions.uv ?? '');
		writer.text(process.platform);
		writer.text(process.argv[1] ?? '');
		writer.uint(beganUs);
		writer.uint(wallMs);
		writer.uint(way);
		writer.uint(0);
		writer.uint(recorder.idleAtBegin * 1000);
	});
}
