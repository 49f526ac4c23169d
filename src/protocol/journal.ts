// The journal: what a traced thread writes and the engine reads. Both ends compile against this one file.
//
// A journal is a sequence of chunks, one for each flush. A chunk is a header of fixed width (little endian) and a payload
// of records. Chunks belong to generations: the first chunk of a generation starts with a `thread` record and the
// generation has its own string, position and site tables, so a reader that met a damaged chunk goes on at the next
// generation and knows from the counters in the headers how many records it missed.
//
//   offset  0  u32  magic, which carries the format version
//           4  u32  generation, from 0
//           8  u32  index of the chunk in its generation, from 0
//          12  u32  payload length in bytes
//          16  u32  records in the payload
//          20  f64  records written before this chunk since the journal began
//          28  f64  records dropped by the tracer before this chunk
//          36  u32  FNV-1a of bytes 4 to 35 and of the payload
//          40       payload
//
// A record is a tag byte and fields. `uint` is a LEB128 varint of up to 53 bits, `int` is a zigzag uint, `time` is an int:
// µs since the previous `time` field of the chunk (the first of a chunk: since the journal began), `op` is an int:
// the difference to the previous `op` field of the chunk, `text` is a uint byte length and UTF-8.

/** Bytes `WLJ` and the format version 1, read as a little-endian u32. */
export const MAGIC = 0x014a4c57;
export const CHUNK_HEADER_BYTES = 40;

/** A generation ends after so much time or so many bytes, so that damage never costs more than that. */
export const GENERATION_MS = 1000;
export const GENERATION_BYTES = 256 * 1024;

/** Longest text field, in bytes; longer ones are cut. Script paths can be 4096 bytes long on Linux. */
export const TEXT_BYTES = 4096;

/** Largest payload that a reader accepts: a generation, and the one record that crossed its limit. */
export const PAYLOAD_BYTES = 2 * GENERATION_BYTES;

/**
 * The name of the global symbol under which a debugger leaves the folder for a tracer that it loads into a running thread; it takes it
 * away again when the tracer has started.
 */
export const LATE_FOLDER = 'waitline.folder';

/** Files in a session's folder. */
export const JOURNAL_SUFFIX = '.journal';
/**
 * The host touches this file while it lives. It holds the host's process id and, where the system tells, when that process began, so that a host
 * that was stopped can be told from one that is gone: `PID START` or `PID `, where START is field 22 of proc(5)'s `stat`.
 */
export const LEASE_FILE = 'lease';
/** A lease that is older is nobody's, unless the process that holds it is there. */
export const LEASE_MS = 10_000;
/** What the tracer may take of the program's time unless WAITLINE_BUDGET says another percentage. */
export const DEFAULT_BUDGET_PERCENT = 2;
/** A tracer stops recording when its journal has so many bytes. */
export const QUOTA_BYTES = 512 * 1024 * 1024;

