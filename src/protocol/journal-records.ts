// The records of a journal: a tag and the fields of each, in the order in which they are written. The tracer's writer and the engine's decoder
// both go through these lists, so a field that is added here is written and read. Only the most frequent records are written number by number, for
// speed: `start`, `begin`, `end`, `attribute` and `nested` (tracer/journal/records.ts), and `stack` (tracer/stacks/block-samples.ts). How records lie in chunks is in `journal.ts`.
//
// A number is a LEB128 varint of up to 53 bits; one that may be negative is made positive first (zigzag). Times and
// durations are µs, and times are counted from when the journal began.

/** Names of records, and the byte that each begins with. */
export const TAG = {
	/** Describes the thread; the first record of each generation. */
	thread: 1,
	/** A string of this generation, to which other records refer by its id. */
	string: 2,
	/** A position in a script. */
	position: 3,
	/** Who started an operation. */
	site: 4,
	/** An operation starts, or is repeated because it is older than this generation. */
	start: 5,
	/** A top-level callback begins and ends the one before. */
	begin: 6,
	/** The callback of the last `begin` is over. */
	end: 7,
	/** The callback of the last `begin` is the completion of this operation too, and its run belongs to it. */
	attribute: 8,
	/** A callback inside another; for a served request, whose callback is over, that its response is finished. */
	nested: 9,
	/** Pool size as libuv read it at the first submit. */
	pool: 10,
	/** The tracer stops before its thread does. */
	stop: 11,
	/** The thread ends. */
	exit: 12,
	/** A process above this thread's; each is written once, the nearest first. */
	ancestor: 13,
	/** An operation has started a process or a Worker. */
	child: 14,
	/** A garbage collection stopped the thread. Comes in the loop's turn after it. */
	garbage: 15,
	/** Something that was ready had to wait for the loop. */
	loopDelay: 16,
	/** The tracer reduces its detail, or restores it. */
	stage: 17,
	/** Operations that called back unrecorded. */
	unrecorded: 18,
	/** A tick or microtask that a line scheduled blocked the loop, for BLOCK_US or longer, after the callback that runs. */
	tickBlock: 19,
	/** A stack that samples found while the thread blocked its loop, written right before the samples of the block. */
	stack: 20,
	/** A time during which samples found the thread with one stack. */
	sampled: 21,
	/** An operation that may call back any number of times never will again: the program has destroyed it, the connection of a served request or of a session of HTTP/2 is gone, or all of the response to an asked one has come. Of a Worker, which still calls back once: the program ends it by `terminate()`. */
	over: 22,
	/** The tracer's hooks are off for a while, or on again. */
	rest: 23,
	/** A router has called a handler of the user's, which starts something in the running callback: from then on the callback's request is that handler's. */
	handler: 24,
	/** A process that this one has started was ended by a signal. */
	killed: 25,
	/** What a request's handler itself did on the way to what was started first. Comes right behind the handler's site. */
	called: 26,
	/** For half or more of the run that ended just before, and blocked the loop, the thread was ready and had no CPU. */
	lostCpu: 27,
} as const;

/** A record's name in this file, and wherever records are shown. */
export type RecordName = keyof typeof TAG;

// The kinds of fields. Each is a constant of its own, because esbuild then inlines its value.

