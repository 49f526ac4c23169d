// What receives the records of a journal.
import type { CHILD_KINDS } from '../../protocol/journal.ts';
import type { FrameFacts } from '../../protocol/journal-records.ts';
import type { ThreadFacts } from './thread-facts.ts';

/**
 * Receives the records, in the order of the journal. A method has the name of its record and takes the fields in their
 * order, unless its comment says otherwise. Times are µs since the journal began, durations µs.
 */
export interface JournalVisitor {
	/** Records at this point are lost, and with them perhaps the beginning of the callback whose end comes next. */
	gap(): void;
	/** A generation begins: the tables of the previous one are void. */
	thread(facts: ThreadFacts): void;
	string(id: number, text: string): void;
	position(id: number, script: number, line: number, column: number, functionName: number): void;
	site(id: number, user: number, library: number, apiName: number, apiScript: number): void;
	/** What the handler of that site did itself. @param begin of what it called @param route number of the request's route, 0 where it is unknown */
	called(site: number, at: number, begin: number, route: number): void;
	/** @param parent id of the parent operation, or the operation's own id; @param delay ms, or -1 */
	start(op: number, flags: number, time: number, type: number, site: number, parent: number, delay: number): void;
	/** @param cpuWait how much of the time since the last callback the thread may have been ready to run */
	begin(op: number, time: number, flags: number, idle: number, cpuWait: number): void;
	end(after: number, drain: number, hint: number): void;
	attribute(op: number): void;
	/** A callback inside another; for a served request, whose callback is over, that its response is finished. */
	nested(op: number, time: number, duration: number): void;
	pool(effective: number, wanted: number): void;
	/** A garbage collection. */
	garbage(time: number, duration: number): void;
	/**
	 * Something that was ready had to wait for the loop for `delay`.
	 * @param standsFor the time that this sample represents
	 */
	loopDelay(delay: number, standsFor: number): void;
	/**
	 * @param every from now on one operation in `every` is recorded, per line;
	 * @param permille the tracer's share of the time before
	 */
	stage(time: number, stage: number, every: number, permille: number): void;
	/**
	 * The tracer's hooks are off from now on, or on again.
	 * @param idle how long the loop slept since the callback before, when they are on again
	 * @param ids async ids that Node gave in the time that ends with this; 0 where that is unknown
	 */
	rest(time: number, isOver: boolean, idle: number, ids: number): void;
	/** `count` operations called back and were not recorded, where one in `every` was. */
	unrecorded(site: number, type: number, every: number, count: number): void;
	/** An operation that may call back any number of times never will again. */
	over(op: number, time: number): void;
	/** A router's handler starts something in the running callback. */
	handler(site: number, inDrain: boolean): void;
	/** A tick or microtask of a line blocked the loop in the drain of the running callback. */
	tickBlock(time: number, duration: number, site: number): void;
	/**
	 * A stack that samples of the block that is just over refer to.
	 * @param frames innermost first; numbers of strings are those of the generation
	 */
	stack(id: number, api: number, frames: readonly FrameFacts[]): void;
	/** Samples found the thread with that stack. */
	sampled(time: number, duration: number, stack: number, isCollection: boolean): void;
	/** For that long, in µs, the thread had no CPU in the run that has just ended. */
	lostCpu(duration: number): void;
	stop(reason: string): void;
	exit(time: number, idle: number): void;
	ancestor(pid: number): void;
	/** @param id process or thread id */
	child(op: number, kind: (typeof CHILD_KINDS)[number], id: number): void;
	/** A process that this one has started was ended by that signal. */
	killed(pid: number, signal: number): void;
}
