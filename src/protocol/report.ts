// The report: what a recording says, line by line. The CLI writes it as JSON (scripts depend on it), the views draw it.
// This is the stable contract `waitline/report@2`, written down in docs/report.schema.json (made from these types by test/unit/protocol/report-schema.test.ts); a change
// that breaks a reader needs a new number.

/** Where an operation's time goes while the program waits for it. */
export type OperationClass = 'threadpool' | 'kernel' | 'io_uring' | 'timer' | 'loop' | 'process' | 'worker' | 'other';

/**
 * How a figure came about; `estimated` ones carry `uncertaintyMs`. `measured` ones are within 0.2 ms, except that the
 * time for which a pool thread waits for a CPU is invisible: on a busy machine it counts as execution.
 */
export type Basis = 'measured' | 'estimated' | 'unknown';

/** Figures of a distribution of durations, in ms. */
export interface Durations {
	totalMs: number;
	p50Ms: number;
	p95Ms: number;
	maxMs: number;
}

/**
 * The distribution of one part of the time over a line's finished operations. Where single figures are only known
 * within limits, the figures here lie in the middle and serve for sorting; what is shown is the range.
 */
export interface Split extends Durations {
	/** Lower and upper limits of the same figures; null where every figure is measured, or none is known. */
	range: { low: Durations; high: Durations } | null;
	/** The weakest basis among the operations that were added up. */
	basis: Basis;
	/** Largest distance, in ms, of one operation's figure from the true value; 0 when measured. */
	uncertaintyMs: number;
	/** What is known of an unknown part; null for any other. */
	atLeast: AtLeast | null;
}

/** Of a part that is unknown for some operations: its figures if these took no time; 0 where it is known of none. */
export interface AtLeast extends Durations {
	/** Operations of which it is unknown. */
	unknown: number;
}

/** A source line, source-mapped where a map exists. */
export interface SourceLine {
	/** Absolute path. */
	file: string;
	/** 1-based. */
	line: number;
}

/** One bar of a histogram: `count` operations whose wait was from `fromMs` (inclusive) to `toMs` (exclusive). */
export interface Bin {
	fromMs: number;
	toMs: number;
	count: number;
}

/** The operation of a line whose callback started `count` operations of another line. */
export interface Caller extends SourceLine {
	/** Public API name; empty for the main script. */
	op: string;
	count: number;
}

/** One finished operation whose wait was near its line's median, in full detail; times in ms. */
export interface TypicalOperation {
	pid: number;
	threadId: number;
	/** Since the start of the thread's journal. */
	startMs: number;
	waitMs: number;
	/** As in `Line`: null where the part has no meaning for the class, or is unknown. */
	queueMs: number | null;
	executeMs: number | null;
	lagMs: number | null;
	runMs: number;
	/** Of the parts of the wait. */
	basis: Basis;
	uncertaintyMs: number;
}

