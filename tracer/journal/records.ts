// The records of the journal, one method each (src/protocol/journal.ts). Whatever a record refers to is written before
// it, and again in each generation. Times are µs since the journal began.
import { BEGIN_FLAG, START_FLAG, TAG } from '../../src/protocol/journal-records.ts';
import type { Operation, Unrecorded } from '../operations/operation.ts';
import type { Kind } from '../process/kinds.ts';
import { type Called, CONTINUED, type Position, type Site } from '../sites/site.ts';
import { type JournalWriter, zigzag } from './writer.ts';

export class Records {
	private readonly writer: JournalWriter;
	/** When the running callback began, while it has no record because nothing in it needs one; -1 once it has one. */
	private unwritten = -1;

	constructor(writer: JournalWriter) {
		this.writer = writer;
	}

	start(operation: Operation): void {
		const { writer } = this;
		this.writeBegin();
		const { kind, site, id, parent, delay } = operation;
		const type = this.typeId(kind);
		if (site !== CONTINUED) this.writeSite(site);
		const flags =
			(parent === id ? 0 : START_FLAG.parent) |
			(delay < 0 ? 0 : START_FLAG.delay) |
			(operation.repeats ? START_FLAG.repeat : 0) |
			(operation.written === 0 ? 0 : START_FLAG.restated) |
			(site.caller === null ? 0 : START_FLAG.routed);
		writer.record(TAG.start);
		const { numbers } = writer;
		numbers[0] = writer.opFrom(id);
		numbers[1] = flags;
		numbers[2] = writer.timeFrom(operation.started);
		numbers[3] = type;
		numbers[4] = site.id;
		let count = 5;
		if (parent !== id) numbers[count++] = zigzag(id - parent);
		if (delay >= 0) numbers[count++] = delay;
		writer.writeNumbers(count);
		operation.written = writer.generation;
	}

	/**
	 * A top-level callback begins.
	 * @param flags of BEGIN_FLAG
	 * @param idle µs that the loop slept since the last one
	 * @param cpuWait µs that the thread may have waited for a CPU
	 */
	begin(operation: Operation, time: number, flags: number, idle: number, cpuWait: number): void {
		if (operation.leftOut === null) this.restate(operation);
		// The reader must know how long the loop slept and how often it turned, so a run with such news is always
		// written.
		if (operation.leftOut !== null && idle === 0 && flags === 0) this.unwritten = time;
		else this.recordBegin(operation.id, time, flags, idle, cpuWait);
	}

	/** Whether the callback that runs can go without a record. */
	get isRunUnwritten(): boolean {
		return this.unwritten >= 0;
	}

	/** The callback that has no record is over, and never gets one. */
	skipRun(): void {
		this.unwritten = -1;
	}

	/** @param drain µs from `after` until its ticks and microtasks were over */
	end(after: number, drain: number, hint: Site | null): void {
		this.writeBegin();
		if (hint !== null) this.writeSite(hint);
		const { writer } = this;
		writer.record(TAG.end);
		const { numbers } = writer;
		numbers[0] = writer.timeFrom(after);
		numbers[1] = drain;
		numbers[2] = hint === null ? 0 : hint.id;
		writer.writeNumbers(3);
	}

	/** The callback that runs, or has just run, is the completion of this operation too. */
	attribute(operation: Operation): void {
		this.writeBegin();
		this.restate(operation);
		this.writer.record(TAG.attribute);
		this.writer.numbers[0] = this.writer.opFrom(operation.id);
		this.writer.writeNumbers(1);
	}

	nested(operation: Operation, began: number, duration: number): void {
		this.writeBegin();
		this.restate(operation);
		const { writer } = this;
		writer.record(TAG.nested);
		const { numbers } = writer;
		numbers[0] = writer.opFrom(operation.id);
		numbers[1] = writer.timeFrom(began);
		numbers[2] = duration;
		writer.writeNumbers(3);
	}

	/** See `handler` of TAG. @param inDrain whether the callback itself is over */
	handler(site: Site, inDrain: boolean): void {
		this.writeBegin();
		this.writeSite(site);
		this.writer.write('handler', { site: site.id, inDrain });
	}

	/** See `over` of TAG. To a reader who does not know the operation it says nothing. */
	over({ id }: Operation, time: number): void {
		this.writeBegin();
		this.writer.write('over', { op: id, time });
	}

