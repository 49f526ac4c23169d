// The report in a terminal: it fits every width, has colours only where asked, and at 80 columns looks as people saw
// it. `UPDATE_GOLDEN=1` rewrites the golden file.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { annotatedReport } from '../../../src/cli/annotated-report.ts';
import { EMPTY_REPORT, type Finding, type Report } from '../../../src/protocol/report.ts';
import { HOSTILE_CHARACTERS, hiddenIn } from '../../support/hidden-characters.ts';
import { root } from '../../support/paths.ts';
import {
	ANY_FINDING,
	block,
	culprit,
	delay,
	line,
	loop,
	process as processOf,
	route,
	split,
} from '../../support/report-values.ts';
import { Story } from '../../support/story.ts';

const GOLDEN = path.join(import.meta.dirname, 'golden', 'annotated-report.txt');

/** Two hashes on one thread, a timer that blocks, a read that may have been delayed: on lines of a real file. */
function sample(): Report {
	const story = new Story({ pool: 1 });
	for (const op of [2, 3]) {
		story.start(op, 'PBKDF2REQUEST', 8, 0, { api: ['pbkdf2', 'node:internal/crypto/pbkdf2'] });
	}
	story
		.start(4, 'Timeout', 3, 0, { api: ['setTimeout', 'node:timers'], delay: 120 })
		.callback(2, 100, { idle: 100, sync: 0.4 })
		.begin(4, 120, { idle: 19 })
		.start(5, 'FSREQPROMISE', 5, 120, { api: ['readFile', 'node:internal/fs/promises'] })
		.end(270)
		.callback(3, 270)
		.callback(5, 271)
		.start(6, 'FETCH', 5, 280, { api: ['fetch', 'node:internal/process/pre_execution'] })
		.start(7, 'ZLIBWRITE', 6, 280, { api: ['gzip', 'node:zlib'] })
		.callback(7, 300, { idle: 20 });
	story.model.exit(400_000, 200_000);
	const report = story.report();
	const file = path.join(import.meta.dirname, 'golden', 'program.cjs');
	for (const line of report.lines) {
		line.file = file;
		// As if work that no hook shows had used the pool too.
		if (line.op === 'zlib.gzip') for (const part of [line.queue, line.execute, line.lag]) part!.basis = 'unknown';
	}
	for (const block of report.loops.flatMap(({ blocks }) => blocks)) {
		for (const at of [block, ...block.delays]) at.file = file;
	}
	report.untraced.push({ kind: 'process', pid: 12, threadId: 0, parentPid: 7 });
	for (let threadId = 1; threadId <= 6; threadId++) {
		report.untraced.push({ kind: 'worker', pid: 7, threadId, parentPid: 7 });
	}
	report.warnings.push({ code: 'records-lost', pid: 7, file: null, line: null, message: 'A sentence for the reader.' });
	return report;
}

for (const columns of [40, 57, 80, 100, 200]) {
	test(`no line is longer than ${columns} columns`, () => {
		const text = annotatedReport(sample(), { columns, hasColours: false, isWhole: true });
		assert.deepEqual(
			text.split('\n').filter((line) => line.length > columns),
			[],
		);
		assert.equal(text.includes('\u001b'), false);
		for (const part of [
			'crypto.pbkdf2 ×2',
			'wait 370 ms',
			'execute 0–',
			'queue ?',
			'+1 pending',
			'delayed',
			'not traced: process 12',
		]) {
			assert.ok(text.replaceAll(/\s+/g, ' ').includes(part), `${part} is missing:\n${text}`);
		}
	});
}