/** An operation's id: zigzag, the difference to the chunk's previous one. */
export const OP = 0;
/** µs since the journal began: zigzag, the difference to the chunk's previous time. */
export const TIME = 1;
/** The same for times that may be before the journal began. */
export const EARLY_TIME = 2;
/** The id of this record's operation less the parent's id, zigzag. When absent, the parent is the operation itself. */
export const PARENT = 3;
/** Bits that determine, among other things, which of the later fields are present. */
export const FLAGS = 4;
/** Length in bytes and UTF-8. */
export const TEXT = 5;
/** Threads of a pool, at least one. */
export const THREADS = 6;
/** Functions on a stack, the innermost first: how many, and the fields of FRAME for each. */
export const FRAMES = 7;
/** Lines, counted from 1: how many, and each. */
export const LINES = 8;
/** 1 for true. */
export const BOOLEAN = 9;
/** From here on plain numbers: the following kinds differ only in how large a number makes sense. */
export const UINT = 10;
/** Id of a string, 0 for none. */
export const STRING = 11;
/** Id of a position, 0 for none. */
export const POSITION = 12;
/** Id of a site, 0 for none. */
export const SITE = 13;
/** A duration in µs. */
export const DURATION = 14;
/** How often something happened, or one of how many. */
export const COUNT = 15;
/** Id of a process or thread. */
export const SYSTEM_ID = 16;
/** A line, a column, or the milliseconds of a timer. */
export const INT = 17;
/** hrtime in µs. */
export const CLOCK = 18;
/** Stage of the governor. */
export const STAGE = 19;
/** A share in ‰. */
export const PERMILLE = 20;
/** Index of CHILD_KINDS. */
export const CHILD_KIND = 21;

/**
 * Bits of a field that contain its kind; those above are the flags of which one must be set for the field to be
 * present.
 */
export const KIND_BITS = 5;
export const KIND_MASK = 31;

/** Flags of a `start`. `routed`: a handler starts it that a router has called, the one of the latest `handler` record. */
export const START_FLAG = { parent: 1, delay: 2, repeat: 4, restated: 8, routed: 16 } as const;

/**
 * Flags of a `begin`: whether the loop polled between a long callback and this one, where Node shows that (its
 * `uvMetricsInfo`), whether the thread had to wait for a CPU, and of a server's connection whether Node had stopped to read it until the program read what had come.
 */
export const BEGIN_FLAG = { samePoll: 1, newPoll: 2, cpuWait: 4, wasUnread: 8 } as const;

/** The fields of each record. */
export const FIELDS = {
	thread: {
		version: UINT,
		pid: SYSTEM_ID,
		parentPid: SYSTEM_ID,
		threadId: SYSTEM_ID,
		node: TEXT,
		libuv: TEXT,
		platform: TEXT,
		/** The entry script; empty where that is no file. */
		entry: TEXT,
		/** hrtime when the journal began, and the wall clock then, in ms since 1970. */
		beganUs: CLOCK,
		wallMs: UINT,
		/** Index of PROMISE_HOOKS. */
		promiseHooks: UINT,
		/** 0 unknown, 1 no, 2 yes. */
		ioUring: UINT,
		/** The system's id for the thread, 0 unknown. */
		tid: SYSTEM_ID,
		/**
		 * Whether collections are recorded, and whether the program was already running when the tracer was attached.
		 */
		seesGarbage: BOOLEAN,
		isAttached: BOOLEAN,
	},
	string: { id: STRING, text: TEXT },
	/** Lines and columns count from 1. */
	position: { id: POSITION, script: STRING, line: INT, column: INT, functionName: STRING },
	/** The user's position, the library's, and the function of Node's that was called. */
	site: { id: SITE, user: POSITION, library: POSITION, apiName: STRING, apiScript: STRING },
	/** `flags`: see START_FLAG. */
	start: {
		op: OP,
		flags: FLAGS,
		time: TIME,
		type: STRING,
		site: SITE,
		parent: PARENT | (START_FLAG.parent << KIND_BITS),
		/** Of a timer, ms. */
		delay: INT | (START_FLAG.delay << KIND_BITS),
	},
	/**
	 * `flags`: see BEGIN_FLAG; by how much the loop's idle time has grown, and how much of that the thread may have
	 * waited for a CPU.
	 */
	begin: {
		op: OP,
		time: TIME,
		flags: FLAGS,
		idle: DURATION,
		cpuWait: DURATION | (BEGIN_FLAG.cpuWait << KIND_BITS),
	},
	/** When the callback was over, how long the loop was busy from there to the next one, and the first user site that started something in it. */
	end: { after: TIME, drain: DURATION, hint: SITE },
	attribute: { op: OP },
	nested: { op: OP, time: TIME, duration: DURATION },
	/** The size in effect, and the latest value of the variable. */
	pool: { effective: THREADS, wanted: THREADS },
	stop: { reason: TEXT },
	/** `idle` since the journal began. */
	exit: { time: TIME, idle: DURATION },
	ancestor: { pid: SYSTEM_ID },
	child: { op: OP, kind: CHILD_KIND, id: SYSTEM_ID },
	garbage: { time: EARLY_TIME, duration: DURATION },
	/** How long it waited, and the time since the last such sample, which this one represents. */
	loopDelay: { delay: DURATION, standsFor: DURATION },
	/** The stage; every how many operations one is recorded, per line; what the tracer cost before. */
	stage: { time: TIME, stage: STAGE, every: COUNT, permille: PERMILLE },
	/**
	 * Whether the rest is over, and then for how long the loop slept since the callback before; how many async ids Node gave in the time that ends
	 * with this record: the rest, or what was recorded in one stage before it. 0 where that is unknown.
	 */
	rest: { time: TIME, isOver: BOOLEAN, idle: DURATION, ids: COUNT },
	/** One in `every` was recorded. */
	unrecorded: { site: SITE, type: STRING, every: COUNT, count: COUNT },
	tickBlock: { time: TIME, duration: DURATION, site: SITE },
	/** `id` counts from 1 in each block; `api` is Node's function that the innermost frame had called. */
	stack: { id: UINT, api: STRING, frames: FRAMES },
	/** `stack` is the id of one of the block's stacks. */
	sampled: { time: TIME, duration: DURATION, stack: UINT, isCollection: BOOLEAN },
	over: { op: OP, time: TIME },
	/** The handler's begin, and as its library the router's function that called it; whether the callback itself is over and its drain runs. */
	handler: { site: SITE, inDrain: BOOLEAN },
	/** The process and the signal's name. */
	killed: { pid: SYSTEM_ID, signal: STRING },
	/**
	 * Where it was, and where the user's function begins that it called there, 0 where it started something itself; the number of the request's route, 0 where
	 * that is unknown.
	 */
	called: { site: SITE, at: POSITION, begin: POSITION, route: COUNT },
	/** How long it had none. */
	lostCpu: { duration: DURATION },
} as const satisfies Record<RecordName, Record<string, number>>;

