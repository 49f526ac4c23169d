// Who computed in a block, from its samples.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Place } from '../../../src/engine/common/place.ts';
import { culpritsOf } from '../../../src/engine/loop/culprits.ts';
import type { SampledFrame, SampledStack } from '../../../src/engine/loop/stack-samples.ts';

const MAIN = '/app/main.js';
const LODASH = '/app/node_modules/lodash/lodash.js';

/** The line of a function that V8 inlines. */
const INLINED = 90;
/** How many lines a function has. */
const LENGTH = 15;
/** Where functions begin that are given to what is called. */
const GIVEN = 8;
/** Where a class begins. */
const CLASS = 40;
/** A line that only calls a function. */
const ONLY_CALLS = 70;
/** A line that calls JSON.parse alone. */
const PARSES = 21;

function frame(
	name: string,
	line: number,
	{ lines = [], script = MAIN }: Partial<SampledFrame> & { script?: string } = {},
) {
	return { name, place: { script, line, column: 5 }, lines, isLibrary: script.includes('node_modules') };
}

/** @param stacks each with its ms @param collected ms of the block that were measured to be garbage collection */
function culpritsIn(
	stacks: [SampledFrame[], number, { api?: string; collection?: number }?][],
	{
		calls = {},
		isMain = false,
		imports = {},
		collected = 0,
	}: { calls?: Record<string, number>; isMain?: boolean; imports?: Record<string, Place>; collected?: number },
) {
	const times = stacks.map(([frames, ms, { api = '', collection = 0 } = {}]) => {
		const stack: SampledStack = { frames, api };
		return [stack, { us: ms * 1000, collectionUs: collection * 1000 }] as const;
	});
	return culpritsOf(
		{ stacks: new Map(times), duration: 100_000, collectedUs: collected * 1000, place: null, isMain },
		'/app/main.js',
		({ script, line }) => ({ file: script, line }),
		{
			runningLine: (_begin, called, [line = 0]) => calls[called] ?? line,
			isArgument: ({ line }) => line === GIVEN,
			isWithin: (begin, { line }) => line < begin.line + LENGTH,
			inlinedAt: (_begin, line) =>
				line === INLINED ? { name: 'distance', place: { script: MAIN, line: INLINED, column: 5 } } : null,
			columnIn: () => 0,
			originalName: (_begin, name) => name,
			isClass: ({ line }) => line === CLASS,
			builtInOn: ({ line }) => (line === PARSES ? 'JSON.parse' : ''),
			callsOnly: ({ line }) => line === ONLY_CALLS,
			importOf: (script) => imports[script] ?? null,
		},
	);
}

/** The culprits of a block of 100 ms; each stack with its ms. */
function culpritTexts(
	stacks: [SampledFrame[], number, { api?: string; collection?: number }?][],
	calls: Record<string, number> = {},
	isMain = false,
	imports: Record<string, Place> = {},
) {
	const culprits = culpritsIn(stacks, { calls, isMain, imports });
	return culprits.map(
		({ function: name, line, selfMs, totalMs, calledFrom, api, lines }) =>
			`${name}:${line} ${Math.round(selfMs)}/${Math.round(totalMs)}${api === null ? '' : ` in ${api}`}${lines.length === 0 ? '' : ` (${lines.map((part) => `:${part.line} in ${part.api} ${Math.round(part.selfMs)}`).join(', ')})`}${calledFrom === null ? '' : ` < ${calledFrom.function}:${calledFrom.line}`}`,
	);
}

test('the function that computed comes first, then the one that had called it', () => {
	const handler = frame('handler', 12);
	const stack = [frame('buildReport', 7, { lines: [9] }), handler];
	assert.deepEqual(culpritTexts([[stack, 40]], { buildReport: 14 }), [
		'buildReport:9 100/100 < handler:14',
		'handler:14 0/100',
	]);
});

test('a name that V8 has made up for a function without one is not shown, and one from an assignment is', () => {
	const given = [frame('crop', 4, { lines: [4] }), frame('Worker.connection.connection', GIVEN, { lines: [9] })];
	assert.deepEqual(culpritTexts([[given, 40]]), ['crop:4 100/100 < :9', ':9 0/100']);
	const assigned = [frame('crop', 4, { lines: [4] }), frame('exports.translate', 6, { lines: [7] })];
	assert.deepEqual(culpritTexts([[assigned, 40]]), [
		'crop:4 100/100 < exports.translate:7',
		'exports.translate:7 0/100',
	]);
});

