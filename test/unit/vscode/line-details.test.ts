// What the hover, the tooltips and the clipboard show of a line, from reports made by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { histogramBars } from '../../../src/protocol/histogram.ts';
import { type LifeStepName, type LifeStrings, lifeOf } from '../../../src/protocol/life.ts';
import type { LineFacts } from '../../../src/protocol/line-facts.ts';
import { mechanismOf } from '../../../src/protocol/mechanism.ts';
import type {
	Finding,
	Line,
	OperationClass,
	Process,
	Report,
	Split,
	TypicalOperation,
} from '../../../src/protocol/report.ts';
import type { ViewStrings } from '../../../src/protocol/webview.ts';
import { fillInline, plainMarkdown, writeBlocks } from '../../../src/vscode/common/rich-text.ts';
import {
	type DetailContext,
	type DetailStrings,
	detailActions,
	lineDetails,
} from '../../../src/vscode/details/line-details.ts';
import { groupsOf, MOST_LINES } from '../../../src/vscode/tree/waits-model.ts';
import { HOSTILE_CHARACTERS, hiddenIn } from '../../support/hidden-characters.ts';
import * as values from '../../support/report-values.ts';

const FILE = '/app/server.js';
const EDITED_LINE = 99;

/** Texts that name themselves, but for some. */
function texts<T extends object>(suffix: string, own: Partial<T> = {}): T {
	return new Proxy(own, {
		get: (target, key) => (target as Record<string | symbol, string>)[key] ?? `${String(key)}${suffix}`,
	}) as T;
}

const context: DetailContext = {
	view: texts<ViewStrings>('', { estimated: '± {0}' }),
	detail: texts<DetailStrings>(' {0} {1}'),
	life: texts<LifeStrings>(' ({0})'),
	findingText: ({ code }) => ({ title: code, evidence: 'evidence', weight: 'weight', explanation: 'explanation' }),
	fixOf: ({ code }) => (code === 'pool-size-too-late' ? 'fix' : undefined),
	isEdited: ({ line }) => line === EDITED_LINE,
	issue: (file) => ({ id: file === FILE ? 7 : 8, path: file, label: file.slice(file.lastIndexOf('/') + 1) }),
};

/** A part of four operations. */
function split(totalMs: number, basis: Split['basis'] = 'measured', uncertaintyMs = 0): Split {
	const atLeast = basis === 'unknown' ? { totalMs, p50Ms: 0, p95Ms: 0, maxMs: totalMs / 2, unknown: 1 } : null;
	const figures = { totalMs, p50Ms: totalMs / 4, p95Ms: totalMs / 2, maxMs: totalMs / 2 };
	return { ...figures, range: null, basis, uncertaintyMs, atLeast };
}

const TYPICAL: TypicalOperation = {
	pid: 1,
	threadId: 0,
	startMs: 5,
	waitMs: 12,
	queueMs: 4,
	executeMs: 6,
	lagMs: 2,
	runMs: 1,
	basis: 'estimated',
	uncertaintyMs: 0.5,
};

function line(parts: Partial<Line> = {}): Line {
	return values.line({
		file: FILE,
		line: 12,
		op: 'fs.readFile',
		count: 4,
		wait: split(40),
		queue: split(16, 'estimated', 2),
		execute: split(16),
		lag: split(0, 'unknown'),
		run: split(4),
		...parts,
	});
}

const LINUX = { pid: 1, threadId: 0, platform: 'linux', poolSize: 4, ioUring: false } as Process;

function report(parts: Partial<Report> = {}): Report {
	return values.report({ processes: [LINUX], lines: [line()], ...parts });
}

function facts(...entries: Line[]): LineFacts {
	return { file: FILE, line: 12, entries, blocks: [], warnings: [], routes: [], unanswered: [] };
}

const text = (of: LineFacts, from = report()) => plainMarkdown(lineDetails(of, from, context));

test('a line that was edited is marked so first', () => {
	assert.ok(text({ ...facts(line({ line: EDITED_LINE })), line: EDITED_LINE }).startsWith('edited {0} {1}'));
	assert.doesNotMatch(text(facts(line())), /edited/);
});

