// `waitline what-if`: reads a recording and replays its pool jobs under other conditions.
import type { WhatIf } from '../engine/what-if/what-if.ts';
import { fileKey, resolveFrom, styleOf } from '../host/common/file-paths.ts';
import { readBelow } from '../host/common/read-text.ts';
import { readRecording } from '../host/recordings/recording-file.ts';
import { WhatIfSource } from '../host/sessions/what-if-source.ts';
import type { WhatIfConditions, WhatIfProcess, WhatIfQuestion, WhatIfReport } from '../protocol/what-if.ts';
import { UsageError, type WhatIfCommand } from './command-line.ts';
import { keepApart, STDOUT, tryOutput, writeJson } from './outputs.ts';
import { terminalOf } from './terminal.ts';
import { whatIfText } from './what-if-text.ts';

/** @throws NotARecording, OutputError, UsageError */
export async function printWhatIf(command: WhatIfCommand): Promise<void> {
	await keepApart([command.file, command.json]);
	await tryOutput(command.json, 'report');
	const recording = await readRecording(command.file);
	const source = await WhatIfSource.of(recording, readBelow([process.cwd()]), command.recordedCores);
	const changed = changedLines(source.processes, command.changed);
	const report = predictionsOf(source, command, changed);
	await writeJson(command.json, report);
	if (command.json === STDOUT) return;
	process.stdout.write(whatIfText(report, terminalOf(process.stdout)));
}

/** A change of the processors or of a line alone is compared with the pool as it was. */
function predictionsOf(
	source: WhatIfSource,
	{ threads, cores }: WhatIfCommand,
	changed: WhatIfQuestion['changed'],
): WhatIfReport {
	const report = source.predict({ threads, cores, changed });
	if (threads !== null || (cores === null && changed.length === 0)) return report;
	const isAsIt = ({ conditions, recorded }: WhatIfProcess) => conditions.threads === recorded.threads;
	return { ...report, predictions: report.predictions.filter(isAsIt) };
}

/** The lines that were named, with the paths that the recording has. @throws UsageError */
function changedLines(processes: readonly WhatIf[], named: WhatIfCommand['changed']): WhatIfConditions['changed'] {
	const lines = processes.flatMap((process) => process.lines);
	return named.flatMap(({ file, line, percent }) => {
		const asked = resolveFrom(process.cwd(), file);
		// A file's name alone is enough.
		const isMeant = (path: string) =>
			(asked !== null && fileKey(path) === fileKey(asked)) || styleOf(path).basename(path) === file;
		const paths = new Set(lines.filter((each) => each.line === line && isMeant(each.file)).map((each) => each.file));
		if (paths.size === 0) {
			throw new UsageError(`No line ${file}:${line} in the recording uses the thread pool, so nothing would change.`);
		}
		return [...paths].map((path) => ({ file: path, line, percent }));
	});
}
