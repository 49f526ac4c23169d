// A report continues from the one before. Whatever was requested in between, the same bytes give the same report; and
// what has not changed is not rebuilt.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import type { Resolve } from '../../../src/engine/common/place.ts';
import { JournalReader } from '../../../src/engine/journal/journal-reader.ts';
import { LineReport, type LineSource } from '../../../src/engine/report/line-report.ts';
import { SessionModel } from '../../../src/engine/session-model.ts';
import { ThreadModel } from '../../../src/engine/threads/thread-model.ts';
import { LEASE_FILE } from '../../../src/protocol/journal.ts';
import { START_FLAG, TAG } from '../../../src/protocol/journal-records.ts';
import type { Line, Report } from '../../../src/protocol/report.ts';
import { hasReader } from '../../../tracer/journal/lease.ts';
import { JournalWriter, zigzag } from '../../../tracer/journal/writer.ts';
import { random } from '../../support/random.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { Story } from '../../support/story.ts';
import { ThreadJournal } from '../../support/thread-journal.ts';

const TYPES = [
	'FSREQCALLBACK',
	'PBKDF2REQUEST',
	'Timeout',
	'GETADDRINFOREQWRAP',
	'TCPWRAP',
	'HTTPINCOMINGMESSAGE',
	'WORKER',
];
const CALLS = [
	['readFile', 'node:fs'],
	['pbkdf2', 'node:internal/crypto/pbkdf2'],
	['setTimeout', 'node:timers'],
	['lookup', 'node:dns'],
	['connect', 'node:net'],
] as const;
const SITES = 12;

/** Records of every kind about operations, in an order that no program would write: each may change any line. */
function nonsense(next: () => number, facts: { pid: number; threadId: number }, records: number): Uint8Array {
	const folder = scratchFolder('nonsense');
	writeFileSync(join(folder, LEASE_FILE), '');
	const file = join(folder, 'made.journal');
	const up = (limit: number) => Math.floor(next() * limit);
	const writer = new JournalWriter(
		file,
		() => hasReader(join(folder, LEASE_FILE)),
		(begun) => {
			begun.record(TAG.thread);
			for (const field of [1, facts.pid, 1, facts.threadId]) begun.uint(field);
			for (const field of ['24.0.0', '1.51.0', 'linux', '/app/main.js']) begun.text(field);
			for (const field of [up(5000), 0, 1, 1, 0, 1, 0]) begun.uint(field);
		},
	);
	const types = TYPES.map((name) => writer.string(name));
	for (let site = 1; site <= SITES; site++) {
		const [call, module] = CALLS[up(CALLS.length)]!;
		const [script, name, from] = ['/app/main.js', call, module].map((text) => writer.string(text));
		writer.record(TAG.position);
		for (const field of [site, script!, site, 5, 0]) writer.uint(field);
		writer.record(TAG.site);
		for (const field of [site, site, up(3) * up(site), name!, from!]) writer.uint(field);
	}
	let now = 0;
	let last = 2;
	const anyOp = () => Math.max(1, last - up(12));
	const writes: (() => void)[] = [
		() => {
			const [flags, type] = [up(8), types[up(types.length)]!];
			writer.record(TAG.start);
			writer.op(++last);
			writer.uint(flags);
			writer.time(now);
			for (const field of [type, up(SITES) + 1]) writer.uint(field);
			if (flags & 1) writer.uint(zigzag(up(4)));
			if (flags & 2) writer.uint(up(20));
		},
		() => {
			writer.record(TAG.begin);
			writer.op(anyOp());
			writer.time(now);
			for (const field of [up(4), up(2) * 100]) writer.uint(field);
		},
		() => {
			writer.record(TAG.end);
			writer.time(now + up(60_000));
			for (const field of [up(100), up(SITES)]) writer.uint(field);
		},
		() => {
			writer.record(TAG.attribute);
			writer.op(anyOp());
		},
		() => {
			writer.record(TAG.nested);
			writer.op(anyOp());
			writer.time(now);
			writer.uint(up(500));
		},
		() => {
			writer.record(TAG.unrecorded);
			for (const field of [up(SITES) + 1, types[up(types.length)]!, 10, up(30)]) writer.uint(field);
		},
		() => {
			writer.record(TAG.loopDelay);
			writer.uint(up(9000));
			writer.uint(up(200_000));
		},
		() => {
			writer.record(TAG.garbage);
			writer.time(now);
			writer.uint(up(9000));
		},
	];
	for (let i = 0; i < records; i++) {
		now += up(3000);
		writes[Math.min(up(12), up(writes.length))]!();
		if (up(30) === 0) writer.flush(null);
	}
	writer.flush(null);
	return readFileSync(file);
}

