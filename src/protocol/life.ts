// The life of one operation in steps, from the call to its callback, with the times that were measured of it. A step
// whose time cannot be known from inside the program has none: it shows what happens, not how long it took.
import {
	AGENT_SOCKET,
	CONNECTION_QUEUE,
	EARLIER_COMMAND,
	POOL_CONNECTION,
	READER,
	RESPONSE_BODY,
} from './connection-wait.ts';
import { mechanismOf } from './mechanism.ts';
import type { Basis, Line, OperationClass, Process, TypicalOperation } from './report.ts';

/** Every kind of step; the texts are in the user's language, see `LifeStrings`. */
export type LifeStepName =
	| 'call'
	| 'binding'
	| 'submit'
	| 'queue'
	| 'take'
	| 'execute'
	| 'poolWake'
	| 'register'
	| 'kernelWork'
	| 'kernelWake'
	| 'read'
	| 'ringSubmit'
	| 'ringWork'
	| 'ringWake'
	| 'timerList'
	| 'timerStart'
	| 'timePasses'
	| 'timerDue'
	| 'enqueue'
	| 'turn'
	| 'spawn'
	| 'childRuns'
	| 'childEnds'
	| 'post'
	| 'otherThread'
	| 'threadWake'
	| 'elsewhere'
	| 'askPool'
	| 'poolGives'
	| 'given'
	| 'askAgent'
	| 'agentGives'
	| 'askConnection'
	| 'connectionTurn'
	| 'sent'
	| 'askBehind'
	| 'earlierAnswered'
	| 'ownAnswer'
	| 'write'
	| 'readerReads'
	| 'headers'
	| 'body'
	| 'lag'
	| 'callback';

/** One sentence per step; `{0}` is where its `detail` goes. */
export type LifeStrings = Record<LifeStepName, string>;

/** A time of one operation, in ms, with how it came about. */
export interface StepTime {
	ms: number;
	basis: Basis;
	/** 0 when measured. */
	uncertaintyMs: number;
}

export interface LifeStep {
	name: LifeStepName;
	/** What the sentence names: a function of Node, libuv or the kernel; empty where it names none. */
	detail: string;
	/** null when the step's time is unknown. */
	time: StepTime | null;
}

/** The steps of each class, most of which belong to the wait. */
const STEPS: Record<OperationClass, readonly LifeStepName[]> = {
	// The nine steps of one `fs.read`.
	threadpool: ['call', 'binding', 'submit', 'queue', 'take', 'execute', 'poolWake', 'lag', 'callback'],
	kernel: ['call', 'binding', 'register', 'kernelWork', 'kernelWake', 'lag', 'read', 'callback'],
	io_uring: ['call', 'binding', 'ringSubmit', 'ringWork', 'ringWake', 'lag', 'callback'],
	timer: ['call', 'timerList', 'timerStart', 'timePasses', 'timerDue', 'lag', 'callback'],
	loop: ['call', 'enqueue', 'turn', 'callback'],
	process: ['call', 'binding', 'spawn', 'childRuns', 'childEnds', 'lag', 'callback'],
	worker: ['call', 'post', 'otherThread', 'threadWake', 'lag', 'callback'],
	other: ['call', 'elsewhere', 'callback'],
};

/** Steps of waits that take place entirely in a library, and of those for whoever is at the other end, by class and name. */
const STEPS_OF_WAITS: Record<string, readonly LifeStepName[]> = {
	[`other ${POOL_CONNECTION}`]: ['askPool', 'poolGives', 'given'],
	[`other ${AGENT_SOCKET}`]: ['askAgent', 'agentGives', 'sent'],
	[`other ${CONNECTION_QUEUE}`]: ['askConnection', 'connectionTurn', 'sent'],
	[`other ${EARLIER_COMMAND}`]: ['askBehind', 'earlierAnswered', 'ownAnswer'],
	[`kernel ${READER}`]: ['write', 'readerReads', 'kernelWake', 'lag', 'callback'],
	[`kernel ${RESPONSE_BODY}`]: ['headers', 'body', 'kernelWake', 'lag', 'callback'],
};

/** The steps of an operation of that line; times where `typical` has them, names where the process is known. */
export function lifeOf(line: Pick<Line, 'op' | 'class' | 'typical'>, process: Process | undefined): LifeStep[] {
	const mechanism = process && mechanismOf(process);
	const details: Partial<Record<LifeStepName, string>> = {
		call: line.op,
		submit: submitFunction(line.op),
		poolWake: mechanism?.poolWake ?? '',
		register: mechanism?.register ?? '',
		kernelWake: mechanism?.wake ?? '',
		ringSubmit: 'io_uring_enter',
		ringWake: mechanism?.wake ?? '',
		timerStart: mechanism?.wake ?? '',
		spawn: 'uv_spawn',
		childEnds: mechanism?.childExit ?? '',
		threadWake: 'uv_async_send',
	};
	const times = line.typical === null ? {} : timesOf(line.typical);
	const steps = STEPS_OF_WAITS[`${line.class} ${line.op}`] ?? STEPS[line.class];
	return steps.map((name) => ({ name, detail: details[name] ?? '', time: times[name] ?? null }));
}

/** The function of libuv that the binding calls (Node's src/node_file.cc, cares_wrap.cc, threadpoolwork-inl.h). */
function submitFunction(op: string): string {
	if (/^fs\b/.test(op) || op.startsWith('FileHandle')) return 'uv_fs_*';
	if (op.includes('lookupService')) return 'uv_getnameinfo';
	if (op.startsWith('dns.')) return 'uv_getaddrinfo';
	return 'uv_queue_work';
}

function timesOf(typical: TypicalOperation): Partial<Record<LifeStepName, StepTime>> {
	const { waitMs, queueMs, executeMs, lagMs, runMs, basis, uncertaintyMs } = typical;
	const part = (ms: number | null): StepTime | undefined =>
		ms === null || basis === 'unknown' ? undefined : { ms: Math.max(0, ms), basis, uncertaintyMs };
	const measured = (ms: number): StepTime => ({ ms, basis: 'measured', uncertaintyMs: 0 });
	// What is not lag passed outside of the loop.
	const outside = part(lagMs === null ? null : waitMs - lagMs);
	const times: Partial<Record<LifeStepName, StepTime | undefined>> = {
		queue: part(queueMs),
		execute: part(executeMs),
		kernelWork: outside,
		readerReads: outside,
		body: outside,
		ringWork: outside,
		timePasses: outside,
		childRuns: outside,
		otherThread: outside,
		// Nothing is between these and the callback.
		turn: measured(waitMs),
		elsewhere: measured(waitMs),
		poolGives: measured(waitMs),
		agentGives: measured(waitMs),
		connectionTurn: measured(waitMs),
		earlierAnswered: measured(waitMs),
		lag: part(lagMs),
		callback: measured(runMs),
	};
	return times as Partial<Record<LifeStepName, StepTime>>;
}
