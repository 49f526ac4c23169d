// A journal made by the tracer's own writer: operations of the pool, timers, sockets and immediates from a hundred lines, sixteen of
// them open at any time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEASE_FILE } from '../../../src/protocol/journal.ts';
import { TAG } from '../../../src/protocol/journal-records.ts';
import { hasReader } from '../../../tracer/journal/lease.ts';
import { JournalWriter } from '../../../tracer/journal/writer.ts';
import { writeThread } from '../../support/thread-record.ts';

const LINES = 100;
/** Operations that are open at any time, and at the end. */
export const OPEN = 16;
const KINDS = [
	{ type: 'FSREQCALLBACK', name: 'readFile', script: 'node:fs' },
	{ type: 'Timeout', name: 'setTimeout', script: 'node:timers' },
	{ type: 'TCPCONNECTWRAP', name: 'connect', script: 'node:net' },
	{ type: 'Immediate', name: 'setImmediate', script: 'node:timers' },
];
/** Named as a tracer would name it, with an id that no process has. */
export const MADE_JOURNAL = '4194305.0.1.journal';

/**
 * Writes it to the folder.
 * @param draw numbers from 0 to below 1, by which the times differ by some µs: without them the bytes are so regular that they pack to almost nothing
 * @param lines that start them; a multiple of four
 * @returns its path
 */
export function writeMadeJournal(folder: string, operations: number, draw = () => 0, lines = LINES): string {
	writeFileSync(join(folder, LEASE_FILE), '');
	const writer = new JournalWriter(join(folder, MADE_JOURNAL), () => hasReader(join(folder, LEASE_FILE)), writeThread);
	const made = new MadeOperations(writer, lines);
	for (let i = 0; i < operations; i++) {
		const now = i * 10;
		made.start(now + Math.floor(2 * draw()));
		made.callBack(now + 2 + Math.floor(3 * draw()), now + 7 - Math.floor(3 * draw()));
		if (writer.halfFull) writer.flush(now + 9);
	}
	writer.flush(null);
	return join(folder, MADE_JOURNAL);
}

/** Records of such operations; times in µs of the journal, none earlier than the one before. */
export class MadeOperations {
	count = 0;
	private readonly writer: JournalWriter;
	private readonly lines: number;
	private sitesOf = 0;

	constructor(writer: JournalWriter, lines = LINES) {
		this.writer = writer;
		this.lines = lines;
	}

	start(at: number): void {
		const { writer } = this;
		if (this.sitesOf !== writer.generation) {
			writeSites(writer, this.lines);
			this.sitesOf = writer.generation;
		}
		const i = this.count++;
		const type = writer.string(kindOf(i).type);
		writer.record(TAG.start);
		writer.op(i + 2);
		writer.uint(0);
		writer.time(at);
		writer.uint(type);
		writer.uint((i % this.lines) + 1);
	}

	/** The callback of the oldest one, unless fewer than OPEN are open. */
	callBack(began: number, ended: number): void {
		const { writer, count } = this;
		if (count <= OPEN) return;
		writer.record(TAG.begin);
		writer.op(count + 1 - OPEN);
		writer.time(began);
		writer.uint(0);
		writer.uint(1);
		writer.record(TAG.end);
		writer.time(ended);
		writer.uint(1);
		writer.uint(0);
	}
}

function kindOf(i: number) {
	return KINDS[i % KINDS.length]!;
}

function writeSites(writer: JournalWriter, lines: number): void {
	const file = writer.string('/app/main.js');
	const around = writer.string('main');
	for (let line = 1; line <= lines; line++) {
		const { name, script } = kindOf(line - 1);
		const api = [writer.string(name), writer.string(script)];
		writer.record(TAG.position);
		for (const field of [line, file, line, 5, around]) writer.uint(field);
		writer.record(TAG.site);
		for (const field of [line, line, 0, ...api]) writer.uint(field);
	}
}
