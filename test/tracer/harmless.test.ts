// A program must not notice Waitline: the same bytes on stdout and stderr, error traces included, and the same end, bare
// and under `waitline run`, on every Node version. Each program here is run both ways and compared.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import type { Outcome, RunOptions } from '../support/process.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';
import { bare, traced } from '../support/waitline.ts';

interface Case {
	what: string;
	program: string;
	/** Node's options. */
	options?: string[];
	args?: string[];
	input?: Buffer;
	/** How the bare program ends, so that a program that fails to do its thing does not pass for a comparison. */
	ends: { code: number | null; signal: NodeJS.Signals | null };
	/** Something that the bare program prints, for the same reason. */
	says: RegExp;
}

const well = { code: 0, signal: null };
const fails = { code: 1, signal: null };

const cases: Case[] = [
	{ what: 'CommonJS', program: 'everyday.cjs', ends: well, says: /^6 key .*\n7 something/m },
	{ what: 'an ES module', program: 'everyday.mjs', ends: well, says: /^4 stream/m },
	{ what: 'process.exit() at once', program: 'exit-at-once.cjs', ends: well, says: /^leaving with 0$/m },
	{ what: 'exit code 7', program: 'exit-code-7.cjs', ends: { code: 7, signal: null }, says: /seven/ },
	{
		what: 'an error in a callback',
		program: 'throws.cjs',
		ends: fails,
		says: /TypeError: planted\n {4}at .*afterStat/,
	},
	{ what: 'an error after an await', program: 'throws.mjs', ends: fails, says: /RangeError: planted\n {4}at inner/ },
	{ what: 'an unhandled rejection', program: 'rejects.cjs', ends: fails, says: /Error: planted\n {4}at later/ },
	{
		what: 'rejections that its options make errors of, handled',
		program: 'handles-rejections.cjs',
		options: ['--unhandled-rejections=strict'],
		ends: well,
		says: /^uncaught second(.|\n)*^uncaught fourth(.|\n)*^the end$/m,
	},
	{
		what: 'a program that does not exist',
		program: 'no-such-program.cjs',
		ends: fails,
		says: /Cannot find module .*no-such-program/,
	},
	{ what: 'SIGTERM to itself', program: 'kills-itself.cjs', ends: { code: null, signal: 'SIGTERM' }, says: /farewell/ },
	{ what: 'a forked child', program: 'forks.cjs', ends: well, says: /^parent: child ended with 3 null$/m },
	{ what: 'a worker thread', program: 'worker.cjs', ends: well, says: /^main got: thread 1, no error$/m },
	{
		what: 'a megabyte through stdin',
		program: 'echoes.cjs',
		input: randomBytes(2 ** 20),
		ends: well,
		says: /1048576 bytes/,
	},
	{ what: 'an empty stdin', program: 'echoes.cjs', ends: well, says: /^0 bytes$/m },
	{ what: 'a look around itself', program: 'looks-around.cjs', ends: well, says: /without a mark/ },
	{ what: 'a context kept across awaits', program: 'keeps-context.cjs', ends: well, says: /in a callback: context/ },
	{ what: 'zlib', program: 'unpacks.cjs', ends: well, says: /^write 0 false.*\n.*Z_DATA_ERROR(.|\n)*at .*zlib/m },
	{
		what: 'a socket',
		program: 'talks.cjs',
		ends: well,
		says: /^writeBuffer writeBuffer 0 false(.|\n)*bytes, latin Error/m,
	},
	{ what: 'stack traces', program: 'traces.cjs', ends: well, says: /after an await/ },
	{
		what: 'code that its time limit ends',
		program: 'runs-out-of-time.cjs',
		ends: well,
		says: /timed out after 5ms true/,
	},
	{ what: 'a `then` of the program', program: 'replaces-then.cjs', ends: well, says: /^then was used 0 times$/m },
	{
		what: 'ten listeners of its end',
		program: 'leaves-loudly.cjs',
		ends: well,
		says: /^emit \[ 0 \](.|\n)*^the end$/m,
	},
	{
		what: 'hidden globals and broken modules',
		program: 'hides-globals.cjs',
		ends: well,
		says: /^34 are hidden(.|\n)*^the end$/m,
	},
	{ what: 'a program that plays a browser', program: 'plays-a-browser.cjs', ends: well, says: /^a rejection\ndone$/m },
	{
		what: 'calls that fail in native code',
		program: 'fails-natively.cjs',
		ends: well,
		says: /^key pair, unknown cipher: throws .*/m,
	},
	{
		what: 'hooks of its own',
		program: 'listens-to-promises.cjs',
		ends: well,
		says: /^init Timeout\n(.|\n)*^resolve PROMISE$/m,
	},
	{
		what: 'promise hooks of V8',
		program: 'hooks-promises.cjs',
		ends: well,
		says: /^init\n(.|\n)*^settled\n(.|\n)*^\d\d? events$/m,
	},
	{
		what: 'stacks after a time limit',
		program: 'runs-out-of-time-in-captures.cjs',
		ends: well,
		says: /^Error was changed 0 times$/m,
	},
	{ what: 'hardened built-ins', program: 'hardens-error.cjs', ends: well, says: /^null true Error: own$/m },
	{
		what: 'an observer of collections',
		program: 'observes-collections.cjs',
		ends: well,
		says: /^heard of collections from before: false, since: true$/m,
	},
	{
		what: 'iterators that are watched',
		program: 'watches-iterators.cjs',
		// Without a collection: Node 20 itself iterates over an array for each collection that is observed.
		options: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
		ends: well,
		says: /^\{"arrays":\d+,.*"sets":0,"steps through sets":0\}$/m,
	},
	{
		what: 'arrays without an iterator, and a collection',
		program: 'removes-iterator.cjs',
		ends: well,
		says: /^none is left\ncollected 5 times$/m,
	},
	{ what: 'an Error that is watched', program: 'watches-error.cjs', ends: well, says: /^\d+ reads, 0 writes$/m },
	{
		what: 'arguments with spaces, quotes and an option of ours',
		program: 'everyday.cjs',
		args: ['--json', 'a b', '"', '--', '$HOME'],
		ends: well,
		says: /^6 key/m,
	},
];

/** Both outcomes as text where they are text, so that a difference can be read. */
function readable({ code, signal, stdout, stderr }: Outcome) {
	return { code, signal, stderr: stderr.toString(), stdout: stdout.toString('latin1') };
}

async function compare(
	node: NodeBuild,
	{ program, options: nodeOptions = [], args = [], input, ends, says }: Case,
): Promise<void> {
	const command = [...nodeOptions, join(tracerPrograms, program), ...args];
	const options: RunOptions = { input };
	const without = await bare(node, command, options);
	assert.deepEqual({ code: without.code, signal: without.signal }, ends, `bare: ${without.stderr}`);
	assert.match(`${without.stdout}${without.stderr}`, says, 'bare');
	const under = await traced(node, command, options);
	assert.deepEqual(readable(under), readable(without));
}

describe('unnoticed', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			for (const one of cases) it(one.what, () => compare(node, one));
		});
	}
});