test('colours take no room', () => {
	const plain = annotatedReport(sample(), { columns: 80, hasColours: false, isWhole: true });
	const painted = annotatedReport(sample(), { columns: 80, hasColours: true, isWhole: true });
	assert.notEqual(painted, plain);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
	assert.equal(painted.replaceAll(/\u001b\[\d+m/g, ''), plain);
});

/**
 * The same report with every text in it followed by everything that a terminal must not receive; lines of one file stay
 * lines of one file.
 */
function hostile<T>(value: T, key = ''): T {
	if (typeof value === 'string') return (KEPT.has(key) ? value : `${value}${HOSTILE}`) as T;
	if (Array.isArray(value)) return value.map((each) => hostile(each)) as T;
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hostile(each, name)])) as T;
}
const HOSTILE = `\u001b[31m${HOSTILE_CHARACTERS.join('')}`;
/** Fields whose values are the engine's own words. */
const KEPT = new Set(['schema', 'basis', 'cause', 'kind', 'end', 'promiseHooks', 'code', 'severity']);

for (const columns of [40, 80, 200, 100_000]) {
	test(`nothing from a program or a recording controls a terminal of ${columns} columns`, () => {
		const report = hostile(sample());
		const isFromDisk = true;
		const text = `\t${HOSTILE}\r`.repeat(20);
		const shown = annotatedReport(report, { columns, hasColours: false, isWhole: true }, () => ({ text, isFromDisk }));
		assert.deepEqual(hiddenIn(shown.replaceAll('\n', '')), []);
		assert.deepEqual(
			shown.split('\n').filter((line) => line.length > columns),
			[],
		);
		assert.match(shown, / \(from your disk\)$/m);
		if (columns < 1000) return;
		for (const name of ['crypto.pbkdf2', 'threadpool', 'program.cjs', 'A sentence for the reader.']) {
			assert.ok(shown.includes(`${name}\\x1b[31m\\x00`), `${name} is spelled out`);
		}
		const painted = annotatedReport(report, { columns, hasColours: true, isWhole: true }, () => ({ text, isFromDisk }));
		// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
		assert.equal(painted.replaceAll(/\u001b\[\d+m/g, ''), shown);
	});
}

test('the check notices a name that is printed as it is', () => {
	assert.notDeepEqual(hiddenIn(JSON.stringify(hostile(sample()))), []);
});

test('a text that is cut off does not end in half a character', () => {
	const report = sample();
	for (const line of report.lines) line.op = '😀'.repeat(100);
	for (let columns = 40; columns < 46; columns++) {
		assert.deepEqual(
			hiddenIn(annotatedReport(report, { columns, hasColours: false, isWhole: true }).replaceAll('\n', '')),
			[],
		);
	}
});

test('at 80 columns it is the golden text', () => {
	const cwd = process.cwd();
	process.chdir(root);
	try {
		const text = annotatedReport(sample(), { columns: 80, hasColours: false, isWhole: true });
		if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, text);
		if (text !== readFileSync(GOLDEN, 'utf8')) writeFileSync(`${GOLDEN}.actual`, text);
		assert.equal(text, readFileSync(GOLDEN, 'utf8'));
	} finally {
		process.chdir(cwd);
	}
});

const LATE = {
	code: 'timers-late' as const,
	evidence: {
		...{ count: 9, lateMs: 90, meanLateMs: 10, p95LateMs: 20, maxLateMs: 30 },
		...{ byBlocksMs: 0, utilization: 1, ownRunMs: null },
	},
};

test('a finding shows its line between two others, and what else has its cause', () => {
	const evidence = { callbacks: 1, runMs: 9, longestRunMs: 9 };
	const at = (line: number) => ({ ...ANY_FINDING, code: 'sync-in-callback' as const, evidence, file: '/p.js', line });
	const effect = { ...at(3), message: 'And so is this.' };
	const findings = [{ ...at(2), severity: 'high' as const, message: 'This is slow.', effects: [effect] }];
	const shown = (line: number, text: string | null, isFromDisk = false) => {
		const found = findings.map((finding) => ({ ...finding, line }));
		const all = annotatedReport(
			{ ...EMPTY_REPORT, findings: found },
			{ columns: 60, hasColours: false, isWhole: true },
			(file) => (file === '/p.js' && text !== null ? { text, isFromDisk } : null),
		);
		return all.slice(all.indexOf('Findings'), all.indexOf('\n\n  No line')).split('\n').slice(1);
	};
	const head = '  sync-in-callback (high): This is slow.';
	const rest = ['    → Use the asynchronous form.', '    also sync-in-callback: And so is this.'];
	const text = 'one();\n\ttwo();\n\nfour();';
	assert.deepEqual(shown(2, text), [head, '    /p.js:2', '      1  one();', '    > 2    two();', '      3', ...rest]);
	assert.deepEqual(shown(1, 'one();', true), [head, '    /p.js:1 (from your disk)', '    > 1  one();', ...rest]);
	assert.deepEqual(shown(9, text), [head, ...rest], 'another text ran');
	assert.deepEqual(shown(2, null), [head, ...rest], 'its text may not be shown');
});