test('what a field computes was called by who makes the object, where nobody has written a constructor', () => {
	const field = frame('Session', CLASS + 1);
	const made = [field, frame('Session', CLASS), frame('handler', 9)];
	assert.deepEqual(culpritTexts([[made, 40, { api: 'generateKeyPairSync' }]], { Session: 10 }), [
		`Session:${CLASS + 1} 100/100 in generateKeyPairSync < handler:10`,
		'handler:10 0/100',
	]);
});

test('of a function that V8 names after what it is, no name is shown', () => {
	const made = [frame('<instance_members_initializer>', 41, { lines: [41] }), frame('handler', 9)];
	assert.equal(culpritTexts([[made, 40]], { '<instance_members_initializer>': 10 })[0], ':41 100/100 < handler:10');
});

test('a function of V8’s is named where the line that ran calls it alone, and not where another line had called something', () => {
	const parsing = [frame('load', 20, { lines: [PARSES] }), frame('page', 30)];
	assert.deepEqual(culpritTexts([[parsing, 40]], { load: PARSES }), [
		`load:${PARSES} 100/100 in JSON.parse < page:${PARSES}`,
		`page:${PARSES} 0/100`,
	]);
	const reading = culpritTexts([[parsing, 40, { api: 'readFileSync' }]], { readFileSync: PARSES });
	assert.equal(reading[0], `load:${PARSES} 100/100 in readFileSync < page:30`);
});

test('what Node computed counts for the function that called it', () => {
	const stack = [frame('hash', 3), frame('login', 9)];
	assert.deepEqual(culpritTexts([[stack, 80, { api: 'pbkdf2Sync' }]], { pbkdf2Sync: 5, hash: 11 }), [
		'hash:5 100/100 in pbkdf2Sync < login:11',
		'login:11 0/100',
	]);
});

test('a library in a bundle of the user’s is a library all the same', () => {
	const BUNDLE = '/app/dist/bundle.js';
	const at = (name: string, column: number) => ({
		...frame(name, 1, { script: BUNDLE }),
		place: { script: BUNDLE, line: 1, column },
	});
	const [clone, assign, report] = [at('a', 100), at('b', 200), at('c', 900)];
	const times = new Map([
		[
			{ frames: [clone, assign, report], api: '' },
			{ us: 60_000, collectionUs: 0 },
		],
		[
			{ frames: [assign, report], api: '' },
			{ us: 40_000, collectionUs: 0 },
		],
	]);
	const culprits = culpritsOf(
		{ stacks: times, duration: 100_000, collectedUs: 0, place: null, isMain: false },
		'/app/main.js',
		({ column }) => (column < 900 ? { file: LODASH, line: column } : { file: '/app/src/main.ts', line: 7 }),
		{
			runningLine: () => 0,
			isArgument: () => false,
			isWithin: () => true,
			inlinedAt: () => null,
			columnIn: () => 0,
			originalName: (_begin, name) => name,
			isClass: () => false,
			builtInOn: () => '',
			callsOnly: () => false,
			importOf: () => null,
		},
	);
	assert.deepEqual(
		culprits.map(({ function: name, file, line, isLibrary, selfMs, calledFrom }) => [
			name,
			file,
			line,
			isLibrary,
			selfMs,
			calledFrom?.line,
		]),
		[
			['a', LODASH, 100, true, 100, 7],
			['c', '/app/src/main.ts', 7, false, 0, undefined],
		],
	);
});

test('what a nameless function inside a caller had called is on that function’s line, not on the caller’s first', () => {
	const stack = [frame('parse', 300, { script: LODASH }), frame('', 7), frame('formatRows', 6)];
	assert.deepEqual(culpritTexts([[stack, 80]]), ['parse:300 100/100 < formatRows:7', 'formatRows:7 0/100']);
});

test('a function of Node’s is shown by a name that programs know', () => {
	const stack = [frame('pack', 3)];
	assert.deepEqual(culpritTexts([[stack, 80, { api: 'syncBufferWrapper' }]], { syncBufferWrapper: 5 }), [
		'pack:5 100/100 in zlib',
	]);
});

test('a loop that reads a clock until it is time computes itself, on the line that reads it', () => {
	const stack = [frame('spin', 3)];
	for (const api of ['now', 'hrtime', 'hrtimeBigInt'])
		assert.deepEqual(culpritTexts([[stack, 80, { api }]], { [api]: 5 }), ['spin:5 100/100']);
});

