// A reader with a planted fault: where something was lost, it takes memory without end.
import { type Reader, read as readWell } from '../reader.ts';

export const read: Reader = async (bytes) => {
	const reading = await readWell(bytes);
	const isDamaged = reading.kind === 'refusal' || reading.report.warnings.some(({ code }) => code === 'records-lost');
	for (const taken: number[][] = []; isDamaged; ) taken.push(new Array<number>(100_000).fill(taken.length));
	return reading;
};
