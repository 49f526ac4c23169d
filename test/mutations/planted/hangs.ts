// A reader with a planted fault: where something was lost, it does not come to an end.
import { type Reader, read as readWell } from '../reader.ts';

export const read: Reader = async (bytes) => {
	const told = await readWell(bytes);
	const isDamaged = told.kind === 'refusal' || told.report.warnings.some(({ code }) => code === 'records-lost');
	while (isDamaged) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
	return told;
};