/** When something was started. */
export interface Started {
	pid: number;
	threadId: number;
	/** Since the start of the thread's journal, in ms. */
	startMs: number;
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
	/** Whether `count` is extrapolated to times in which the tracer rested, or, of bodies of answers, to requests that were not recorded. */
	isCountEstimated: boolean;
	/** Operations still under way when the report was made, or when their thread ended. */
	pending: number;
	/** When the oldest of them was started; null where none is pending. */
	oldestPending: Started | null;
	/** Operations a second, from the first one's start to the last one's callback; null for fewer than two. */
	perSecond: number | null;
	/**
	 * Time in which at least one of those that finished was under way, in ms: from its start, a timer from when it was
	 * due, until its callback began. A lower bound where several threads or many short waits were under way.
	 */
	wallMs: number;
	/**
	 * The most operations at one time between their start and the end of their callback; a lower bound. null for timers and immediates, since nothing
	 * tells which of them were cleared.
	 */
	maxInFlight: number | null;
	/** Start until the callback begins. */
	wait: Split | null;
	/** Pool only: until a thread was free. */
	queue: Split | null;
	/** Pool only: on a thread; of steps of one operation that have threads at the same time, each moment counts once. */
	execute: Split | null;
	/** How long those steps had threads, added up, in ms: lower and upper limit; null where that is `execute`, or not known. */
	threadTimeMs: { low: number; high: number } | null;
	/** Done, but the event loop was busy. */
	lag: Split | null;
	/** The callback and the microtasks that drain right after it. */
	run: Split | null;
	/** Of `wait`, shortest first, at most 16 bars without gaps; empty when nothing has finished. */
	histogram: Bin[];
	/** A finished operation near the median; null when none has finished. */
	typical: TypicalOperation | null;
	/** The operations whose callbacks started this line's, most frequent first, at most 5. */
	callers: Caller[];
	/** Lines in libraries that called Node for this line, at most 5; empty when the line did so itself. */
	libraries: SourceLine[];
	/**
	 * Above 1: the tracer was over its budget and recorded one in this many operations, when it recorded fewest. The
	 * count is exact, totals are extrapolated to all operations (`estimated`), and everything else describes the
	 * recorded ones.
	 */
	sampledOf: number;
	/**
	 * Whether the split of the wait assumes that what an add-on does is work of libuv's pool, which nothing confirms.
	 */
	assumesAddonJobs: boolean;
	/** Of `count`: those whose callback ran while a debugger collected asynchronous call stacks, which makes run and lag longer. */
	asyncStackRuns: number;
}

/** What a stretch of a request's time went to: its own code, an operation that it waited for, the event loop that ran something else, or what is unknown. */
export type RequestStepKind = 'run' | 'wait' | 'blocked' | 'unknown';

/**
 * What part of a request's time went to one line: of a wait, the line that started the operation; of a run, the line behind whose operation the code ran; of
 * `blocked`, the line whose code blocked it. Times in ms; where they are only known within limits, `ms` lies in the middle.
 */
export interface RequestStep {
	kind: RequestStepKind;
	/** null where that is not known. */
	file: string | null;
	line: number | null;
	/** Public API name of the operation; empty where there is none. */
	op: string;
	class: OperationClass | null;
	ms: number;
	leastMs: number;
	mostMs: number;
}

/** The same added up over all requests of a route. */
export interface RequestPart extends RequestStep {
	/** Requests that had it on their way. */
	count: number;
	/** How often they had, in all: of a wait, the operations. */
	times: number;
}

/** One request whose duration was near its route's median; `ms` of its steps, which are in their order, add up to its duration. */
export interface TypicalRequest {
	pid: number;
	threadId: number;
	/** Since the start of the thread's journal, in ms. */
	startMs: number;
	durationMs: number;
	/** Limits of its duration, in ms: where the loop was busy, it is not known when it arrived. */
	leastMs: number;
	mostMs: number;
	steps: RequestStep[];
}

/**
 * The requests that one handler served: from when they arrived until the system had the last byte of the response. Only what led to the response
 * counts, the critical path: what went on beside it took no time of the request. `run`, `wait`, `blocked` and `unknown` add up to `duration`.
 */
export interface Route extends SourceLine {
	/**
	 * `http.Server request` or `http2.Server request`, with `, handler unknown` on the line that listens; of a queue's jobs, which are treated as requests, the queue and the job
	 * (`mail/welcome`); of work that the program names by an AsyncResource, that name.
	 */
	op: string;
	/** Requests whose response was finished. */
	count: number;
	/** Requests whose response is not finished yet. */
	pending: number;
	/** When the oldest of them had arrived, at the latest; null where none is pending. */
	oldestPending: Started | null;
	/** Requests whose connection or stream was closed before the response was finished, whoever closed it. They are in no other figure. */
	closedEarly: number;
	/** Requests a second, from the first one's arrival to the last one's end; null for fewer than two. */
	perSecond: number | null;
	duration: Split;
	/** Of `duration`, shortest first, at most 16 bars without gaps. */
	histogram: Bin[];
	run: Split;
	wait: Split;
	/** The operation that the request waited for was over, but the event loop ran something else. */
	blocked: Split;
	unknown: Split;
	/** What the time went to, the most first, at most 20. */
	parts: RequestPart[];
	typical: TypicalRequest;
	/**
	 * Above 1: one in this many requests was recorded, when fewest were, and the figures are those of the recorded
	 * ones.
	 */
	sampledOf: number;
}

