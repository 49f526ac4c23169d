// The folder of a session's journals: what is read of each, and what is noted when somebody puts another file in its place.
import assert from 'node:assert/strict';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { JournalFolder } from '../../../src/host/sessions/journal-folder.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** Ids of NTFS have 64 bits: these two are one as numbers of JavaScript. */
const ID = 2n ** 60n;
const NEXT_ID = ID + 1n;

/** Every file has the id that `next` gives from now on, as the file system of Windows gives one. */
async function giveIds(test: TestContext, file: string, next: () => bigint): Promise<void> {
	const handle = await open(file);
	const prototype = Object.getPrototypeOf(handle) as { stat: (options?: object) => Promise<{ ino: bigint | number }> };
	await handle.close();
	const { stat } = prototype;
	test.mock.method(prototype, 'stat', async function (this: unknown, options?: { bigint?: boolean }) {
		const stats = await Reflect.apply(stat, this, [options]);
		return Object.assign(stats, { ino: options?.bigint === true ? next() : Number(next()) });
	});
}

test('a journal that another file replaced is not read on, though their ids differ in the last of 64 bits alone', async (test) => {
	assert.equal(Number(ID), Number(NEXT_ID));
	const folder = new JournalFolder(scratchFolder('journals'));
	await folder.open();
	const name = '7.0.1.journal';
	await writeFile(join(folder.path, name), 'first');
	let id = ID;
	await giveIds(test, join(folder.path, name), () => id);
	const pieces: string[] = [];
	const take = (_name: string, bytes: Uint8Array) => void pieces.push(Buffer.from(bytes).toString());
	const read = () => folder.readNew(take, () => false);
	await read();
	await writeFile(join(folder.path, name), 'first and second');
	await read();
	assert.deepEqual([pieces, [...folder.lost]], [['first', ' and second'], []]);
	id = NEXT_ID;
	await writeFile(join(folder.path, name), 'first and second and third');
	await read();
	assert.deepEqual([pieces.length, [...folder.lost]], [2, [[name, 'replaced']]]);
});