test('a split is a table with a basis in every row, and figures only where there are some', () => {
	const rows = text(facts(line()))
		.split('\n')
		.filter((row) => row.startsWith('|'));
	assert.deepEqual(rows, [
		'|  | columnMedian | columnP95 | columnMax | columnTotal | &nbsp;basis {0} {1} |',
		'| :-- | --: | --: | --: | --: | :-- |',
		'| columnWait | 10 ms | 20 ms | 20 ms | 40 ms |  measured {0} {1} |',
		'| &nbsp;&nbsp;columnQueue | ≈4 ms | ≈8 ms | ≈8 ms | ≈16 ms |  ± 2 ms |',
		'| &nbsp;&nbsp;columnExecute | 4 ms | 8 ms | 8 ms | 16 ms |  measured {0} {1} |',
		'| &nbsp;&nbsp;columnLag |  |  |  |  | unknown |',
		'| columnRun | 1 ms | 2 ms | 2 ms | 4 ms |  measured {0} {1} |',
	]);
});

test('a part that is unknown for some operations says what it takes at least, and for how many it is unknown', () => {
	const rows = text(facts(line({ lag: split(8, 'unknown') }))).split('\n');
	assert.ok(
		rows.includes('| &nbsp;&nbsp;columnLag | ? | ? | ≥4 ms | ≥8 ms |  partlyUnknown 1 4 |'),
		rows.filter((row) => row.includes('Lag')).join(),
	);
});

test('counts, pending operations and sampling are in the head', () => {
	const [head] = text(facts(line({ pending: 3, sampledOf: 16 }))).split('\n');
	assert.equal(head, '**fs.readFile** ×4 · class.threadpool · pending · sampled 16 {1} · underWay · atOnce');
});

test('a handler’s line says how many requests it has not answered, and for how long, with and without a finished response', () => {
	const thread = { ...LINUX, durationMs: 13_000 } as Process;
	const open = { pending: 3, oldestPending: { pid: 1, threadId: 0, startMs: 1000 }, closedEarly: 0 };
	const none = { file: FILE, line: 12, op: 'http.Server request', ...open };
	const view = { unanswered: '{0} unanswered', oldest: 'oldest {0}' };
	const said = (parts: Partial<LineFacts>) => {
		const own = { ...context, view: texts<ViewStrings>('', view) };
		const [head] = plainMarkdown(lineDetails({ ...facts(), ...parts }, report({ processes: [thread] }), own)).split(
			'\n',
		);
		return head;
	};
	assert.equal(said({ unanswered: [none] }), '**http.Server request** 3 unanswered · oldest 12 s');
	assert.equal(
		said({ routes: [values.route({ count: 4, ...open })] }),
		'**http.Server request** response · ×4 · 3 unanswered · oldest 12 s',
	);
});

test('a histogram has one bar per bin, gaps included, and a single operation always shows', () => {
	const bin = (count: number) => ({ fromMs: 0, toMs: 1, count });
	assert.equal(histogramBars([1, 0, 1000, 500, 125].map(bin)), '▁·█▄▁');
	assert.equal(histogramBars([]), '');
	const histogram = [
		{ fromMs: 0.5, toMs: 1, count: 1 },
		{ fromMs: 1, toMs: 2, count: 3 },
	];
	assert.match(text(facts(line({ histogram }))), /`▃█` histogram 500 µs 2 ms/);
});

test('waits for a connection take place in a library, without a run or a call of theirs', () => {
	for (const [op, names] of [
		['pool connection', ['askPool', 'poolGives', 'given']],
		['connection queue', ['askConnection', 'connectionTurn', 'sent']],
	] as const) {
		const steps = lifeOf(line({ op, class: 'other', typical: { ...TYPICAL, lagMs: null } }), LINUX);
		assert.deepEqual(
			steps.map(({ name, time }) => [name, time?.ms]),
			names.map((name, at) => [name, at === 1 ? TYPICAL.waitMs : undefined]),
		);
	}
});