	tickBlock(began: number, duration: number, site: Site): void {
		this.writeBegin();
		this.writeSite(site);
		this.writer.write('tickBlock', { time: began, duration, site: site.id });
	}

	garbage(began: number, duration: number): void {
		this.writer.write('garbage', { time: began, duration });
	}

	loopDelay(delay: number, standsFor: number): void {
		this.writer.write('loopDelay', { delay, standsFor });
	}

	/** @param kind of CHILD_KIND @param id the pid or thread id */
	child(operation: number, kind: number, id: number): void {
		this.writer.write('child', { op: operation, kind, id });
	}

	/** A process that this one has started was ended by that signal. */
	killed(pid: number, signal: string): void {
		this.writer.write('killed', { pid, signal: this.writer.string(signal) });
	}

	/** @param size threads that the pool has @param wanted the size that the program asked for later */
	pool(size: number, wanted: number): void {
		this.writer.write('pool', { effective: size, wanted });
	}

	/** @param cost the tracer's share of the time before, 0 to 1 */
	stage(now: number, stage: number, every: number, cost: number): void {
		this.writer.write('stage', { time: now, stage, every, permille: cost * 1000 });
	}

	/**
	 * Nothing is recorded from now on, or everything again.
	 * @param idle µs that the loop slept since the callback before it
	 * @param ids async ids that Node gave in the time that is over now; 0 where that is unknown
	 */
	rest(now: number, isOver: boolean, idle: number, ids: number): void {
		this.writer.write('rest', { time: now, isOver, idle, ids });
	}

	/** Operations that have called back unrecorded since the previous such record. */
	unrecorded({ site, kind, every, count }: Unrecorded): void {
		const type = this.typeId(kind);
		this.writeSite(site);
		this.writer.write('unrecorded', { site: site.id, type, every, count });
	}

	/** @param idle µs that the loop slept in all */
	exit(now: number, idle: number): void {
		this.writer.write('exit', { time: now, idle });
	}

	private recordBegin(op: number, time: number, flags: number, idle: number, cpuWait: number): void {
		const { writer } = this;
		writer.record(TAG.begin);
		const { numbers } = writer;
		numbers[0] = writer.opFrom(op);
		numbers[1] = writer.timeFrom(time);
		numbers[2] = flags;
		numbers[3] = idle;
		numbers[4] = cpuWait;
		writer.writeNumbers(flags & BEGIN_FLAG.cpuWait ? 5 : 4);
	}

	/** Something in the running callback is about to be written, so its begin must be written first. */
	private writeBegin(): void {
		if (this.unwritten < 0) return;
		const began = this.unwritten;
		this.unwritten = -1;
		this.recordBegin(0, began, 0, 0, 0);
	}

	/** Writes an operation again when the reader of this generation cannot know it. */
	private restate(operation: Operation): void {
		if (operation.written !== this.writer.generation) this.start(operation);
	}

	private writeSite(site: Site): void {
		const { writer } = this;
		if (site.written === writer.generation) return;
		if (site.user !== null) this.writePosition(site.user);
		if (site.library !== null) this.writePosition(site.library);
		const apiName = site.api === null ? 0 : writer.string(site.api.name);
		const apiScript = site.api === null ? 0 : writer.string(site.api.script);
		const { id } = site;
		writer.write('site', { id, user: site.user?.id ?? 0, library: site.library?.id ?? 0, apiName, apiScript });
		if (site.called !== null) this.writeCalled(id, site.called);
		site.written = writer.generation;
	}

	private writeCalled(site: number, { at, begin, route }: Called): void {
		this.writePosition(at);
		if (begin !== null) this.writePosition(begin);
		this.writer.write('called', { site, at: at.id, begin: begin?.id ?? 0, route });
	}

	/** @returns the id of its type */
	private typeId(kind: Kind): number {
		const { writer } = this;
		if (kind.written !== writer.generation) {
			kind.stringId = writer.string(kind.type);
			kind.written = writer.generation;
		}
		return kind.stringId;
	}

	private writePosition(position: Position): void {
		const { writer } = this;
		if (position.written === writer.generation) return;
		const script = writer.string(position.script);
		const functionName = writer.string(position.functionName);
		const { id, line, column } = position;
		writer.write('position', { id, script, line, column, functionName });
		position.written = writer.generation;
	}
}