test('where several processes have findings, each says which one it is about', () => {
	const evidence = { callbacks: 1, runMs: 9, longestRunMs: 9 };
	const values = { ...ANY_FINDING, code: 'sync-in-callback' as const, evidence, message: 'This is slow.' };
	const heads = (pids: number[], effects: Finding[] = []) => {
		const entry = '/app/main.js';
		const processes = [
			processOf({ pid: 7, entry }),
			processOf({ pid: 7, entry: '/app/job.js', threadId: 1 }),
			processOf({ pid: 8, entry }),
		];
		const report = { ...EMPTY_REPORT, processes, findings: pids.map((pid) => ({ ...values, pid, effects })) };
		const text = annotatedReport(report, { columns: 100, hasColours: false, isWhole: true }, () => null);
		return text.split('\n').filter((line) => line.includes('This is slow'));
	};
	assert.deepEqual(heads([7, 7]), Array(2).fill('  sync-in-callback (low): This is slow.'));
	assert.deepEqual(heads([8, 7]), [
		'  sync-in-callback (low), process 8 (main.js): This is slow.',
		'  sync-in-callback (low), process 7 (main.js): This is slow.',
	]);
	assert.deepEqual(heads([8], [{ ...values, pid: 7 }]), [
		'  sync-in-callback (low), process 8 (main.js): This is slow.',
		'    also sync-in-callback, process 7 (main.js): This is slow.',
	]);
});

test('late timers were the line to look at, though another one kept the loop busy', () => {
	const cause = { file: '/p.js', line: 1, name: 'setImmediate', api: null };
	const finding = { ...ANY_FINDING, ...LATE, severity: 'high' as const, file: '/p.js', line: 3, cause };
	const text = annotatedReport(
		{ ...EMPTY_REPORT, findings: [finding] },
		{ columns: 60, hasColours: false, isWhole: true },
		() => ({ text: 'chunk();\n\nsetInterval(beat);', isFromDisk: false }),
	);
	assert.match(text, /\n {4}\/p\.js:1\n {4}> 1 {2}chunk\(\);/);
});

test('a long report has some 60 lines: of everything what matters most, and how much is left out', () => {
	const file = (name: string) => `/app/${name}.js`;
	const lines = [...Array(90).keys()].flatMap((n) => {
		const values = { file: n < 30 ? file('node_modules/lib/index') : file('own'), line: n + 1, count: 9 };
		return ['fs.stat', 'fs.open', 'fs.read', 'fs.close'].map((op) =>
			line({ ...values, op, wait: split(n < 30 ? 5000 : n) }),
		);
	});
	const evidence = { callbacks: 1, runMs: 9, longestRunMs: 9 };
	const message = 'This is slow, and it takes more than a line in most terminals to say so in a sentence.';
	const finding = { ...ANY_FINDING, code: 'sync-in-callback' as const, evidence, file: file('own'), line: 31, message };
	const blocks = [...Array(20).keys()].map((n) => block({ line: n + 1, durationMs: 100 + n, delayed: 1 }));
	const report = {
		...EMPTY_REPORT,
		processes: [...Array(9).keys()].map((pid) => processOf({ pid: pid + 1 })),
		loops: [loop({ blocks })],
		findings: Array(12).fill(finding) as Finding[],
		requests: Array(9).fill(route({})) as Report['requests'],
		lines,
	};
	for (const columns of [80, 100, 160]) {
		const text = annotatedReport(report, { columns, hasColours: false, isWhole: false }, () => null);
		const count = text.split('\n').length;
		assert.ok(count > 40 && count <= 61, `${count} lines at ${columns} columns:\n${text}`);
		for (const left of [
			/and \d+ more findings/,
			/and \d+ more threads/,
			/and \d+ more lines/,
			/and 2 operations that took less/,
		]) {
			assert.match(text, left);
		}
		assert.match(text, /^ {2}31$/m, 'what a finding is about');
		if (columns === 160) assert.match(text, /^ {2}90$/m, 'what was under way for the longest time');
		assert.doesNotMatch(text, /node_modules/, 'the program’s own lines come first');
	}
	const whole = annotatedReport(report, { columns: 80, hasColours: false, isWhole: true }, () => null);
	assert.equal(whole.match(/This is slow/g)?.length, 12);
	assert.ok(whole.indexOf('own.js') < whole.indexOf('node_modules'));
	assert.doesNotMatch(whole, /--all/);
});