test('a read lives in nine steps, each with its own time or none', () => {
	const steps = lifeOf(line({ typical: TYPICAL }), LINUX);
	const estimated = (ms: number) => ({ ms, basis: 'estimated', uncertaintyMs: 0.5 });
	assert.deepEqual(
		steps.map(({ name, detail, time }) => [name, detail, time]),
		[
			['call', 'fs.readFile', null],
			['binding', '', null],
			['submit', 'uv_fs_*', null],
			['queue', '', estimated(4)],
			['take', '', null],
			['execute', '', estimated(6)],
			['poolWake', 'eventfd, epoll_wait', null],
			['lag', '', estimated(2)],
			['callback', '', { ms: 1, basis: 'measured', uncertaintyMs: 0 }],
		],
	);
});

test('the steps differ per class, and what is not lag passed outside of the loop', () => {
	const timed = (of: OperationClass, parts: Partial<TypicalOperation> = {}) =>
		Object.fromEntries(
			lifeOf(line({ class: of, typical: { ...TYPICAL, queueMs: null, executeMs: null, ...parts } }), LINUX)
				.filter(({ time }) => time !== null)
				.map(({ name, time }) => [name, time!.ms]),
		);
	assert.deepEqual(timed('kernel'), { kernelWork: 10, lag: 2, callback: 1 });
	assert.deepEqual(timed('timer'), { timePasses: 10, lag: 2, callback: 1 });
	assert.deepEqual(timed('process'), { childRuns: 10, lag: 2, callback: 1 });
	assert.deepEqual(timed('worker'), { otherThread: 10, lag: 2, callback: 1 });
	assert.deepEqual(timed('io_uring'), { ringWork: 10, lag: 2, callback: 1 });
	assert.deepEqual(timed('loop'), { turn: 12, callback: 1 });
	// What is unknown is not shown.
	assert.deepEqual(timed('kernel', { lagMs: null }), { callback: 1 });
	assert.deepEqual(timed('threadpool', { basis: 'unknown' }), { callback: 1 });
});

test('the functions and the mechanism are those of the operation and the platform', () => {
	const detail = (op: string, step: LifeStepName, platform = 'linux', of: OperationClass = 'threadpool') =>
		lifeOf(line({ op, class: of }), { ...LINUX, platform }).find(({ name }) => name === step)?.detail;
	assert.equal(detail('dns.lookup', 'submit'), 'uv_getaddrinfo');
	assert.equal(detail('dns.lookupService', 'submit'), 'uv_getnameinfo');
	assert.equal(detail('crypto.pbkdf2', 'submit'), 'uv_queue_work');
	assert.equal(detail('FileHandle.read', 'submit'), 'uv_fs_*');
	assert.equal(detail('fs.stat', 'poolWake', 'win32'), 'PostQueuedCompletionStatus');
	assert.equal(detail('net.connect', 'register', 'darwin', 'kernel'), 'kevent');
	assert.equal(detail('net.connect', 'register', 'win32', 'kernel'), 'overlapped I/O');
	assert.deepEqual(
		['linux', 'darwin', 'win32', 'sunos', 'aix', 'haiku'].map((platform) => mechanismOf({ platform }).name),
		['epoll', 'kqueue', 'IOCP', 'event ports', 'pollset', 'poll'],
	);
});

test('io_uring is named only where it is in use', () => {
	const says = (process: Partial<Process>, parts: Partial<Line> = {}) =>
		text(facts(line(parts)), report({ processes: [{ ...LINUX, ...process }] })).includes('ioUring');
	assert.equal(says({ ioUring: true }), true);
	assert.equal(says({ ioUring: false }), false);
	assert.equal(says({ ioUring: null }), false);
	assert.equal(says({ ioUring: true }, { class: 'kernel' }), false);
});

test('no mechanism is named when the processes differ and none is the operation’s', () => {
	const processes = [LINUX, { ...LINUX, pid: 2, platform: 'win32' }];
	assert.doesNotMatch(text(facts(line()), report({ processes })), /mechanism/);
	assert.match(text(facts(line({ typical: { ...TYPICAL, pid: 2 } })), report({ processes })), /mechanism IOCP win32/);
});