export const TAG = {
	/**
	 * About the thread, first in each generation. version uint, pid uint, parent pid uint, thread id uint, node text, libuv
	 * text, platform text, entry script text, journal began: hrtime µs uint, wall clock ms uint, promise hooks uint (see
	 * PROMISE_HOOKS), io_uring uint (0 unknown, 1 no, 2 yes), the system's id for the thread uint (0 unknown),
	 * whether garbage collections are told uint (0 no, 1 yes), whether the program ran before it was traced uint (0 no, 1 yes).
	 */
	thread: 1,
	/** A string of this generation: id uint, text. */
	string: 2,
	/** A source position: id uint, script string-id uint, line uint (1-based), column uint (1-based), function string-id uint. */
	position: 3,
	/** Who started an operation: id uint, user position uint (0 none), library position uint (0 none), API function
	 * string-id uint, API script string-id uint (both 0 when no function of Node stood between). */
	site: 4,
	/**
	 * An operation starts, or is told again because it is older than this generation. op, flags uint (START_FLAG), time of
	 * its start, type string-id uint, site uint (0 none), then as flagged: parent op (uint: op id less the parent's id),
	 * delay ms uint.
	 */
	start: 5,
	/**
	 * A top-level callback begins and ends the one before: op, time, flags uint (BEGIN_FLAG), idle growth µs uint, then as flagged: how
	 * much of the idle growth the thread may have waited for a CPU, µs uint.
	 */
	begin: 6,
	/**
	 * The callback of the last `begin` is over. time of its `after`, drain µs uint (busy time from there to the next
	 * callback), hint: site uint (0 none), the first user site that started something in it.
	 */
	end: 7,
	/** The callback of the last `begin` is the completion of this operation too, and its run belongs to it: op. */
	attribute: 8,
	/** A callback inside another: op, time of its begin, duration µs uint. */
	nested: 9,
	/** Pool size as libuv read it at the first submit: effective uint, latest value of the variable uint. */
	pool: 10,
	/** The tracer stops before its thread does: reason text. */
	stop: 11,
	/** The thread ends: time, idle time since the journal's begin µs uint. */
	exit: 12,
	/** A process above this thread's, told once, the nearest first: process id uint. */
	ancestor: 13,
	/** An operation has started a process or a Worker: op, kind uint (CHILD_KINDS), process or thread id uint. */
	child: 14,
	/** A garbage collection stopped the thread: time of its begin, duration µs uint. Comes in the loop's turn after it. */
	garbage: 15,
	/** Something that was ready had to wait so long for the loop: µs uint; looked at after so long, which it stands for: µs uint. */
	late: 16,
	/** The tracer does less, or more again: time, stage uint, one of so many operations per line is recorded uint, its cost before ‰ uint. */
	stage: 17,
	/** Operations that called back unrecorded: site uint, type string-id uint, one of so many was recorded uint, count uint. */
	unrecorded: 18,
	/** A tick or microtask that a line scheduled held the loop, HELD_US or longer, after the callback that runs: time of its begin, duration µs uint, site uint. */
	held: 19,
	/**
	 * A stack with which the thread was found while it blocked its loop, told right before the samples of the block: id uint (from 1, anew for each
	 * block), Node's function that the innermost frame had called string-id uint (0 none), frames uint, and for each of them, the innermost first:
	 * script string-id uint, function string-id uint, line and column uint (1-based) at which the function begins, whether it is a
	 * library's uint (0 no, 1 yes), lines that ran uint, and each of them uint, the likeliest first.
	 */
	stack: 20,
	/** So long the thread was found with that stack: time, duration µs uint, stack id uint, whether garbage was collected uint (0 no, 1 yes). */
	sampled: 21,
} as const;

/** What holds the loop so long, in µs, is a block: people notice delays from about 50 ms (and Chrome's "long task" is the same). */
export const HELD_US = 50_000;

/** The id of the main script's run: async_hooks gives the bootstrap this one. */
export const MAIN_OPERATION = 1;

/** Before the type of an operation that an add-on started: it may be work of the pool, and may not. */
export const ADDON_PREFIX = 'addon ';

export const START_FLAG = { parent: 1, delay: 2, repeat: 4, restated: 8 } as const;

/** What an operation may start that has a journal of its own, or cannot have one. */
export const CHILD_KINDS = ['process', 'worker'] as const;

/**
 * Whether the loop polled between a long callback and this one, where Node tells (see Node's `uvMetricsInfo`), and whether the
 * thread had to wait for a CPU.
 */
export const BEGIN_FLAG = { samePoll: 1, newPoll: 2, cpuWait: 4 } as const;

/** How promise events are kept away, as the tracer tried it. */
export const PROMISE_HOOKS = ['on', 'trackPromises', 'kNoPromiseHook', 'setPromiseHooks'] as const;

/** FNV-1a, 32 bits (draft-eastlake-fnv): enough to notice damage, cheap enough for the traced program. */
export function checksum(bytes: Uint8Array, from: number, to: number, seed = 0x811c9dc5): number {
	let hash = seed;
	for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
	return hash >>> 0;
}

/**
 * The size of libuv's pool for a value of UV_THREADPOOL_SIZE (src/threadpool.c): default 4, `atoi`, 0 becomes 1, and
 * negative ones, being unsigned there, become the most, 1024.
 */
export function poolSize(variable: string | undefined): number {
	if (variable === undefined) return 4;
	const number = Number.parseInt(/^\s*[+-]?\d+/.exec(variable)?.[0] ?? '0', 10);
	if (number === 0) return 1;
	return number < 0 || number > 1024 ? 1024 : number;
}
