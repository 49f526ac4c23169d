// `waitline report`: reads a recording. It may come from anyone and name any file of this machine: what is shown comes
// out of the recording, or from files below the current directory.
import { type ReadText, readBelow } from '../host/common/read-text.ts';
import { reportOfFile } from '../host/sessions/report-source.ts';
import type { Report } from '../protocol/report.ts';
import { annotatedReport } from './annotated-report.ts';
import type { ReportCommand } from './command-line.ts';
import { keepApart, STDOUT, tryOutput, writeJson } from './outputs.ts';
import type { ShownText } from './shown-text.ts';
import { terminalOf } from './terminal.ts';

/** @throws NotARecording, OutputError */
export async function printReport({ file, json, isWhole }: ReportCommand): Promise<void> {
	await keepApart([file, json]);
	await tryOutput(json, 'report');
	const read = readBelow([process.cwd()]);
	const { report, sources } = await reportOfFile(file, read);
	await writeJson(json, report);
	if (json === STDOUT) return;
	const texts = await textsOf(report, sources, read);
	const printing = { ...terminalOf(process.stdout), isWhole };
	process.stdout.write(annotatedReport(report, printing, (name) => texts.get(name) ?? null));
}

/** The texts of the files whose lines are shown, by path, without those that are not available. */
async function textsOf(
	{ lines, findings }: Report,
	carried: ReadonlyMap<string, string>,
	read: ReadText,
): Promise<Map<string, ShownText>> {
	const texts = new Map<string, ShownText>();
	const named = [...lines, ...findings].map(({ file }) => file);
	for (const file of new Set(named.filter((each) => each !== null))) {
		const text = carried.get(file);
		if (text !== undefined) {
			texts.set(file, { text, isFromDisk: false });
			continue;
		}
		try {
			texts.set(file, { text: await read(file), isFromDisk: true });
		} catch {
			// Gone, on another machine, or not allowed to be read: the figures are shown without the text.
		}
	}
	return texts;
}