/** The requests that one handler served when the response to none of them was finished. */
export interface UnansweredRoute extends SourceLine {
	/** As in `Route`. */
	op: string;
	/** Not over yet, or not when the program ended. */
	pending: number;
	/** As in `Route`. */
	oldestPending: Started | null;
	/** As in `Route`. */
	closedEarly: number;
}

/**
 * How a traced thread ended, as far as the journals show. Of those without a last record: `replaced` by another program in the same process
 * (`process.execve`); a Worker `terminated` by `terminate()`, or `memory-limit` where the program called none: it was at its limit
 * (`resourceLimits`); `worker-ended` where it is unknown which, or `process-exited` because its process did;
 * `stopped` by a person who ended the debug session; `killed` otherwise. `not-recorded` where the tracer had stopped before: it may have ended in any way.
 */
export type End =
	| 'exit'
	| 'killed'
	| 'memory-limit'
	| 'not-recorded'
	| 'process-exited'
	| 'replaced'
	| 'running'
	| 'stopped'
	| 'terminated'
	| 'truncated'
	| 'worker-ended';

/** How the tracer keeps promise events away (`on` means that it could not). */
export type PromiseHooks = 'off' | 'on';

/** One traced thread. */
export interface Process {
	pid: number;
	/** 0 when the parent was not traced. */
	parentPid: number;
	/** 0 for the main thread. */
	threadId: number;
	/** Path of its main script; empty where that is not known, or no file. */
	entry: string;
	/** `process.version` without the `v`. */
	node: string;
	libuv: string;
	platform: string;
	/** What the kernel does for the event loop there: `epoll` on Linux, `kqueue` on macOS, `IOCP` on Windows. */
	mechanism: string;
	/** Threads of the libuv pool that were in effect. */
	poolSize: number;
	/** Whether fs goes through io_uring; null when that is unknown. */
	ioUring: boolean | null;
	promiseHooks: PromiseHooks;
	durationMs: number;
	/**
	 * For how much of that time anything was recorded: where nothing else keeps the tracer within its budget, it rests for some of the time. What happened
	 * in a rest is estimated from what was recorded before it.
	 */
	recordedMs: number;
	end: End;
	/** For how long at most a Worker went on after its last record, in ms; null where that is not known, and where its end was recorded. */
	unrecordedMs: number | null;
	/** The signal that `killed` it, such as `SIGTERM`, where that is known: of the process that `waitline run` has started, and of one that a profiled process has started and saw end. */
	signal: string | null;
	/**
	 * The tracer's stage at the end, by which it stayed within its budget: 0 everything, 3 only a sample, 4 only for some of the time (see
	 * tracer/run/governor.ts).
	 */
	stage: number;
	/** Each change of it, at most the last 100. */
	stages: StageChange[];
}

/** The tracer went to another stage because of what it cost. */
export interface StageChange {
	/** Since the start of the thread's journal, in ms. */
	startMs: number;
	stage: number;
	/** The tracer's share of the time before, in percent. */
	costPercent: number;
}

/** A child process or a Worker that wrote no journal: another runtime, or an environment without the tracer. */
export interface Untraced {
	kind: 'process' | 'worker';
	/** Of the child process; 0 when not known, and the parent's for a Worker. */
	pid: number;
	/** 0 for a process. */
	threadId: number;
	parentPid: number;
}

