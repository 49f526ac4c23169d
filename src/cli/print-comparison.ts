// `waitline compare`: reads recordings of a program before and after a change, and says which lines became slower.
import { type ComparedRun, compareRuns } from '../engine/compare/comparison.ts';
import { readBelow } from '../host/common/read-text.ts';
import { readRecording } from '../host/recordings/recording-file.ts';
import { comparedRun } from '../host/sessions/compared-run.ts';
import type { CompareCommand } from './command-line.ts';
import { comparisonText } from './comparison-text.ts';
import { keepApart, STDOUT, tryOutput, writeJson } from './outputs.ts';
import { terminalOf } from './terminal.ts';

/** @throws NotARecording, OutputError */
export async function printComparison({ before, after, isWhole, json }: CompareCommand): Promise<void> {
	for (const file of [...before, ...after]) await keepApart([file, json]);
	await tryOutput(json, 'report');
	const comparison = compareRuns(await runsOf(before), await runsOf(after));
	await writeJson(json, comparison);
	if (json === STDOUT) return;
	process.stdout.write(comparisonText(comparison, terminalOf(process.stdout), isWhole));
}

/** One after the other: each recording may be as large as memory allows. */
async function runsOf(files: readonly string[]): Promise<ComparedRun[]> {
	const runs: ComparedRun[] = [];
	for (const file of files) runs.push(await comparedRun(await readRecording(file), readBelow([process.cwd()])));
	return runs;
}
