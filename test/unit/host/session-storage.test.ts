// Folders that sessions leave behind: only our own, of windows that are gone, are removed.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { KEPT_FILE, makeSessionFolder, removeLeftovers } from '../../../src/host/sessions/session-storage.ts';
import { LEASE_FILE, LEASE_MS } from '../../../src/protocol/journal.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** The id of a process that has ended. */
function endedProcess(): number {
	return spawnSync(process.execPath, ['-e', '']).pid;
}

function folderIn(storage: string, name: string): string {
	const folder = path.join(storage, name);
	mkdirSync(folder, { recursive: true });
	writeFileSync(path.join(folder, '1.0.1.journal'), 'bytes');
	return folder;
}

test('a session gets a folder of its own, which only this user may enter', async () => {
	const storage = path.join(scratchFolder(), 'sessions');
	const [one, two] = [await makeSessionFolder(storage), await makeSessionFolder(storage)];
	assert.notEqual(one, two);
	assert.equal(path.dirname(one), storage);
	if (process.platform !== 'win32') assert.equal(statSync(one).mode & 0o777, 0o700);
});

test('what a crashed window left is removed', async () => {
	const storage = scratchFolder();
	const left = folderIn(storage, `${endedProcess()}-abcdef`);
	assert.equal(await removeLeftovers(storage), 1);
	assert.equal(existsSync(left), false);
});

test('the folders of this window and of another that runs stay', async () => {
	const storage = scratchFolder();
	const own = await makeSessionFolder(storage);
	const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
	try {
		const theirs = folderIn(storage, `${other.pid}-abcdef`);
		assert.equal(await removeLeftovers(storage), 0);
		assert.ok(existsSync(own) && existsSync(theirs));
	} finally {
		other.kill();
	}
});

test('a folder whose lease is fresh stays; one whose lease is old goes', async () => {
	const storage = scratchFolder();
	const fresh = folderIn(storage, `${endedProcess()}-aaaaaa`);
	writeFileSync(path.join(fresh, LEASE_FILE), '');
	const old = folderIn(storage, `${endedProcess()}-bbbbbb`);
	writeFileSync(path.join(old, LEASE_FILE), '');
	const before = new Date(Date.now() - 2 * LEASE_MS);
	utimesSync(path.join(old, LEASE_FILE), before, before);
	assert.equal(await removeLeftovers(storage), 1);
	assert.ok(existsSync(fresh));
	assert.equal(existsSync(old), false);
});

test('what is not a session folder of ours is left alone', async () => {
	const storage = scratchFolder();
	const names = ['notes', '12-too-long', `${endedProcess()}`, 'x-abcdef'];
	for (const name of names) folderIn(storage, name);
	assert.equal(await removeLeftovers(storage), 0);
	assert.deepEqual(readdirSync(storage).sort(), names.sort());
	assert.equal(await removeLeftovers(path.join(storage, 'missing')), 0, 'nothing was ever profiled');
});

test('what a window keeps for the next one stays for a day', async () => {
	const storage = scratchFolder();
	const [fresh, old] = ['aaaaaa', 'bbbbbb'].map((end) => folderIn(storage, `${endedProcess()}-${end}`));
	for (const folder of [fresh!, old!]) writeFileSync(path.join(folder, KEPT_FILE), '{}');
	const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
	utimesSync(path.join(old!, KEPT_FILE), dayAgo, dayAgo);
	assert.equal(await removeLeftovers(storage), 1);
	assert.ok(existsSync(fresh!));
	assert.equal(existsSync(old!), false);
});
