import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { inParts } from '../src/parts.js';

test('reads itself', async () => {
	const text = await readFile(new URL(import.meta.url), 'utf8');
	expect(inParts([...text], 100).length).toBeGreaterThan(1);
});
