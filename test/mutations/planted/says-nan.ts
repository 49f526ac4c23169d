// A reader with a planted fault: where records were lost, a figure of the report is no number, and the text says so.
import { type Reader, read as readWell } from '../reader.ts';

export const read: Reader = async (bytes) => {
	const reading = await readWell(bytes);
	if (reading.kind === 'refusal' || reading.report.accounting.lost === 0) return reading;
	const [first, ...others] = reading.report.processes;
	if (first === undefined) return reading;
	const report = { ...reading.report, processes: [{ ...first, durationMs: Number.NaN }, ...others] };
	return { ...reading, report, text: `${reading.text}\n  process ${first.pid} · NaN ms\n` };
};
