// The report: what a recording says, line by line. The CLI writes it as JSON (scripts depend on it), the views draw it.
// This is the stable contract `waitline/report@1`; a change that breaks a reader needs a new number.

/** Where an operation's time goes while the program waits for it. */
export type OperationClass = 'threadpool' | 'kernel' | 'io_uring' | 'timer' | 'loop' | 'process' | 'worker' | 'other';

/** How a figure came about; `estimated` ones carry `uncertaintyMs`. */
export type Basis = 'measured' | 'estimated' | 'unknown';

/** The distribution of one part of the time over a line's finished operations, in ms. */
export interface Split {
	totalMs: number;
	p50Ms: number;
	p95Ms: number;
	maxMs: number;
	/** The weakest basis among the operations that were added up. */
	basis: Basis;
	/** Largest distance, in ms, of one operation's figure from the truth; 0 when measured. */
	uncertaintyMs: number;
}

/** One entry per (file, line, op, class). A part that has no meaning for the class is null. */
export interface Line {
	/** Absolute path, source-mapped where a map exists. */
	file: string;
	/** 1-based. */
	line: number;
	/** Public API name, such as `fs.readFile`. */
	op: string;
	class: OperationClass;
	/** Operations that finished. */
	count: number;
	/** Operations still under way when the report was made. */
	pending: number;
	/** Start until the callback begins. */
	wait: Split | null;
	/** Pool only: until a thread was free. */
	queue: Split | null;
	/** Pool only: on a thread. */
	execute: Split | null;
	/** Done, but the event loop was busy. */
	lag: Split | null;
	/** The callback and the microtasks that drain right after it. */
	run: Split | null;
}

/** How a traced thread ended, as far as its journal tells. */
export type End = 'exit' | 'killed' | 'running' | 'truncated';

/** How the tracer keeps promise events away (`on` means that it could not). */
export type PromiseHooks = 'off' | 'on';

/** One traced thread. */
export interface Process {
	pid: number;
	/** 0 when the parent was not traced. */
	parentPid: number;
	/** 0 for the main thread. */
	threadId: number;
	/** `process.version` without the `v`. */
	node: string;
	libuv: string;
	platform: string;
	/** Threads of the libuv pool that were in effect. */
	poolSize: number;
	/** Whether fs goes through io_uring; null when it could not be told. */
	ioUring: boolean | null;
	promiseHooks: PromiseHooks;
	durationMs: number;
	end: End;
}

/** One libuv thread pool: one per process, shared by its threads. */
export interface Pool {
	pid: number;
	size: number;
	/** Time during which work queued because every thread was taken, in ms. */
	saturatedMs: number;
	/** Most operations that queued at one moment. */
	maxQueued: number;
}

/** A stretch of `durationMs` ms during which one callback held the event loop. */
export interface Block {
	file: string;
	line: number;
	/** Since the start of the thread's journal, in ms. */
	startMs: number;
	durationMs: number;
	/** Operations that finished but had to wait for the end of the block, or may have. */
	delayed: number;
}

/** One event loop: one per thread. */
export interface Loop {
	pid: number;
	threadId: number;
	/** Share of the time that the loop was not idle, 0 to 1. */
	utilization: number;
	blocks: Block[];
}

/** Records, to the unit: emitted = decoded + dropped + lost. */
export interface Accounting {
	emitted: number;
	decoded: number;
	/** Not written by the tracer (quota, lost lease). */
	dropped: number;
	/** Written, but not readable any more. */
	lost: number;
}

/** Something about the recording that the reader should know before trusting the figures. */
export interface Warning {
	code: 'pool-size-too-late' | 'tracer-stopped' | 'promise-hooks-on' | 'records-lost' | 'map-unreadable';
	pid: number;
	/** Source line it belongs to, where there is one. */
	file: string | null;
	line: number | null;
	/** One English sentence. */
	message: string;
}

/** Everything that one recording says. */
export interface Report {
	schema: 'waitline/report@1';
	processes: Process[];
	lines: Line[];
	pools: Pool[];
	loops: Loop[];
	warnings: Warning[];
	accounting: Accounting;
}