interface Piece {
	journal: string;
	bytes: Uint8Array;
}

/** All journals, in pieces that take turns; some end early. */
function piecesOf(next: () => number): Piece[] {
	const journals: Piece[] = [];
	const add = (pid: number, threadId: number, records: number) =>
		journals.push({ journal: `${pid}.${threadId}.0.journal`, bytes: nonsense(next, { pid, threadId }, records) });
	add(7, 0, 600);
	add(7, 1, 300);
	add(8, 0, 400);
	// More than are kept whole once they have ended.
	for (let pid = 100; pid < 140; pid++) {
		const journal = new ThreadJournal({ pid }).start(2, (pid % 9) + 1, 100).start(3, 4, 150);
		journals.push({ journal: journal.name, bytes: journal.callback(2, 5000 + pid).exit(10_000).bytes });
	}
	const pieces: Piece[] = [];
	const open = journals.map(({ journal, bytes }) => ({ journal, bytes, at: 0 }));
	while (open.length > 0) {
		const index = Math.floor(next() * open.length);
		const piece = open[index]!;
		const to = piece.at + 1 + Math.floor(next() * 700);
		pieces.push({ journal: piece.journal, bytes: piece.bytes.subarray(piece.at, to) });
		piece.at = to;
		if (piece.at >= piece.bytes.length) open.splice(index, 1);
	}
	return pieces;
}

/** The kinds of figures that there were to compare. */
function kindsIn({ lines, loops, findings }: Report): string[] {
	const kinds: Record<string, boolean> = {
		blocks: loops.some(({ blocks }) => blocks.length > 0),
		callers: lines.some(({ callers }) => callers.length > 1),
		findings: findings.length > 0,
		libraries: lines.some(({ libraries }) => libraries.length > 0),
		pending: lines.some(({ pending }) => pending > 0),
		sampled: lines.some(({ sampledOf }) => sampledOf > 1),
		typical: lines.some(({ typical }) => typical !== null),
	};
	return Object.keys(kinds).filter((kind) => kinds[kind]);
}

const resolve = ({ script, line }: { script: string; line: number }) =>
	// Two lines of the script come from one of the source, and one from nowhere.
	line === 5 ? null : { file: script, line: line === 3 ? 2 : line };

test('a report does not depend on those that were made before it', () => {
	const seen = new Set<string>();
	for (let seed = 1; seed <= 5; seed++) {
		const pieces = piecesOf(random(seed));
		const [often, fresh] = [new SessionModel(), new SessionModel()];
		// Another resolver is another report: nothing of the one before is used.
		const assertSame = (when: string) =>
			assert.deepEqual(
				often.report(resolve),
				fresh.report((place) => resolve(place)),
				`seed ${seed}, ${when}`,
			);
		for (const [i, { journal, bytes }] of pieces.entries()) {
			for (const model of [often, fresh]) {
				model.push(journal, bytes);
				// Some threads write their records only after the model has stopped waiting for them.
				model.lookAt(i * 30_000);
			}
			for (const kind of kindsIn(often.report(resolve))) seen.add(kind);
			if (i % 10 === 0) assertSame(`piece ${i}`);
		}
		for (const model of [often, fresh]) for (const { journal } of pieces) model.finish(journal, true);
		assertSame('the end');
	}
	assert.deepEqual([...seen].sort(), ['blocks', 'callers', 'findings', 'libraries', 'pending', 'sampled', 'typical']);
});

test('a report does not depend on the order in which the journals of its threads were read', () => {
	const next = random(6);
	const threads = [
		{ pid: 7, threadId: 0 },
		{ pid: 7, threadId: 1 },
		{ pid: 8, threadId: 0 },
		{ pid: 9, threadId: 0 },
	];
	const journals = threads.map((facts) => ({
		name: `${facts.pid}.${facts.threadId}.0.journal`,
		pieces: [nonsense(next, facts, 300)],
	}));
	const [forwards, backwards] = [journals, journals.toReversed()].map((ordered) => {
		const model = new SessionModel();
		model.load(ordered.map(({ name, pieces }) => ({ name, pieces: () => pieces })));
		return model;
	});
	assert.equal(forwards!.report(resolve).processes.length, threads.length);
	assert.deepEqual(backwards!.report(resolve), forwards!.report(resolve));
});

