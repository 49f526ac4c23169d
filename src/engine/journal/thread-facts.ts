// What the `thread` record of a journal says about its thread.
import { PROMISE_HOOKS } from '../../protocol/journal.ts';
import type { FieldValue } from '../../protocol/journal-records.ts';
import { placesOf } from './record-decoder.ts';

/** The `thread` record. */
export interface ThreadFacts {
	version: number;
	pid: number;
	parentPid: number;
	threadId: number;
	node: string;
	libuv: string;
	platform: string;
	/** The program's entry script, or an empty string. */
	entry: string;
	/** hrtime when the journal began, in µs. */
	beganUs: number;
	/** Wall clock then, in ms since 1970. */
	wallMs: number;
	promiseHooks: (typeof PROMISE_HOOKS)[number];
	ioUring: boolean | null;
	/** The system's id for the thread; 0 where it is not known. */
	tid: number;
	/** Whether the program ran before it was traced. */
	isAttached: boolean;
	/** Whether garbage collections are recorded. */
	seesGarbage: boolean;
}

/** By what a thread is known among those of a session. */
export type ThreadIdentity = Pick<ThreadFacts, 'pid' | 'threadId' | 'beganUs'>;

/** When a thread began, and until when it is known. */
export interface ThreadSpan {
	/** Null before its journal has named it. */
	readonly facts: ThreadIdentity | null;
	/** Its begin, in µs of hrtime without the pauses of a debugger. */
	readonly originUs: number;
	/** The last moment that is known, in µs since then. */
	readonly now: number;
}

const THREAD = placesOf('thread');

/** The meaning of a `thread` record's fields. */
export function threadFacts(values: readonly FieldValue[]): ThreadFacts {
	const number = (place: number) => values[place] as number;
	const text = (place: number) => values[place] as string;
	return {
		version: number(THREAD.version),
		pid: number(THREAD.pid),
		parentPid: number(THREAD.parentPid),
		threadId: number(THREAD.threadId),
		node: text(THREAD.node),
		libuv: text(THREAD.libuv),
		platform: text(THREAD.platform),
		entry: text(THREAD.entry),
		beganUs: number(THREAD.beganUs),
		wallMs: number(THREAD.wallMs),
		promiseHooks: PROMISE_HOOKS[number(THREAD.promiseHooks)] ?? 'on',
		ioUring: [null, false, true][number(THREAD.ioUring)] ?? null,
		tid: number(THREAD.tid),
		seesGarbage: values[THREAD.seesGarbage] === true,
		isAttached: values[THREAD.isAttached] === true,
	};
}

/** Sorts threads that their journals have named by when they began. */
export function compareBegins(a: Begun, b: Begun): number {
	return a.originUs - b.originUs || a.facts!.pid - b.facts!.pid || a.facts!.threadId - b.facts!.threadId;
}

type Begun = Pick<ThreadSpan, 'originUs' | 'facts'>;

/** Whether both describe one thread. */
export function isSameThread(a: ThreadFacts, b: ThreadFacts): boolean {
	return a.pid === b.pid && a.threadId === b.threadId && a.beganUs === b.beganUs;
}
