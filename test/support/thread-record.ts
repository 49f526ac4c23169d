// The record about its thread that a made-up journal begins with, field by field as in src/protocol/journal.ts.
import { TAG } from '../../src/protocol/journal-records.ts';
import type { JournalWriter } from '../../tracer/journal/writer.ts';

/** A main thread of process 4242 whose journal began at 2 ** 45 + 7 µs of hrtime. */
export function writeThread(writer: JournalWriter): void {
	writer.record(TAG.thread);
	for (const field of [1, 4242, 1, 0]) writer.uint(field);
	for (const field of ['24.0.0', '1.51.0', 'linux', '/app/main.js']) writer.text(field);
	for (const field of [2 ** 45 + 7, 1_800_000_000_000, 1, 1, 4242, 1, 0]) writer.uint(field);
}