test('the lines of a session are the same whether those of its processes were added up before or not', () => {
	for (let seed = 1; seed <= 5; seed++) {
		const next = random(seed);
		const processes = [7, 8, 9].map((pid) =>
			[0, 1, 2].map((threadId) => {
				const model = new ThreadModel();
				const reader = new JournalReader(model);
				return { model, reader, bytes: nonsense(next, { pid, threadId }, 500) };
			}),
		);
		const [added, plain] = [new LineReport(), new LineReport()];
		const own = processes.map(() => new LineReport(false));
		// A report continues from the one before.
		for (const share of [0.3, 0.6, 1]) {
			for (const { reader, bytes } of processes.flat())
				reader.push(bytes.subarray(reader.received, bytes.length * share));
			const sums = new Map<LineSource, LineReport>();
			for (const [i, threads] of processes.entries()) {
				const models = threads.map(({ model }) => model);
				own[i]!.of(models, resolve);
				for (const model of models) sums.set(model, own[i]!);
			}
			// The threads of a process do not follow one another.
			const all = [0, 1, 2].flatMap((threadId) => processes.map((threads) => threads[threadId]!.model));
			const lines = (report: LineReport, sums?: ReadonlyMap<LineSource, LineReport>) =>
				report.of(all, resolve, sums).map(({ line }) => rounded(line));
			assert.deepEqual(lines(added, sums), lines(plain), `seed ${seed}, ${share}`);
		}
	}
});

/** Without what differs when figures are added up in another order. */
function rounded(line: Line): unknown {
	return JSON.parse(JSON.stringify(line), (_, value) =>
		typeof value === 'number' ? Number(value.toPrecision(12)) : value,
	);
}

test('what a Worker’s main script starts has it as the caller, though a report came before its file was known', () => {
	const { model } = new Story().start(1, 'MAIN', 0, 0).begin(1, 0).start(2, 'FSREQCALLBACK', 4, 1).end(2);
	const threads = (entry: string) => [
		{ facts: { ...model.facts!, entry }, lines: model.lines, poolSize: model.poolSize, pending: () => model.pending() },
	];
	const placed: Resolve = ({ script, line }) => (script === '' ? null : { file: script, line });
	const report = new LineReport();
	const callers = (entry: string) => report.of(threads(entry), placed)[0]!.line.callers;
	assert.deepEqual(callers(''), []);
	assert.deepEqual(callers('worker.js'), [{ file: 'worker.js', line: 1, op: '', count: 1 }]);
});

test('a line or a loop of which nothing new was recorded is the same object in the next report', () => {
	const [one, other] = [new ThreadJournal({ pid: 1 }), new ThreadJournal({ pid: 2 })];
	const model = new SessionModel();
	model.push('1', one.start(2, 10, 100).start(3, 11, 100).callback(2, 500).callback(3, 600).flush().bytes);
	const firstBytes = other.start(2, 20, 100).callback(2, 500).flush().bytes;
	model.push('2', firstBytes);
	const first = model.report(resolve);
	assert.deepEqual(
		first.lines.map(({ line }) => line),
		[10, 11, 20],
	);
	model.push('2', other.start(4, 20, 700).start(5, 15, 700).callback(4, 900).flush().bytes.subarray(firstBytes.length));
	const second = model.report(resolve);
	assert.deepEqual(
		second.lines.map((line) => [line.line, first.lines.includes(line)]),
		[
			[10, true],
			[11, true],
			[15, false],
			[20, false],
		],
	);
	assert.deepEqual(
		second.loops.map((loop) => first.loops.includes(loop)),
		[true, false],
	);
});

test('a library that comes to a line is in the next report', () => {
	const story = new Story();
	const { model } = story;
	for (const [id, text] of ['/app/main.js', '/app/lib.js', 'Timeout', 'setInterval', 'node:timers'].entries())
		model.string(901 + id, text);
	model.position(80, 901, 3, 1, 0);
	model.position(81, 902, 33, 1, 0);
	model.site(90, 80, 0, 904, 905);
	model.site(91, 80, 81, 904, 905);
	const recording = new SessionModel();
	recording.add('7.0.0.journal', model);
	const libraries = () => recording.report(resolve).lines.map((line) => line.libraries.length);
	model.start(2, START_FLAG.repeat, 0, 903, 90, 2, -1);
	story.callback(2, 1);
	assert.deepEqual(libraries(), [0]);
	// An interval is never pending, and two are no more at once than the line has had: nothing else of the line changes.
	model.start(3, START_FLAG.repeat, 1000, 903, 91, 3, -1);
	assert.deepEqual(libraries(), [1]);
});

test('another resolver is asked again for everything', () => {
	const model = new SessionModel();
	model.push('1', new ThreadJournal().start(2, 10, 100).callback(2, 500).flush().bytes);
	model.report(resolve);
	assert.deepEqual(
		model.report(() => ({ file: '/app/source.ts', line: 77 })).lines.map(({ file, line }) => [file, line]),
		[['/app/source.ts', 77]],
	);
});