/** One libuv thread pool: one per process, shared by its threads. */
export interface Pool {
	pid: number;
	size: number;
	/** Time during which work queued because every thread was taken, in ms: lower and upper limit. */
	saturatedMs: number;
	saturatedMostMs: number;
	/** Time during which name look-ups queued though a thread was idle: libuv lets only half of them look names up. In ms, at least. */
	lookupsQueuedMs: number;
	/** The most operations that queued at one moment: an upper limit where the loop was busy. */
	maxQueued: number;
	/**
	 * How much of the threads' time finished jobs took, in ms: lower and upper limit. The whole is `size` × the
	 * process's duration.
	 */
	occupiedMs: { low: number; high: number };
}

/** A stretch of `durationMs` ms during which one callback blocked the event loop. */
export interface Block {
	file: string;
	line: number;
	/** Since the start of the thread's journal, in ms. */
	startMs: number;
	durationMs: number;
	/**
	 * Operations that finished but had to wait for the end of the block, or may have, and connections that were accepted only
	 * then. Messages to a Worker are not counted, and neither is what nobody could see: data in sockets over which nothing
	 * was requested.
	 */
	delayed: number;
	/** Those of them that surely had to wait for it. */
	surelyDelayed: number;
	/**
	 * How long they waited for it, added up, in ms. Where that is only known within limits, `delayedMs` lies in the middle
	 * and serves for sorting; what is shown is the range.
	 */
	delayedMs: number;
	delayedLeastMs: number;
	delayedMostMs: number;
	/** Of `delayedMs`. */
	basis: Basis;
	/** The lines of those operations, the longest wait first, at most 10. */
	delays: Delay[];
	/**
	 * `gc` when at least half of it was garbage collection, `no-cpu` when the thread was ready and had no processor for at least half of it, and would else have run for less
	 * than a block: then no code blocked the loop.
	 */
	cause: 'code' | 'gc' | 'no-cpu';
	/** For how much of `durationMs` the thread had no processor, where that was half of it or more; else 0. */
	lostCpuMs: number;
	/** How much of `durationMs` was garbage collection, as far as it could be measured. */
	collectionMs: number;
	/** Whether it was the program's main script with all that it loads: start-up. */
	isStartUp: boolean;
	/** Whether there are stack samples of it that show what ran: V8 gives no stack while it collects garbage. */
	isSampled: boolean;
	/**
	 * What computed meanwhile, the most time of its own first, at most 8; then the user's code that had called it. Empty where there are no stack samples,
	 * or these found no function of the program or its libraries: then `line` is only the last wait before the block.
	 */
	culprits: Culprit[];
}

/** A function that ran while a thread was blocked, or that had called one; times are `estimated`, in ms. */
export interface Culprit extends SourceLine {
	/** Its name; empty for an anonymous one, and for a module's own code. */
	function: string;
	/** Spent in itself, or in code that is in no file: V8's and Node's own functions. */
	selfMs: number;
	/** Spent in itself and in what it had called. */
	totalMs: number;
	basis: Basis;
	/** Node's function that it had called for most of `selfMs`, such as `pbkdf2Sync`, or `RegExp`, a regular expression; `eval code` where the program has compiled what it had called, `RegExp in eval code` where that had called one; `JSON.parse`, `JSON.stringify` or `structuredClone`, where the line that ran calls it and nothing else of V8's; null where it ran itself, or another function of V8's. */
	api: string | null;
	/** Where no line and call of the function took most of `selfMs`: those that took a tenth of it or more, the longest first, with `line` among them; else empty. */
	lines: CulpritLine[];
	/** How much of `selfMs` was garbage collection. */
	collectionMs: number;
	/** Whether it is a library's; then `selfMs` is that of all functions of the package that were called from there, and this is the busiest. */
	isLibrary: boolean;
	/** The nearest of the user's functions that had called it; null where there is none. */
	calledFrom: (SourceLine & { function: string }) | null;
}

