// Which thread this is. `node:worker_threads` would say so directly, but loading it costs a main thread 1.8 MiB and up
// to 8 ms, and most programs never need it.

/** Node marks what a Worker's process object cannot do (lib/internal/process/worker_thread_only.js, 18 to 26). */
const isWorker = (process.abort as { disabled?: boolean }).disabled === true;

const threads = isWorker ? (require('node:worker_threads') as typeof import('node:worker_threads')) : null;

export const isMainThread = !isWorker;

/** 0 for the main thread. */
export const threadId = threads?.threadId ?? 0;

/**
 * Whether this is a thread that Node runs for itself, such as the one of module hooks; Node 18 and 20 do not say so.
 */
export const isOfNode = (threads as { isInternalThread?: boolean } | null)?.isInternalThread === true;

/**
 * The port through which a Worker receives messages from its parent, which is older than the tracer; null in the main
 * thread.
 */
export const parentPort: object | null = threads?.parentPort ?? null;