/** The fields of each of FRAMES: the function's script and name, where it begins, whose it is, and its lines that ran, the likeliest first. */
export const FRAME = {
	script: STRING,
	name: STRING,
	line: INT,
	column: INT,
	isLibrary: BOOLEAN,
	lines: LINES,
} as const;

/** A function on a sampled stack; its texts are ids of strings. */
export interface FrameFacts {
	script: number;
	name: number;
	line: number;
	column: number;
	isLibrary: boolean;
	lines: readonly number[];
}

/** The possible values of a field. */
export type FieldValue = number | string | boolean | readonly number[] | readonly FrameFacts[];

/** The type of a field's value by its kind. */
type ValueOf<Kind extends number> = Kind extends typeof TEXT
	? string
	: Kind extends typeof BOOLEAN
		? boolean
		: Kind extends typeof FRAMES
			? readonly FrameFacts[]
			: number;

/** The values of a record by its fields' names. */
export type ValuesOf<Name extends RecordName> = {
	readonly [Field in keyof (typeof FIELDS)[Name]]: ValueOf<(typeof FIELDS)[Name][Field] & number>;
};

/** A record's fields as lists. */
export interface Layout {
	readonly name: RecordName;
	readonly fields: readonly string[];
	/** Kinds, with the flags that each needs above KIND_BITS. */
	readonly kinds: readonly number[];
}

/** The layouts by tag; undefined where there is no such tag. */
export const LAYOUTS: readonly (Layout | undefined)[] = layouts();

function layouts(): (Layout | undefined)[] {
	const byTag: (Layout | undefined)[] = [undefined];
	for (const name of Object.keys(TAG) as RecordName[]) {
		byTag[TAG[name]] = { name, fields: Object.keys(FIELDS[name]), kinds: Object.values(FIELDS[name]) };
	}
	return byTag;
}
