// Dies of an error after an await at top level.
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

async function inner() {
	await stat(fileURLToPath(import.meta.url));
	throw new RangeError('planted');
}

await inner();
