// The journal: what a traced thread writes and the engine reads. Both ends compile against this one file.
//
// A journal is a sequence of chunks, one for each flush. A chunk is a header of fixed width (little endian) and a
// payload of records. Chunks belong to generations: the first chunk of a generation starts with a `thread` record and
// the generation has its own string, position and site tables, so a reader that finds a damaged chunk continues at the
// next generation, and the counters in the headers show how many records it missed.
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
// A record is a tag byte and fields: `journal-records.ts` lists them.

/** Bytes `WLJ` and the format version 1, read as a little-endian u32. */
export const MAGIC = 0x014a4c57;
export const CHUNK_HEADER_BYTES = 40;

/**
 * A generation ends after this time or this many bytes, whichever comes first, so that damage never costs more than
 * that.
 */
export const GENERATION_MS = 1000;
export const GENERATION_BYTES = 256 * 1024;

/** Longest text field, in bytes; longer ones are cut. Script paths can be 4096 bytes long on Linux. */
export const TEXT_BYTES = 4096;

/** Largest payload that a reader accepts: a generation, and the one record that crossed its limit. */
export const PAYLOAD_BYTES = 2 * GENERATION_BYTES;

/**
 * The name of the global symbol under which a debugger leaves the folder for a tracer that it loads into a running
 * thread; it removes the symbol's value again when the tracer has started.
 */
export const ATTACH_FOLDER = 'waitline.folder';

/** The name of the global symbol under which the getter of `process.emit` carries a tracer's control (tracer/process/exit.ts). */
export const TRACER_MARK = 'waitline.tracer';

/**
 * What others can do with the tracer of their thread. Without an argument it is taken out: another copy takes its place. `true` stops its clock, because
 * a debugger is about to stop the thread, and `false` lets the clock go on.
 * @returns when the clock was stopped, in µs of hrtime, and for `false` how long the loop has slept since then on top; -1 when nothing has run since
 */
export type TracerControl = (isStill?: boolean) => number;

/**
 * The title of a console profile that the host begins and ends in a thread, of which V8 informs the sampler there: it ends its window
 * (tracer/stacks/cpu-profile.ts).
 */
export const WINDOW_TITLE = 'waitline ends its window';

/** Files in a session's folder. */
export const JOURNAL_SUFFIX = '.journal';
/**
 * The host touches this file while it lives. It contains the host's process id and, where the system shows it, when
 * that process began, so that a host that was stopped can be distinguished from one that is gone: `PID START` or `PID
 * `, where START is field 22 of proc(5)'s `stat`.
 */
export const LEASE_FILE = 'lease';
/** An older lease is invalid, unless its process still exists. */
export const LEASE_MS = 10_000;
/** What the tracer may take of the program's time unless WAITLINE_BUDGET says another percentage. */
export const DEFAULT_BUDGET_PERCENT = 2;
/** A tracer stops recording when its journal reaches this many bytes. */
export const QUOTA_BYTES = 512 * 1024 * 1024;

/**
 * A callback that blocks the loop for this long, in µs, is a block: people notice delays from about 50 ms (Chrome's
 * "long task" is the same).
 */
export const BLOCK_US = 50_000;

/** The id of the main script's run: async_hooks gives the bootstrap this one. */
export const MAIN_OPERATION = 1;

/** Precedes the type of an operation that an add-on started: it may be work of the pool, or not. */
export const ADDON_PREFIX = 'addon ';

/** The script of the function that starts a job of a queue: a library's name, as Node has no function for it. */
export const JOB_SCRIPT = 'bullmq';

/**
 * Ends the name of what a function on a sampled stack had called where code lies between that the program has compiled itself, which is in no file: by
 * `new Function` or `eval`, which V8 calls `eval` both.
 */
export const EVAL_CODE = 'eval code';

/** What an operation may start that has a journal of its own, or could have one. */
export const CHILD_KINDS = ['process', 'worker'] as const;

/** How promise events are kept away, in the order in which the tracer tries it. */
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