/** A part of what a function computed. */
export interface CulpritLine {
	line: number;
	/** As that of the function. */
	api: string | null;
	selfMs: number;
}

/** What a block cost the operations of one line. */
export interface Delay extends SourceLine {
	op: string;
	count: number;
	/** As `delayedMs` of the block, with its limits. */
	totalMs: number;
	leastMs: number;
	mostMs: number;
}

/**
 * Garbage collections that stopped one thread since its first operation. What V8 marks in steps between them counts as
 * the code's time, and collections of the loop's very last turn are unknown.
 */
export interface GarbageCollection {
	count: number;
	totalMs: number;
	maxMs: number;
}

/**
 * How long what was ready had to wait for the loop, in ms: sampled about 20 times a second while the program does
 * something, by a wait of the tracer's own. A sample is the duration of the callback in which the wait began, or the
 * time by which the loop was late to end it, whichever is longer. Such waits end on whole milliseconds, so a sample may
 * be 1 ms too short or too long.
 */
export interface LoopDelay {
	p50Ms: number;
	p99Ms: number;
	maxMs: number;
}

/** One event loop: one per thread. */
export interface Loop {
	pid: number;
	threadId: number;
	/** Share of the time that the loop was not idle, 0 to 1. */
	utilization: number;
	blocks: Block[];
	/** null when there are no samples. */
	delay: LoopDelay | null;
	/** null when it could not be measured. */
	gc: GarbageCollection | null;
}

/** Records, to the unit: emitted = decoded + dropped + lost. */
export interface Accounting {
	emitted: number;
	decoded: number;
	/** Not written by the tracer (quota, lost lease). */
	dropped: number;
	/** Written, but not readable any more. */
	lost: number;
	/**
	 * Threads that were ended before they could write their last records: the number of those records is unknown, so no
	 * other count includes them.
	 */
	cutShort: number;
}

/** Something about the recording that the reader should know before trusting the figures. */
export interface Warning {
	code:
		| 'started-late'
		| 'pool-size-too-late'
		| 'tracer-stopped'
		| 'promise-hooks-on'
		| 'async-stacks-on'
		| 'records-lost'
		| 'map-unreadable'
		| 'map-unknown';
	pid: number;
	/** Source line it belongs to, where there is one. */
	file: string | null;
	line: number | null;
	/** One English sentence. */
	message: string;
}

