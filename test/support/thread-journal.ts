// Journals of threads that never ran, written by the tracer's own writer: for tests of how several are read together.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHILD_KINDS, LEASE_FILE } from '../../src/protocol/journal.ts';
import { START_FLAG, TAG } from '../../src/protocol/journal-records.ts';
import { hasReader } from '../../tracer/journal/lease.ts';
import { JournalWriter } from '../../tracer/journal/writer.ts';
import { scratchFolder } from './scratch.ts';

export const PID = 4242;
const SCRIPT = '/app/main.js';

interface Facts {
	pid?: number;
	threadId?: number;
	/** hrtime of its begin, µs. */
	beganUs?: number;
	/** Threads of the pool, as this thread has read it. */
	pool?: number;
	/** Where its lines are. */
	script?: string;
}

/** Times are µs since the journal began. */
export class ThreadJournal {
	readonly name: string;
	private readonly script: string;
	private readonly writer: JournalWriter;
	private readonly file: string;
	private threads: number;

	constructor({ pid = PID, threadId = 0, beganUs = 0, pool = 2, script = SCRIPT }: Facts = {}) {
		const folder = scratchFolder('journal');
		this.script = script;
		writeFileSync(join(folder, LEASE_FILE), '');
		this.name = `${pid}.${threadId}.${beganUs}.journal`;
		this.file = join(folder, this.name);
		this.writer = new JournalWriter(
			this.file,
			() => hasReader(join(folder, LEASE_FILE)),
			(writer) => {
				writer.record(TAG.thread);
				for (const field of [1, pid, 1, threadId]) writer.uint(field);
				for (const field of ['24.0.0', '1.51.0', 'linux', script]) writer.text(field);
				for (const field of [beganUs, 0, 1, 1, 0, 0, 0]) writer.uint(field);
			},
		);
		this.threads = pool;
		this.pool();
	}

	/** An operation that a line starts, in an empty callback of no operation. */
	start(op: number, line: number, at: number, type = 'PBKDF2REQUEST'): this {
		this.writeStart(op, line, at, type, 0, () => this.begin(0, at));
		return this.end(at);
	}

	/** The same operation again, as in a later generation before its callback. */
	restate(op: number, line: number, at: number, type = 'PBKDF2REQUEST'): this {
		this.writeStart(op, line, at, type, START_FLAG.restated, () => undefined);
		return this;
	}

	private writeStart(op: number, line: number, at: number, type: string, flags: number, before: () => void): void {
		const { writer } = this;
		const typeId = writer.string(type);
		const script = writer.string(this.script);
		writer.record(TAG.position);
		for (const field of [line, script, line, 1, 0]) writer.uint(field);
		writer.record(TAG.site);
		for (const field of [line, line, 0, 0, 0]) writer.uint(field);
		before();
		writer.record(TAG.start);
		writer.op(op);
		writer.uint(flags);
		writer.time(at);
		writer.uint(typeId);
		writer.uint(line);
	}

	/** Its empty callback, for which the loop was woken. @param drain how long the ticks after it took, in µs */
	callback(op: number, at: number, drain = 0): this {
		this.begin(op, at);
		return this.end(at, drain);
	}

	/** A Worker that the operation has started. */
	worker(op: number, threadId: number): this {
		this.writer.record(TAG.child);
		this.writer.op(op);
		this.writer.uint(CHILD_KINDS.indexOf('worker'));
		this.writer.uint(threadId);
		return this;
	}

	flush(): this {
		this.writer.flush(null);
		return this;
	}

	/** The size of the pool is read again, before something that may use it. */
	sized(threads: number): this {
		this.threads = threads;
		this.pool();
		return this;
	}

	/** The next generation begins, a second or longer after this one. */
	turn(at: number): this {
		this.writer.flush(at);
		this.pool();
		return this;
	}

	private pool(): void {
		this.writer.record(TAG.pool);
		this.writer.uint(this.threads);
		this.writer.uint(this.threads);
	}

	exit(at: number): this {
		this.writer.record(TAG.exit);
		this.writer.time(at);
		this.writer.uint(at);
		return this.flush();
	}

	private begin(op: number, at: number): void {
		this.writer.record(TAG.begin);
		this.writer.op(op);
		this.writer.time(at);
		this.writer.uint(0);
		this.writer.uint(1);
	}

	private end(at: number, drain = 0): this {
		this.writer.record(TAG.end);
		this.writer.time(at);
		this.writer.uint(drain);
		this.writer.uint(0);
		return this;
	}

	/** Its content, as far as it was flushed. */
	get bytes(): Uint8Array {
		return readFileSync(this.file);
	}
}