test('callers, libraries and delays link to lines by issued numbers', () => {
	const links: string[] = [];
	const entry = line({
		callers: [{ file: '/app/main.js', line: 3, op: 'http.Server', count: 9 }],
		libraries: [{ file: '/app/node_modules/pg/client.js', line: 4 }],
	});
	const delays = [values.delay({ file: FILE, line: 12, count: 2, totalMs: 90, leastMs: 40, mostMs: 140 })];
	const block = values.block({ file: '/app/main.js', line: 20, delayed: 2, delayedMs: 90, basis: 'estimated', delays });
	const loops = [values.loop({ blocks: [block] })];
	const blocks = lineDetails(facts(entry), report({ loops }), context, detailActions(facts(entry), context));
	let shown = '';
	const keep = (value: string) => {
		shown += value;
	};
	writeBlocks(blocks, {
		data: keep,
		markdown: keep,
		link: (label, command, args) => links.push(`${label} ${command} ${JSON.stringify(args)}`),
	});
	assert.deepEqual(
		links.filter((link) => link.includes('openLine')),
		['main.js:3 waitline.openLine [8,3]', 'client.js:4 waitline.openLine [8,4]', 'main.js:20 waitline.openLine [8,20]'],
	);
	assert.match(shown, /delayedBy/);
	assert.match(shown, /inAll 40–140 ms/);
	assert.deepEqual(
		links.filter((link) => !link.includes('openLine')).map((link) => link.replace(/^[^[]*(?=waitline)/, '')),
		[
			'waitline.revealInPanel [7,12]',
			'waitline.filterToLine [7,12]',
			'waitline.filterToClass ["threadpool"]',
			'waitline.copyLine [7,12]',
		],
	);
});

test('findings of the line come first, with what can be done about them', () => {
	const finding = (code: Finding['code'], at: number): Finding => {
		// The text of a finding is made up here, whatever its evidence.
		const evidence = {} as Finding['evidence'];
		return { ...values.ANY_FINDING, file: FILE, line: at, code, evidence } as Finding;
	};
	const findings = [finding('pool-size-too-late', 12), finding('loop-blocked', 12), finding('timers-late', 13)];
	const first = text(facts(line()), report({ findings })).split('\n\n').slice(0, 3);
	assert.deepEqual(first, [
		'⚠ **pool-size-too-late** evidence whatToDo {0} {1} · fix',
		'⚠ **loop-blocked** evidence whatToDo {0} {1}',
		'**fs.readFile** ×4 · class.threadpool · underWay · atOnce',
	]);
});

test('a warning gives way to the finding of the same name', () => {
	const at = { pid: 1, file: FILE, line: 12, message: '' };
	const warned = { ...facts(line()), warnings: [{ code: 'pool-size-too-late' as const, ...at }] };
	const evidence = { effective: 4, wanted: 8 };
	const finding: Finding = { ...values.ANY_FINDING, code: 'pool-size-too-late', evidence, ...at };
	assert.match(text(warned), /^⚠ warning\.pool-size-too-late/);
	assert.doesNotMatch(text(warned, report({ findings: [finding] })), /warning\.pool-size-too-late/);
});

test('names from a program stay text in Markdown', () => {
	const evil = '[x](command:evil) | <b>`$(alert)` \n# no';
	const [head] = text(facts(line({ op: evil }))).split('\n');
	assert.equal(head!.slice(0, head!.indexOf(' ×')), '**\\[x\\](command:evil) \\| \\<b\\>\\`$(alert)\\` \\\\n# no**');
});

test('names from a program contain no invisible characters, neither on the clipboard nor in a hover', () => {
	const hostile = `a${HOSTILE_CHARACTERS.join('')}b`;
	const at = { file: `/app/${hostile}.js`, line: 12 };
	const entry = line({ ...at, op: hostile, callers: [{ ...at, op: hostile, count: 1 }], libraries: [at] });
	const calledFrom = { ...at, function: hostile };
	const culprits = [values.culprit({ ...at, function: hostile, api: hostile, calledFrom })];
	const block = values.block({
		...at,
		delays: [values.delay({ ...at, op: hostile, count: 2, totalMs: 90 })],
		culprits,
	});
	const hostileFacts: LineFacts = {
		...at,
		entries: [entry],
		blocks: [block],
		warnings: [],
		routes: [],
		unanswered: [],
	};
	const shown = text(hostileFacts, report({ loops: [values.loop({ blocks: [block] })] }));
	for (const place of ['calledFrom', 'through', 'delays', 'delayedBy']) assert.ok(shown.includes(place), shown);
	assert.ok(shown.split('\\\\u202e').length > 8, 'the names are there, spelled out');
	assert.deepEqual(hiddenIn(shown.replaceAll('\n', '')), []);
});

test('a block names what computed, and its caller', () => {
	const calledFrom = { file: FILE, line: 30, function: 'handler' };
	const culprits = [
		values.culprit({ file: FILE, line: 12, function: 'build', selfMs: 90, calledFrom, api: 'pbkdf2Sync' }),
	];
	const block = values.block({ file: '/app/main.js', line: 20, culprits });
	const shown = text({ file: FILE, line: 12, entries: [], blocks: [block], warnings: [], routes: [], unanswered: [] });
	assert.match(shown, /computed/);
	assert.match(shown, /build server\.js:12 → pbkdf2Sync · ≈90 ms · calledFrom .* handler server\.js:30/);
});

test('of a function that spent its time on several calls, each is named', () => {
	const lines = [
		{ line: 12, api: 'update', selfMs: 50 },
		{ line: 14, api: null, selfMs: 40 },
	];
	const culprits = [values.culprit({ file: FILE, line: 12, function: 'build', selfMs: 90, lines })];
	const block = values.block({ file: '/app/main.js', line: 20, culprits });
	const shown = text({ file: FILE, line: 12, entries: [], blocks: [block], warnings: [], routes: [], unanswered: [] });
	assert.match(shown, /build server\.js:12 · ≈90 ms \(:12 → update ≈50 ms, :14 ≈40 ms\)/);
});

test('a block without samples is described as code after this wait', () => {
	const block = values.block({ file: FILE, line: 12 });
	assert.match(
		text({ file: FILE, line: 12, entries: [], blocks: [block], warnings: [], routes: [], unanswered: [] }),
		/blockedAfter/,
	);
});

test('values go into the places of a text', () => {
	assert.deepEqual(fillInline('a {1} b {0}{2}', { data: 'x' }, 'y'), ['a ', 'y', ' b ', { data: 'x' }, '{2}']);
});

test('the tree groups by file or class, those first that were under way for longest', () => {
	const lines = [
		line({ file: '/b', line: 1, wallMs: 5 }),
		line({ file: '/a', line: 1, wallMs: 3, class: 'timer' }),
		line({ file: '/a', line: 2, wallMs: 9 }),
		line({ file: '/a', line: 3, wait: null }),
	];
	const shape = (grouping: 'file' | 'class', filter?: Parameters<typeof groupsOf>[2]) =>
		groupsOf(report({ lines }), grouping, filter).map(({ key, wallMs, lines }) => [
			key,
			wallMs,
			lines.map((each) => `${each.file}:${each.line}`),
		]);
	assert.deepEqual(shape('file'), [
		['/a', 12, ['/a:2', '/a:1', '/a:3']],
		['/b', 5, ['/b:1']],
	]);
	assert.deepEqual(shape('class'), [
		['threadpool', 14, ['/a:2', '/b:1', '/a:3']],
		['timer', 3, ['/a:1']],
	]);
	assert.deepEqual(shape('file', { file: '/b', line: 1 }), [['/b', 5, ['/b:1']]]);
	assert.deepEqual(shape('file', { class: 'timer' }), [['/a', 3, ['/a:1']]]);
});

test('a group of the tree is limited, and shows how many lines are beyond it', () => {
	const lines = Array.from({ length: MOST_LINES + 23 }, (_, index) => line({ line: index + 1, wait: split(index) }));
	const [group] = groupsOf(report({ lines }), 'file', undefined);
	assert.equal(group!.lines.length, MOST_LINES);
	assert.equal(group!.more, 23);
	assert.equal(group!.lines[0]!.line, MOST_LINES + 23);
});
