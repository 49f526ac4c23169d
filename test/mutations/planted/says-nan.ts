// A reader with a planted fault: where records were lost, a figure of the report is no number, and the text says so.
import { type Reader, read as readWell } from '../reader.ts';

export const read: Reader = async (bytes) => {
	const told = await readWell(bytes);
	if (told.kind === 'refusal' || told.report.accounting.lost === 0) return told;
	const [first, ...others] = told.report.processes;
	if (first === undefined) return told;
	const report = { ...told.report, processes: [{ ...first, durationMs: Number.NaN }, ...others] };
	return { ...told, report, text: `${told.text}\n  process ${first.pid} · NaN ms\n` };
};