test('of operations that a block hardly delayed none is said to be the most affected', () => {
	const textOf = (delayedMs: number) => {
		const delays = [delay({ line: 5, count: 2, totalMs: delayedMs })];
		const report = { ...EMPTY_REPORT, loops: [loop({ blocks: [block({ delayed: 2, delayedMs, delays })] })] };
		return annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	};
	assert.match(textOf(0.4), /at least 2 operations delayed by less than 1 ms in total\n/);
	assert.match(textOf(40), /at least 2 operations delayed by 40 ms in total, most affected: fs\.readFile at /);
});

test('operations that wait for several blocks, one after the other, are not counted as several operations', () => {
	const delays = [delay({ line: 5, count: 2, totalMs: 40 })];
	const blocks = [block({ delayed: 2, delayedMs: 40, delays }), block({ delayed: 2, delayedMs: 40, delays })];
	const report = { ...EMPTY_REPORT, loops: [loop({ blocks })] };
	const text = annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	assert.match(text, /, operations delayed at least 4 times by 80 ms in total, most affected/);
});

test('blocks by different functions of one library, called from one line, are one code', () => {
	const calledFrom = { file: '/app/main.js', line: 7, function: 'formatRows' };
	const by = (name: string, durationMs: number, line = 7) => {
		const values = { file: '/app/node_modules/moment/moment.js', function: name, isLibrary: true, selfMs: durationMs };
		return block({ durationMs, culprits: [culprit({ ...values, calledFrom: { ...calledFrom, line } })] });
	};
	const textOf = (...blocks: Report['loops'][number]['blocks']) => {
		const report = { ...EMPTY_REPORT, loops: [loop({ blocks })] };
		return annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	};
	const one = textOf(by('parse', 100), by('format', 300), by('parse', 200));
	assert.match(
		one,
		/ {2}format and others of moment, called from formatRows \S*main\.js:7 {2}3 blocks: 600 ms in total/,
	);
	const two = textOf(by('parse', 100), by('parse', 200, 9));
	assert.match(
		two,
		/ {2}parse of moment, called from formatRows \S*main\.js:9 {2}200 ms, [^\n]*\n {2}parse of moment, called from formatRows \S*main\.js:7 {2}100 ms/,
	);
});

test('a library that blocked the loop with no wait before it is shown on a line of its own, not behind line 0 of no file', () => {
	const file = '/app/node_modules/mocha/lib/esm-utils.cjs';
	const culprits = [culprit({ file, line: 99, function: 'requireModule', isLibrary: true })];
	const loops = [loop({ blocks: [block({ file: '', line: 0, culprits })] })];
	const report = { ...EMPTY_REPORT, loops };
	const text = annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	assert.match(
		text,
		/requireModule of mocha, at \S*esm-utils\.cjs:99 {2}100 ms, nothing that was recorded in this thread had to wait/,
	);
});