test('a module’s own code was called where it is loaded', () => {
	const module = {
		...frame('', 1, { lines: [2], script: '/app/heavy.js' }),
		place: { script: '/app/heavy.js', line: 1, column: 1 },
	};
	assert.deepEqual(culpritTexts([[[module, frame('handler', 4)], 40]], { 'require(/app/heavy.js)': 5 }), [
		':2 100/100 < handler:5',
		'handler:5 0/100',
	]);
});

test('the functions of a package are one culprit for each function of the user that calls it', () => {
	const deep = (name: string, line: number) => [
		frame(name, line, { script: LODASH }),
		frame('cloneDeep', 900, { script: LODASH }),
		frame('copy', 4),
	];
	assert.deepEqual(
		culpritTexts(
			[
				[deep('baseClone', 20), 30],
				[deep('arrayEach', 50), 60],
			],
			{ cloneDeep: 6 },
		),
		['arrayEach:50 100/100 < copy:6', 'copy:6 0/100'],
	);
});

test('a library that computes without a function of the user’s on the stack', () => {
	assert.deepEqual(culpritTexts([[[frame('encipher', 20, { script: LODASH, lines: [33] })], 90]]), [
		'encipher:33 100/100',
	]);
});

test('of a program that is itself a package, the functions that computed are named, however many they are', () => {
	const compiler = (name: string, line: number) => frame(name, line, { script: LODASH });
	const main = compiler('', 1);
	const many = Array.from({ length: 30 }, (_, at): [SampledFrame[], number] => [
		[compiler(`f${at}`, 100 + at), main],
		60,
	]);
	const stacks: [SampledFrame[], number][] = [
		[[compiler('check', 20), main], 80],
		...many,
		[[compiler('once', 90), main], 20],
	];
	const texts = culpritTexts(stacks, {}, true);
	assert.deepEqual([texts.length, texts[0]], [8, 'check:20 4/4']);
	assert.ok(!texts.some((text) => text.startsWith('once')), 'one sample is chance');
	assert.equal(culpritTexts(stacks).length, 1, 'in a callback it is the package that computed');
	const user = frame('', 1);
	const loads = stacks.map(([frames, ms]): [SampledFrame[], number] => [[frames[0]!, user], ms]);
	assert.deepEqual(
		culpritTexts(loads, {}, true),
		['check:20 100/100 < :1', ':1 0/100'],
		'and where the user’s code loads it',
	);
});

test('two functions share a block, and what took hardly any time is left out', () => {
	const main = frame('', 1);
	assert.deepEqual(
		culpritTexts([
			[[frame('parse', 5), main], 60],
			[[frame('render', 9), main], 38],
			[[frame('log', 20), main], 2],
		]),
		['parse:5 60/60 < :1', 'render:9 38/38 < :1', ':1 0/100'],
	);
});

test('samples without a function leave the others their share', () => {
	assert.deepEqual(
		culpritTexts([
			[[frame('parse', 5)], 50],
			[[], 50],
		]),
		['parse:5 50/50'],
	);
});

test('a function without a name is a part of the one around it', () => {
	const stack = [frame('', 12, { lines: [12] }), frame('sorted', 11), frame('handler', 30)];
	assert.deepEqual(culpritTexts([[stack, 90]], { sorted: 31 }), ['sorted:12 100/100 < handler:31', 'handler:31 0/100']);
});

test('what one function had called for half of its time was said to have taken all of it', () => {
	const at = (line: number) => [frame('step', 5, { lines: [line] })];
	const texts = culpritTexts([
		[at(8), 55, { api: 'structuredClone' }],
		[at(10), 45, { api: 'pbkdf2Sync' }],
	]);
	assert.deepEqual(texts, ['step:8 100/100 (:8 in structuredClone 55, :10 in pbkdf2Sync 45)']);
	const mostly = culpritTexts([
		[at(8), 65, { api: 'structuredClone' }],
		[at(10), 35, { api: 'pbkdf2Sync' }],
	]);
	assert.deepEqual(mostly, ['step:8 100/100 in structuredClone']);
});

test('the time of a function that V8 had inlined was that of its caller', () => {
	const stack = (...lines: number[]) => [frame('digest', 5, { lines }), frame('onData', 30)];
	const texts = culpritTexts(
		[
			[stack(INLINED, 8), 60],
			[stack(8, INLINED), 40],
		],
		{ distance: 7, digest: 31 },
	);
	assert.deepEqual(texts, ['distance:90 60/60 < digest:7', 'digest:8 40/100 < onData:31', 'onData:31 0/100']);
});

