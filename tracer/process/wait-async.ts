// V8's wait for a time in the background. It keeps no process alive, and is no handle of the event loop.

/** TypeScript's libraries for Node 18 lack it; V8 has had it since 8.7. */
type WaitAsync = (cell: Int32Array, index: number, value: number, timeout: number) => { value: Promise<string> };

/** Undefined where V8 cannot wait in this way. */
export const waitAsync = (Atomics as unknown as { waitAsync?: WaitAsync } | undefined)?.waitAsync;
