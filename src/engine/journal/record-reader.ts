// Calls a visitor's method for the next record. The five records that most of a journal consists of are read field by
// field, with the lists of `src/protocol/journal-records.ts` written out: going through the lists made the whole engine
// a fifth slower. A test compares the two.
import { CHILD_KINDS } from '../../protocol/journal.ts';
import { BEGIN_FLAG, type FieldValue, LAYOUTS, START_FLAG, TAG } from '../../protocol/journal-records.ts';
import type { JournalVisitor } from './journal-visitor.ts';
import { ABSENT, MOST_INT, MOST_US, placesOf, type RecordDecoder } from './record-decoder.ts';
import { isSameThread, type ThreadFacts, threadFacts } from './thread-facts.ts';

const CHILD = placesOf('child');

export class RecordReader {
	private readonly decoder: RecordDecoder;
	private readonly visitor: JournalVisitor;
	/** Methods of the visitor that take the fields of their record unchanged. */
	private readonly plain: Record<string, (...fields: FieldValue[]) => void>;
	/** When the last callback began, µs since the journal began. */
	private runBegan = 0;
	/** The facts of the first generation: the others must be of the same thread. */
	private first: ThreadFacts | null = null;

	constructor(decoder: RecordDecoder, visitor: JournalVisitor) {
		this.decoder = decoder;
		this.visitor = visitor;
		this.plain = visitor as unknown as RecordReader['plain'];
	}

	/** Whether a `thread` record has been read. */
	get knowsThread(): boolean {
		return this.first !== null;
	}

	/**
	 * Reads one record; false when it makes no sense or runs over the chunk's end: then no method of the visitor was
	 * called.
	 */
	read(): boolean {
		switch (this.decoder.tag) {
			case TAG.start:
				return this.start();
			case TAG.begin:
				return this.begin();
			case TAG.end:
				return this.endOfRun();
			case TAG.attribute:
				return this.attribute();
			case TAG.nested:
				return this.nested();
			case TAG.thread:
				return this.thread();
			default:
				return this.other();
		}
	}

	private start(): boolean {
		const { decoder } = this;
		decoder.at++;
		const op = decoder.op();
		const flags = decoder.uint();
		const time = decoder.time();
		const type = decoder.uint();
		const site = decoder.uint();
		const parent = flags & START_FLAG.parent ? decoder.parent() : op;
		const delay = flags & START_FLAG.delay ? decoder.upTo(MOST_INT) : ABSENT;
		if (!decoder.isSound) return false;
		this.visitor.start(op, flags, time, type, site, parent, delay);
		return true;
	}

	private begin(): boolean {
		const { decoder } = this;
		decoder.at++;
		const op = decoder.op();
		const time = decoder.time();
		const flags = decoder.uint();
		const idle = decoder.upTo(MOST_US);
		const cpuWait = flags & BEGIN_FLAG.cpuWait ? decoder.upTo(MOST_US) : 0;
		if (!decoder.isSound) return false;
		this.runBegan = time;
		this.visitor.begin(op, time, flags, idle, cpuWait);
		return true;
	}

	private endOfRun(): boolean {
		const { decoder } = this;
		decoder.at++;
		const after = decoder.time();
		const drain = decoder.upTo(MOST_US);
		const hint = decoder.uint();
		if (!decoder.isSound || after < this.runBegan) return false;
		this.visitor.end(after, drain, hint);
		return true;
	}

	private attribute(): boolean {
		const { decoder } = this;
		decoder.at++;
		const op = decoder.op();
		if (!decoder.isSound) return false;
		this.visitor.attribute(op);
		return true;
	}

	private nested(): boolean {
		const { decoder } = this;
		decoder.at++;
		const op = decoder.op();
		const time = decoder.time();
		const duration = decoder.upTo(MOST_US);
		if (!decoder.isSound) return false;
		this.visitor.nested(op, time, duration);
		return true;
	}

	/** Reads a `thread` record; false when it describes another thread, whose generation has come between. */
	private thread(): boolean {
		if (!this.decoder.decode()) return false;
		const facts = threadFacts(this.decoder.values);
		this.first ??= facts;
		if (!isSameThread(this.first, facts)) return false;
		this.visitor.thread(facts);
		return true;
	}

	private other(): boolean {
		const { decoder } = this;
		const { tag, values } = decoder;
		if (!decoder.decode()) return false;
		const { name, kinds } = LAYOUTS[tag]!;
		const fields = values.slice(0, kinds.length);
		if (tag === TAG.child) fields[CHILD.kind] = CHILD_KINDS[fields[CHILD.kind] as number]!;
		this.plain[name]!(...fields);
		return true;
	}
}