/** The numbers that led to each finding, by its code; names ending in `Ms` are ms, shares are 0 to 1. */
export interface Evidence {
	'pool-saturated': {
		poolSize: number;
		/** For certain, and the share of the recorded time that this is, and that it is at most. */
		saturatedMs: number;
		saturatedShare: number;
		saturatedMostShare: number;
		/** The share of all threads' time in the recorded time that jobs took, at least and at most. */
		occupiedShare: number;
		occupiedMostShare: number;
		maxQueued: number;
		queuedMs: number;
		/** How long the line that used the pool most executed meanwhile; null where it is not known what used it most. */
		holderMs: number | null;
		longestQueueMs: number;
	};
	'dns-starved': {
		count: number;
		queueMs: number;
		queueP95Ms: number;
		executeMs: number;
		holderMs: number;
		poolSize: number;
		lookupThreads: number;
		/** How long look-ups queued though a thread was idle, at least. */
		idleMs: number;
	};
	'loop-blocked': {
		blocks: number;
		blockedMs: number;
		/** Of the process' time, that for which one loop was blocked: of several threads, the one that was for longest. */
		share: number;
		longestMs: number;
		/** Operations that had to wait for the end of a block, counted once for each block; 0 where nothing that was recorded did. */
		delayed: number;
		/** Those of `delayed` that surely had to. */
		surelyDelayed: number;
		delayedMs: number;
		/** Blocks that were mostly garbage collection, and those of which there are stack samples. */
		byGc: number;
		sampled: number;
		/** How much of `blockedMs` was garbage collection. */
		collectionMs: number;
		/** Blocks of Workers' loops: what messages waited for one is on the lines that posted them, and not counted here. */
		inWorkers: number;
		/** Threads whose loops were blocked. */
		threads: number;
	};
	'pool-size-too-late': { effective: number; wanted: number };
	'sync-in-callback': {
		/** Operations whose callbacks call it, each with all its callbacks. */
		callbacks: number;
		runMs: number;
		/** How long all callbacks of one operation ran, at most. */
		longestRunMs: number;
	};
	'requests-blocked': {
		/** Requests that waited for callbacks of the line too short for a block, for how long they surely did in all, and the share of their time that this is. */
		requests: number;
		blockedMs: number;
		share: number;
		/** Half of the callbacks ran no longer than that. */
		runP50Ms: number;
	};
	'timers-late': {
		count: number;
		lateMs: number;
		meanLateMs: number;
		p95LateMs: number;
		maxLateMs: number;
		byBlocksMs: number;
		utilization: number;
		/** For how long the callbacks of these timers themselves ran, where these kept the loop busy, each for less than a block; null elsewhere. */
		ownRunMs: number | null;
	};
	'too-few-connections': {
		count: number;
		pending: number;
		waitMs: number;
		waitP95Ms: number;
		maxWaiting: number;
		askedMs: number;
		/**
		 * Shares of the connections' time meanwhile, 0 to 1: requests of the cause's line were under way, and connections were kept after one of these without
		 * another. Without a cause, those of the line itself; null where no line had most of the connections, or that is not known.
		 */
		usedShare: number | null;
		keptShare: number | null;
	};
	'leaked-connection': {
		/** Operations that wait for a connection, and for how long the first of them has waited. */
		waiting: number;
		waitedMs: number;
		/** Idle connections: nothing was asked over them for a while. Of these, those on which a response has begun and not been read to its end. */
		quiet: number;
		unread: number;
	};
	'agent-starved': {
		count: number;
		pending: number;
		waitMs: number;
		waitP95Ms: number;
		maxWaiting: number;
		askedMs: number;
		/** How much of `waitMs` the requests of one line had the sockets, and the longest time for which one of them did; null where none had most of it. */
		aheadMs: number | null;
		longestMs: number | null;
	};
	'earlier-command': {
		count: number;
		pending: number;
		waitMs: number;
		waitP95Ms: number;
		/** How much of `waitMs` the commands of one line had the connection, and the longest time for which one of them did. */
		aheadMs: number;
		longestMs: number;
		/** How long the command that is ahead has had no answer; the times above are then those of the commands that wait for it. 0 where it was answered. */
		unansweredMs: number;
	};
	'n-plus-one': {
		/** Requests in which the line asked, and how often it did so in all, and on average. */
		requests: number;
		times: number;
		perRequest: number;
		waitMs: number;
		/** Of the time of the route's requests. */
		share: number;
	};
	'awaits-together': {
		/** Awaits that could run at once, how often each ran, and how long they took in all, and the longest of them. */
		awaits: number;
		count: number;
		waitMs: number;
		longestMs: number;
	};
	'serial-loop': {
		/** Items that were waited for one after the other, and loops over them. */
		items: number;
		loops: number;
		/** Lines that were waited for in it; `waitMs` is that of all of them. */
		lines: number;
		waitMs: number;
	};
	'slow-reader': {
		count: number;
		pending: number;
		waitMs: number;
		waitP95Ms: number;
		/** Time in which at least one write waited, in ms, and its share of the process' time. */
		wallMs: number;
		share: number;
	};
	'unbounded-concurrency': {
		maxInFlight: number;
		count: number;
		waitP95Ms: number;
		/** Where the pool serves them. */
		poolSize?: number;
		queueP95Ms?: number;
		/** Where the event loop is the limit. */
		utilization?: number;
	};
}

