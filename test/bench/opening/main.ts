// How long a recording of ten million operations takes to open, and how much memory, in the thread in which the editor opens it (dist/ must
// be built). Prints Markdown.
import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NO_NOTES } from '../../../src/host/session-notes.ts';
import { writeRecording } from '../../../src/host/write-recording.ts';
import { execute } from '../../support/process.ts';
import { random } from '../../support/random.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { MADE_JOURNAL, OPEN, writeMadeJournal } from '../engine/made-journal.ts';

const ROUNDS = 5;
const SIZES = [1_000_000, 10_000_000];
const TARGET_SECONDS = 5;
const TARGET_MIB = 500;

interface Opening {
	seconds: number;
	cpuSeconds: number;
	/** Of the whole process, Node itself included. */
	mib: number;
	/** Operations that the report counts. */
	count: number;
	accounting: { lost: number; dropped: number };
}

interface Result extends Opening {
	operations: number;
	journalMib: number;
	fileMib: number;
	writeSeconds: number;
}

const results: Result[] = [];
for (const operations of SIZES) results.push(await measure(operations));

const [few, many] = results as [Result, Result];
const verdict = (isMet: boolean) => (isMet ? '(met)' : '(**missed**)');
const row = (title: string, figure: (result: Result) => string, target = '') =>
	`| ${title} | ${figure(few)} | ${figure(many)} | ${target} |`;
console.log(
	[
		`In a thread of Node ${process.version}, as in the editor; medians of ${ROUNDS} processes.`,
		'',
		`| | ${few.operations / 1e6} M operations | ${many.operations / 1e6} M operations | target for ${many.operations / 1e6} M |`,
		'|---|---|---|---|',
		row('journal', ({ journalMib }) => `${journalMib.toFixed(0)} MiB`),
		row('recording', ({ fileMib }) => `${fileMib.toFixed(1)} MiB`),
		row('written in', ({ writeSeconds }) => `${writeSeconds.toFixed(1)} s`),
		row(
			'opened in',
			({ seconds }) => `${seconds.toFixed(1)} s`,
			`≤ ${TARGET_SECONDS} s ${verdict(many.seconds <= TARGET_SECONDS)}`,
		),
		row('CPU time of that', ({ cpuSeconds }) => `${cpuSeconds.toFixed(1)} s`),
		row('most memory', ({ mib }) => `${mib.toFixed(0)} MiB`, `≤ ${TARGET_MIB} MiB ${verdict(many.mib <= TARGET_MIB)}`),
	].join('\n'),
);

async function measure(operations: number): Promise<Result> {
	const folder = scratchFolder('opening');
	const journal = writeMadeJournal(folder, operations, random(operations));
	const file = join(folder, 'long.waitline');
	const from = performance.now();
	await writeRecording(file, folder, [MADE_JOURNAL], NO_NOTES, new Map());
	const writeSeconds = (performance.now() - from) / 1000;
	const openings: Opening[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const { code, stdout, stderr } = await execute(process.execPath, [join(import.meta.dirname, 'open.ts'), file]);
		assert.equal(code, 0, stderr.toString());
		const opening = JSON.parse(stdout.toString()) as Opening;
		const { lost, dropped } = opening.accounting;
		assert.deepEqual([opening.count, lost, dropped], [operations - OPEN, 0, 0]);
		console.error(`${operations}: ${opening.seconds.toFixed(1)} s, ${opening.mib.toFixed(0)} MiB`);
		openings.push(opening);
	}
	const middle = (figure: (opening: Opening) => number) => openings.map(figure).sort((a, b) => a - b)[ROUNDS >> 1]!;
	const result: Result = {
		...openings[0]!,
		operations,
		journalMib: statSync(journal).size / 2 ** 20,
		fileMib: statSync(file).size / 2 ** 20,
		writeSeconds,
		seconds: middle(({ seconds }) => seconds),
		cpuSeconds: middle(({ cpuSeconds }) => cpuSeconds),
		mib: middle(({ mib }) => mib),
	};
	rmSync(folder, { recursive: true });
	return result;
}
