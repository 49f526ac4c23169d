// The files of Node's tests that differ under the tracer, each with its reason. The suite fails when another one differs, and when one of
// these does not any more.

export interface Known {
	/** Path below `test/`. */
	file: string;
	/** The major versions in which it differs. */
	nodes: number[];
	/** Whether it differs only now and then, by chance of timing; then it may pass, too. */
	sometimes?: true;
	/**
	 * Whether a hook of async_hooks that does nothing is enough: then it differs by these, and not by us. any-hook.test.ts checks that, but for what
	 * differs only sometimes: `npm run test:nodecore -- 18 PART --tracer test/nodecore/faults/empty-hook.cjs` runs such a file with that hook.
	 */
	byAnyHook?: true;
	/** Why, and why that stays so. */
	reason: string;
}

/** How many may differ on one version by us, and not by any hook. What is not harmless is listed, and nothing else. */
export const MOST_KNOWN = 5;

export const known: Known[] = [
	{
		file: 'parallel/test-inspector-async-call-stack.js',
		nodes: [18, 20],
		byAnyHook: true,
		reason:
			"reads, with `--expose-internals`, Node's own count of hooks, which is 0 only while none is on. No program can read it.",
	},
	{
		file: 'parallel/test-inspector-contexts.js',
		nodes: [18, 20],
		reason:
			"takes the first execution context that is announced to a debugger for the program's: the realm in which the tracer runs is one, too.",
	},
	{
		file: 'parallel/test-inspector-scriptparsed-context.js',
		nodes: [18, 20],
		reason:
			'counts the execution contexts that are announced to a debugger: the realm in which the tracer runs is one.',
	},
	{
		file: 'parallel/test-timers-immediate-unref.js',
		nodes: [20],
		sometimes: true,
		reason:
			"expects that the loop ends before an unref'd immediate runs. The tracer wakes the loop by `Atomics.waitAsync`, and Node 20 and later close the timer behind it in one more turn of the loop: if that is the last, the immediate runs. V8's own delayed tasks do the same.",
	},
	{
		file: 'parallel/test-vm-measure-memory.js',
		nodes: [18, 20],
		reason: 'counts contexts by their memory: the realm in which the tracer runs is one.',
	},
	{
		file: 'parallel/test-vm-measure-memory-multi-context.js',
		nodes: [18, 20],
		reason: 'counts contexts by their memory, as test-vm-measure-memory.js does.',
	},
	{
		file: 'sequential/test-worker-fshandles-error-on-termination.js',
		nodes: [18],
		sometimes: true,
		byAnyHook: true,
		reason:
			'terminates a Worker while it starts file operations: Node 18 aborts (`FSReqPromise::SetReturnValue`) when that strikes in an init hook. With one that does nothing it did so in 3 of 40 runs.',
	},
	{
		file: 'sequential/test-worker-fshandles-open-close-on-termination.js',
		nodes: [18],
		sometimes: true,
		byAnyHook: true,
		reason:
			'terminates a Worker while it opens files, as test-worker-fshandles-error-on-termination.js does. With a hook that does nothing Node 18 aborted in 5 of 200 runs.',
	},
];