/** Between which limits a figure of the evidence lies, in ms; the limits are equal where it was measured. */
export interface FigureRange {
	/** The figure's name. */
	figure: string;
	lowMs: number;
	highMs: number;
}

export type FindingCode = keyof Evidence;

/**
 * How much a finding matters, by its lost time as a share of its process' time: `high` from 20 %, `medium` from 5 %. In
 * the report of a program that runs, a level is left only below half of its share.
 */
export type Severity = 'high' | 'medium' | 'low';

/** A conclusion that a rule drew from the figures. */
export interface FindingOf<Code extends FindingCode> {
	code: Code;
	pid: number;
	/** Source line it belongs to, where there is one. */
	file: string | null;
	line: number | null;
	/** Public API name it is about, where there is one. */
	op: string | null;
	evidence: Evidence[Code];
	/**
	 * Limits of times of the evidence, and of `lostMs`, that come from figures which may be known only within limits: the evidence has a value
	 * in between.
	 */
	ranges: FigureRange[];
	/** How the times in the evidence came about: the weakest basis of the figures behind them. */
	basis: Exclude<Basis, 'unknown'>;
	/** The operation that had to wait most because of it, as far as is certain; null where that is the finding's own, or there is none. */
	victim: (SourceLine & { op: string }) | null;
	/**
	 * What made it wait most: an operation by its public API name, or a function, which may have no name, and the
	 * function of Node that it had called; null where that is unknown, or is the finding's own line.
	 */
	cause: (SourceLine & { name: string; api: string | null }) | null;
	/**
	 * Where that was a part of the code that blocked the loop: all parts of it that are worth a name, the longest first, with how long each computed,
	 * in ms; else empty.
	 */
	computed: (SourceLine & { name: string; api: string | null; ms: number })[];
	/**
	 * The time that it cost, in ms, by which findings are ranked: how long operations waited because of it; for code that
	 * blocked the loop, how long they certainly did, or how long it did, if that is longer; for a synchronous call, how long the callbacks around it ran; for waits that need not be one
	 * after another, what running them together would save; for too many operations at once, for how long any was under way. Else a sum over operations: more than the time that passed
	 * where several waited at once.
	 */
	lostMs: number;
	/**
	 * By how much the waits that come one after another would be shorter if they ran together, in ms, added up over all of them: an upper limit, since
	 * what runs at once may take longer. null where the figures do not show it.
	 */
	savesMs: number | null;
	severity: Severity;
	/** Only while a program runs: the figures no longer show it, and these are the last that did. */
	isPast: boolean;
	/** Other findings whose cause is the same line, with no effects of their own. */
	effects: Finding[];
	/** One English sentence with the evidence. */
	message: string;
}

/** A finding of any code: the code determines its evidence. */
export type Finding = { [Code in FindingCode]: FindingOf<Code> }[FindingCode];

/** Everything that one recording says. */
export interface Report {
	schema: 'waitline/report@2';
	processes: Process[];
	lines: Line[];
	/** Routes of the program's servers, the one first whose requests took the most time. */
	requests: Route[];
	/** Those of which no response was finished, and which therefore have no figures. */
	unanswered: UnansweredRoute[];
	pools: Pool[];
	loops: Loop[];
	warnings: Warning[];
	/** The gravest first, then that which cost most; one for each root cause. */
	findings: Finding[];
	untraced: Untraced[];
	accounting: Accounting;
}

/** The report of a session in which nothing was recorded yet. */
export const EMPTY_REPORT: Readonly<Report> = Object.freeze({
	schema: 'waitline/report@2',
	processes: [],
	lines: [],
	requests: [],
	unanswered: [],
	pools: [],
	loops: [],
	warnings: [],
	findings: [],
	untraced: [],
	accounting: { emitted: 0, decoded: 0, dropped: 0, lost: 0, cutShort: 0 },
});