test('requests of a program that was killed are not said to be not answered: it may have answered in its last moments', () => {
	const textOf = (end: Report['processes'][number]['end']) => {
		const open = { pending: 7, oldestPending: { pid: 1, threadId: 0, startMs: 900 } };
		const processes = [{ ...processOf({ pid: 1 }), end, durationMs: 1000 }];
		const report = { ...EMPTY_REPORT, processes, requests: [route(open)] };
		return annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	};
	assert.match(textOf('killed'), /\(\+7 without a recorded answer, the oldest for 100 ms\)/);
	assert.match(textOf('exit'), /\(\+7 not answered, the oldest for 100 ms\)/);
});

test('where only some requests were recorded, their number is a lower bound', () => {
	const textOf = (sampledOf: number) => {
		const report = { ...EMPTY_REPORT, requests: [route({ count: 8, sampledOf })] };
		return annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	};
	assert.match(textOf(1), / ×8 /);
	assert.match(textOf(3), / ×≥8 /);
});

test('the report does not advise to take stack samples where somebody asked for them, even where none were taken', () => {
	const times = {
		blockedMs: 100,
		share: 1,
		longestMs: 100,
		delayed: 1,
		surelyDelayed: 1,
		delayedMs: 100,
		collectionMs: 0,
	};
	const evidence = { ...times, blocks: 1, byGc: 0, sampled: 0, inWorkers: 0, threads: 1 };
	const finding: Finding = { ...ANY_FINDING, code: 'loop-blocked', evidence };
	const textOf = (asksForSamples: boolean) => {
		const printing = { columns: 200, hasColours: false, isWhole: false, asksForSamples };
		return annotatedReport({ ...EMPTY_REPORT, findings: [finding] }, printing, () => null);
	};
	assert.ok(!textOf(true).includes('run --sample'));
	assert.ok(textOf(false).includes('run --sample'));
});

test('start-ups of several threads with the same code are one entry', () => {
	const file = '/app/node_modules/ava/lib/base.js';
	const startUp = (selfMs: number) =>
		block({
			durationMs: selfMs + 10,
			isStartUp: true,
			delayed: 1,
			culprits: [culprit({ file, line: 170, function: '', selfMs, isLibrary: true })],
		});
	const loops = [1, 2].map((threadId) => loop({ threadId, blocks: [startUp(threadId * 1000)] }));
	const report = { ...EMPTY_REPORT, loops };
	const text = annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	assert.match(
		text,
		/start-up \(main script\) \(\S*base\.js:170 of ava ≈3 s\) {2}2 blocks: 3\.02 s in total, longest 2\.01 s/,
	);
});

test('what samples found in no file may be an add-on’s native code', () => {
	const report = { ...EMPTY_REPORT, loops: [loop({ blocks: [block({ isSampled: true })] })] };
	const text = annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	assert.match(
		text,
		/ {2}code in no file \(native, or of eval\), or lack of a processor, after the wait at \S*main\.js:3 {2}100 ms/,
	);
});

test('how busy the loop of a thread was whose end was not recorded is said of the time until then', () => {
	const head = (end: Report['processes'][number]['end']) => {
		const processes = [processOf({ end, durationMs: 80 })];
		const report = { ...EMPTY_REPORT, processes, loops: [loop({ utilization: 1 })] };
		return annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	};
	assert.match(head('terminated'), / · 80 ms to the last record · loop 100 % busy until then · ended by terminate\(\)/);
	assert.match(head('exit'), / · 80 ms · loop 100 % busy\n/);
});

test('for how long a Worker wrote nothing before it was ended is said, where that was long', () => {
	const head = (unrecordedMs: number | null, entry = '/app/job.js') => {
		const processes = [processOf({ pid: 7, threadId: 1, end: 'terminated', unrecordedMs, entry })];
		const report = { ...EMPTY_REPORT, processes };
		return annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	};
	assert.match(head(3160), / · ended by terminate\(\): what it did in its last 3\.16 s is unknown\n/);
	const pool = '/app/node_modules/piscina/dist/worker.js';
	assert.match(
		head(3160, pool),
		/its last 3\.16 s is unknown \(run with PISCINA_DISABLE_ATOMICS=1 to see its tasks\)\n/,
	);
	assert.match(head(40), /: what it did in its last moments is unknown\n/);
	assert.match(head(null), /: what it did in its last moments is unknown\n/);
});

