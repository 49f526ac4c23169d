// `waitline report`: reads a recording.
import { reportOfFile } from '../host/recorded.ts';
import { annotatedReport } from './annotated-report.ts';
import type { ReportCommand } from './command-line.ts';
import { tryOutput, writeJson } from './outputs.ts';
import { terminalOf } from './terminal.ts';

/** @throws NotARecording, OutputError */
export async function printReport({ file, json }: ReportCommand): Promise<void> {
	await tryOutput(json);
	const { report, sources } = await reportOfFile(file);
	await writeJson(json, report);
	process.stdout.write(annotatedReport(report, terminalOf(process.stdout), sources));
}
