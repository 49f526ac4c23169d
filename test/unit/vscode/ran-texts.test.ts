// Which text of a file is taken for the one that ran.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RanTexts } from '../../../src/vscode/annotations/ran-texts.ts';

const FILE = '/srv/app.js';

function texts(onDisk: () => string): RanTexts {
	return new RanTexts(
		new Map(),
		async () => onDisk(),
		() => undefined,
	);
}

test('a text that the editor has just read is the one that ran, though the file is edited and saved at once', async () => {
	let onDisk = 'ran();';
	const ran = texts(() => onDisk);
	void ran.keep(FILE, 'ran();');
	onDisk = 'edited();';
	await ran.name([FILE]);
	assert.deepEqual(ran.of(FILE), ['ran();']);
	assert.equal(ran.isFromDisk(FILE), false);
});

test('a file that was not kept is read when the session names it', async () => {
	const ran = texts(() => 'now();');
	await ran.name([FILE]);
	assert.deepEqual(ran.of(FILE), ['now();']);
	assert.equal(ran.isFromDisk(FILE), true);
});
