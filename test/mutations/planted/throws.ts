// A reader with a planted fault: what the product refuses in a sentence, it throws as it came.
import { type Reader, read as readWell } from '../reader.ts';

export const read: Reader = async (bytes) => {
	const reading = await readWell(bytes);
	if (reading.kind === 'refusal') throw new TypeError('planted');
	return reading;
};