test('a report without lines explains no figures', () => {
	const text = annotatedReport(EMPTY_REPORT, { columns: 200, hasColours: false, isWhole: false }, () => null);
	assert.match(text, /No line of the program waited for anything\.\n+$/);
});

test('the report of a program that only computed says how to see what took the time, unless that is shown', () => {
	const text = (values: Parameters<typeof loop>[0]) =>
		annotatedReport(
			{ ...EMPTY_REPORT, loops: [loop(values)] },
			{ columns: 200, hasColours: false, isWhole: false },
			() => null,
		);
	assert.match(text({}), /waited for anything\. It computed: profile with 'waitline run --sample' to see which/);
	assert.doesNotMatch(text({ utilization: 0.4 }), /--sample/);
	const work = culprit({ function: 'work', file: '/app/main.js', line: 7, selfMs: 1500 });
	const sampled = text({ blocks: [block({ isStartUp: true, isSampled: true, culprits: [work] })] });
	assert.doesNotMatch(sampled, /--sample/);
	assert.match(sampled, /start-up \(main script\) \(work \/app\/main\.js:7 ≈1\.5 s\)/);
	const package_ = { file: '/app/node_modules/typescript/lib/_tsc.js', isLibrary: true };
	const compiled = text({
		blocks: [block({ isStartUp: true, isSampled: true, culprits: [{ ...work, ...package_, function: 'bind' }] })],
	});
	assert.match(compiled, /\(bind \S+_tsc\.js:7 of typescript ≈1\.5 s\)/);
});

test('a recording of which nothing can be read says so, and not that nothing waited', () => {
	const message = '142 records of the recording could not be read. The figures are incomplete.';
	const report: Report = {
		...EMPTY_REPORT,
		warnings: [{ code: 'records-lost', pid: 0, file: null, line: null, message }],
		untraced: [{ kind: 'process', pid: 12, threadId: 0, parentPid: 7 }],
	};
	const text = annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	assert.match(text, /Nothing of the program could be read\./);
	assert.doesNotMatch(text, /waited for anything/);
	assert.match(text, /not traced: process 12 \(or what they recorded is missing\)/);
});

test('of causes of blocks that have no room, the text says how long they were', () => {
	const blocks = Array.from({ length: 40 }, (_, at) => block({ line: at + 1, durationMs: 1000 - at }));
	const report = { ...EMPTY_REPORT, loops: [loop({ blocks })], findings: [], lines: [line({})] };
	const text = annotatedReport(report, { columns: 60, hasColours: false, isWhole: false }, () => null);
	const found = /and (\d+) more causes, (\S+) s in total/.exec(text.replaceAll(/\s+/g, ' '));
	assert.ok(found, text);
	const [, count, total] = found;
	const left = blocks.slice(-Number(count)).reduce((sum, { durationMs }) => sum + durationMs, 0);
	assert.ok(Math.abs(Number(total) * 1000 - left) <= 50, text);
});

test('a part that is unknown for some operations says what the others take, and how many these are', () => {
	const wait = { ...split(927, 'unknown'), atLeast: { totalMs: 927, p50Ms: 0, p95Ms: 400, maxMs: 400, unknown: 1 } };
	const report = { ...EMPTY_REPORT, lines: [line({ op: 'posted message', class: 'worker', count: 4, wait })] };
	const text = annotatedReport(report, { columns: 200, hasColours: false, isWhole: false }, () => null);
	assert.match(text, /total: wait ≥927 ms \(1 unknown\)/);
	assert.doesNotMatch(text, /p50 ≥/);
	const mostly = { ...wait, atLeast: { ...wait.atLeast, p50Ms: 200 } };
	const known = { ...report, lines: [line({ op: 'posted message', class: 'worker', count: 40, wait: mostly })] };
	assert.match(
		annotatedReport(known, { columns: 200, hasColours: false, isWhole: false }, () => null),
		/p50 ≥200 ms {2}p95 ≥400 ms {2}max ≥400 ms/,
	);
	assert.match(text, /≥ at least, \? unknown/);
});
