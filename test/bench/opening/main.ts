// How long a recording takes to open, until its report, strip and timeline are there, and how much memory, in the thread in which the editor opens it; and how long
// it then takes until single operations are there, by its index or by reading its journals (dist/ must be built). Prints Markdown.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { execute } from '../../support/process.ts';
import { OPEN } from '../engine/made-journal.ts';
import { saveMadeRecording } from '../engine/made-recording.ts';

const ROUNDS = 5;
const SIZES = [100_000, 1_000_000, 10_000_000];
const TARGET_SECONDS = 5;
const TARGET_MIB = 500;

interface Taken {
	seconds: number;
	cpuSeconds: number;
	/** Of the whole process, Node itself included. */
	mib: number;
}

interface Opening {
	opened: Taken;
	/** From the beginning, too. */
	detailed: Taken;
	/** Operations that the report counts, and single ones that the stretch has. */
	count: number;
	singles: number;
	accounting: { lost: number; dropped: number };
}

interface Result extends Pick<Opening, 'opened' | 'detailed'> {
	operations: number;
	journalMib: number;
	fileMib: number;
	/** Unpacked; null where it has none. */
	indexMib: number | null;
	saveSeconds: number;
}

const results: Result[] = [];
for (const operations of SIZES) results.push(await measure(operations));

const { opened, detailed } = results.at(-1)!;
const verdict = (isMet: boolean) => (isMet ? '(met)' : '(**missed**)');
const row = (title: string, figure: (result: Result) => string, target = '') =>
	`| ${title} | ${results.map(figure).join(' | ')} | ${target} |`;
console.log(
	[
		`In a thread of Node ${process.version}, as in the editor; medians of ${ROUNDS} processes. Opened: report, strip and all of the timeline are there, which come from the recording’s summary. Close: a stretch of 5 ms is there operation by operation, by the recording’s index, where it has one, else by reading its journals.`,
		'',
		`| | ${results.map((each) => `${each.operations.toLocaleString('en')} operations`).join(' | ')} | target for the last |`,
		`|---|${results.map(() => '---|').join('')}---|`,
		row('journal', ({ journalMib }) => `${journalMib.toFixed(0)} MiB`),
		row('recording', ({ fileMib }) => `${fileMib.toFixed(1)} MiB`),
		row('its index, unpacked', ({ indexMib }) => (indexMib === null ? 'none' : `${indexMib.toFixed(1)} MiB`)),
		row('saved in', ({ saveSeconds }) => `${saveSeconds.toFixed(1)} s`),
		row(
			'opened in',
			(result) => `${result.opened.seconds.toFixed(2)} s`,
			`≤ ${TARGET_SECONDS} s ${verdict(opened.seconds <= TARGET_SECONDS)}`,
		),
		row('CPU time of that', (result) => `${result.opened.cpuSeconds.toFixed(2)} s`),
		row(
			'most memory',
			(result) => `${result.opened.mib.toFixed(0)} MiB`,
			`≤ ${TARGET_MIB} MiB ${verdict(opened.mib <= TARGET_MIB)}`,
		),
		row('close after', (result) => `${result.detailed.seconds.toFixed(1)} s`),
		row('CPU time of that', (result) => `${result.detailed.cpuSeconds.toFixed(1)} s`),
		row(
			'most memory',
			(result) => `${result.detailed.mib.toFixed(0)} MiB`,
			`≤ ${TARGET_MIB} MiB ${verdict(detailed.mib <= TARGET_MIB)}`,
		),
	].join('\n'),
);

async function measure(operations: number): Promise<Result> {
	const { file, remove, ...made } = await saveMadeRecording(operations);
	const openings: Opening[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const { code, stdout, stderr } = await execute(process.execPath, [join(import.meta.dirname, 'open.ts'), file]);
		assert.equal(code, 0, stderr.toString());
		const opening = JSON.parse(stdout.toString()) as Opening;
		const { lost, dropped } = opening.accounting;
		assert.deepEqual([opening.count, lost, dropped], [operations - OPEN, 0, 0]);
		assert.ok(opening.singles > 100, `${opening.singles} single operations`);
		console.error(`${operations}: ${JSON.stringify(opening)}`);
		openings.push(opening);
	}
	remove();
	const middle = (figure: (opening: Opening) => number) => openings.map(figure).sort((a, b) => a - b)[ROUNDS >> 1]!;
	const takenOf = (which: 'opened' | 'detailed'): Taken => ({
		seconds: middle((each) => each[which].seconds),
		cpuSeconds: middle((each) => each[which].cpuSeconds),
		mib: middle((each) => each[which].mib),
	});
	return { operations, ...made, opened: takenOf('opened'), detailed: takenOf('detailed') };
}
