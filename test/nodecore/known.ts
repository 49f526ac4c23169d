// The files of Node's tests that differ under the tracer, each with its reason. The suite fails when another one differs, and when one of
// these does not any more.

export interface Known {
	/** Path below `test/`. */
	file: string;
	/** The major versions in which it differs. */
	nodes: number[];
	/** Whether it differs only now and then, by chance of timing; then it may pass, too. */
	sometimes?: true;
	/** Why, and why that stays so. */
	reason: string;
}

/** What is not harmless yet is listed, and nothing else. The aim is 5: the list must not grow, and this number falls with it. */
export const MOST_KNOWN = 8;

export const known: Known[] = [
	{
		file: 'parallel/test-inspector-async-call-stack.js',
		nodes: [18, 20],
		reason:
			"reads, with `--expose-internals`, Node's own count of hooks, which is 0 only while nobody has one on. No program can read it.",
	},
	{
		file: 'parallel/test-performanceobserver.js',
		nodes: [18, 20],
		reason:
			"reads, with `--expose-internals`, Node's own count of who observes collections, and we do. No program can read it.",
	},
	{
		file: 'parallel/test-performance-gc.js',
		nodes: [18, 20],
		reason:
			'hears of a collection that came before its own observer was there: ours had Node queue it, and Node hands what is queued to all observers.',
	},
	{
		file: 'parallel/test-fs-promises-readfile.js',
		nodes: [18, 20],
		sometimes: true,
		reason:
			"replaces, with `--expose-internals`, the native fstat below `fs`, by which each flush makes sure that the journal's descriptor is still ours.",
	},
	{
		file: 'parallel/test-repl-autocomplete.js',
		nodes: [20],
		reason: 'takes the iterator of arrays away, with which Node builds the entries of our observer of collections.',
	},
	{
		file: 'parallel/test-promise-unhandled-error.js',
		nodes: [20],
		reason:
			"promises have no async ids without promise hooks, and Node 20.19 takes them for ids where a strict rejection's error is handled; 20.20 does not.",
	},
	{
		file: 'parallel/test-worker-terminate-source-map.js',
		nodes: [18, 20],
		sometimes: true,
		reason:
			'terminates a Worker in the midst of our hooks; what V8 leaves half done there surfaces as an error of the Worker.',
	},
	{
		file: 'sequential/test-worker-fshandles-error-on-termination.js',
		nodes: [18],
		sometimes: true,
		reason:
			'terminates a Worker while it starts file operations: Node 18 aborts when that strikes in any init hook, and the longer the hook, the likelier.',
	},
];