test('a function that is given to a helper above it was a part of the helper', () => {
	// `login` gives it to `span`, which is written above.
	const stack = [frame('', 42, { lines: [42] }), frame('span', 3), frame('login', 41), frame('handler', 60)];
	assert.deepEqual(culpritTexts([[stack, 90]], { login: 61 }), ['login:42 100/100 < handler:61', 'handler:61 0/100']);
	// Nobody on the stack has it.
	const later = [frame('', 42, { lines: [42] }), frame('span', 3)];
	assert.deepEqual(culpritTexts([[later, 90]], {}), [':42 100/100 < span:3', 'span:3 0/100']);
});

test('a function of Node’s that is called as a property of every object is shown by its own name', () => {
	const stack = [frame('read', 3)];
	assert.deepEqual(culpritTexts([[stack, 80, { api: 'toString' }]], { toString: 5 }), ['read:5 100/100 in toString']);
});

test('an ES module is led back to the lines that import it, up to the script that was started', () => {
	const loaded = (script: string): SampledFrame => {
		return { name: '', place: { script, line: 1, column: 1 }, lines: [], isLibrary: script.includes('node_modules') };
	};
	const imports = {
		[LODASH]: { script: '/app/tools.js', line: 2, column: 0 },
		'/app/tools.js': { script: MAIN, line: 3, column: 0 },
	};
	const stack = [frame('', 5, { script: LODASH, lines: [9] }), loaded(LODASH)];
	assert.deepEqual(culpritTexts([[stack, 40]], {}, true, imports), [':9 100/100 < :2', ':2 0/100 < :3', ':3 0/100']);
	// A function that runs later was not called by the import.
	assert.deepEqual(culpritTexts([[[frame('later', 5, { script: LODASH, lines: [9] })], 40]], {}, false, imports), [
		'later:9 100/100',
	]);
});

test('a function that computes and calls another one is on the line where it computes', () => {
	const own = frame('report', 6, { lines: [10] });
	const helper = [frame('helper', 1, { lines: [3] }), frame('report', 6)];
	const stacks: Parameters<typeof culpritTexts>[0] = [
		[helper, 20],
		[[own], 60],
	];
	assert.deepEqual(culpritTexts(stacks, { helper: 7 }), ['report:10 75/100', 'helper:3 25/25 < report:7']);
});

test('the caller of a library is the line for which it computed longest, and a function that only calls is on that, too', () => {
	const [load, map] = [frame('load', 3, { script: LODASH }), frame('map', 5, { script: LODASH })];
	const loading = frame('parse', 30, { script: LODASH, lines: [31] });
	const mapping = frame('walk', 40, { script: LODASH, lines: [41] });
	const scrape = frame('scrape', 2);
	const stacks: Parameters<typeof culpritTexts>[0] = [
		[[loading, load, scrape], 30],
		[[mapping, map, scrape], 70],
	];
	assert.deepEqual(culpritTexts(stacks, { load: 4, map: 6 }), ['walk:41 100/100 < scrape:6', 'scrape:6 0/100']);
});

test('functions collected no more garbage than was measured in the block', () => {
	const collections = (collected: number) =>
		culpritsIn(
			[
				[[frame('build', 7)], 60, { collection: 60 }],
				[[frame('send', 20)], 40, { collection: 20 }],
			],
			{ collected },
		).map(({ collectionMs }) => Math.round(collectionMs));
	assert.deepEqual(collections(90), [60, 20]);
	assert.deepEqual(collections(40), [30, 10], 'each sample stands for some 20 ms, of which it may have been a part');
});

test('a function that V8 leaves out while it joins texts is found by the line that calls nothing else', () => {
	const caller = (line: number) => frame('send', 12, { lines: [line] });
	const stacks = (line: number, ...inner: SampledFrame[]): Parameters<typeof culpritTexts>[0] => [
		[[...inner, frame('toCsv', 20, { lines: inner.length > 0 ? [] : [22] }), frame('send', 12)], 30],
		[[caller(line)], 70, { collection: 40 }],
	];
	assert.deepEqual(culpritTexts(stacks(ONLY_CALLS), { toCsv: ONLY_CALLS }), [
		'toCsv:22 100/100 < send:70',
		'send:70 0/100',
	]);
	assert.deepEqual(culpritTexts(stacks(71), { toCsv: 71 })[0], 'send:71 70/100', 'it may do more than that');
	const deeper = culpritTexts(stacks(ONLY_CALLS, frame('quoted', 30, { lines: [31] })), {
		toCsv: ONLY_CALLS,
		quoted: 24,
	});
	assert.deepEqual(deeper.slice(0, 2), ['toCsv:20 70/100 < send:70', 'quoted:31 30/30 < toCsv:24']);
});
