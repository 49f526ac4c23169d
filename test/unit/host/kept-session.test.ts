// A session that a closing window leaves to the next one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readBelow } from '../../../src/host/common/read-text.ts';
import { readRecording } from '../../../src/host/recordings/recording-file.ts';
import { bytesOfPart } from '../../../src/host/recordings/recording-part.ts';
import { NO_NOTES } from '../../../src/host/recordings/session-notes.ts';
import { claimKept, type KeptFacts, keepAgain, keepJournals } from '../../../src/host/sessions/kept-session.ts';
import { LiveSession } from '../../../src/host/sessions/live-session.ts';
import { RecordedSession } from '../../../src/host/sessions/recorded-session.ts';
import { KEPT_FILE, ownerPidOf, removeLeftovers } from '../../../src/host/sessions/session-storage.ts';
import { ALL_OF_IT } from '../../../src/protocol/timeline.ts';
import { MADE_JOURNAL, writeMadeJournal } from '../../bench/engine/made-journal.ts';
import { scratchFolder } from '../../support/scratch.ts';

const JOURNALS = { '1.0.5.journal': 'first', '22.0.6.journal': 'second' };
const FACTS: KeptFacts = {
	name: 'a program',
	startedAt: 1000,
	endedAt: 2000,
	isStopped: false,
	isCleared: false,
	origin: { folder: 'file:///work', configuration: 'Launch' },
	journals: Object.keys(JOURNALS),
};
const NOTES = { ...NO_NOTES, pauses: [{ pid: 1, from: 10, to: 20 }] };
const SOURCES = new Map([['/a.js', 'as it ran']]);

/** A folder of a process that has ended, with the journals of a session and of the run before it. */
function sessionIn(storage: string): { name: string; folder: string } {
	const name = `${spawnSync(process.execPath, ['-e', '']).pid}-abcdef`;
	const folder = path.join(storage, name);
	mkdirSync(folder);
	for (const [journal, text] of Object.entries(JOURNALS)) writeFileSync(path.join(folder, journal), text);
	return { name, folder };
}

test('a session that is kept is the same when it is claimed, as often as that happens', async () => {
	const storage = scratchFolder();
	let { name, folder } = sessionIn(storage);
	await keepJournals(folder, FACTS, NOTES, SOURCES, null);
	for (let time = 0; time < 3; time++) {
		const claimed = await claimKept(storage, name);
		assert.ok(claimed);
		const { folder: own, recording, ...facts } = claimed;
		assert.equal(ownerPidOf(path.basename(own)), process.pid);
		assert.deepEqual({ ...facts, journals: [] }, { ...FACTS, journals: [] });
		const read = await readRecording(recording);
		assert.deepEqual([read.pauses, read.sources], [NOTES.pauses, SOURCES]);
		const journals = read.journals.map((part) => [part.name, bytesOfPart(part).toString()]);
		assert.deepEqual(Object.fromEntries(journals), JOURNALS);
		assert.deepEqual(readdirSync(own).sort(), [KEPT_FILE, path.basename(recording)], 'and nothing is on disk twice');
		assert.deepEqual(readdirSync(storage), [path.basename(own)]);
		await keepAgain(claimed);
		// As if the window had ended.
		name = sessionIn(scratchFolder()).name;
		renameSync(own, path.join(storage, name));
	}
});

test('two windows of the same folder cannot both have it', async () => {
	const storage = scratchFolder();
	const { name, folder } = sessionIn(storage);
	await keepJournals(folder, FACTS, NOTES, SOURCES, null);
	const claims = await Promise.all([claimKept(storage, name), claimKept(storage, name)]);
	assert.equal(claims.filter((claim) => claim !== null).length, 1);
});

test('a window that is loaded again waits until the one before has let go', async () => {
	const storage = scratchFolder();
	const { folder } = sessionIn(storage);
	const name = `${process.pid}-abcdef`;
	renameSync(folder, path.join(storage, name));
	const claiming = claimKept(storage, name);
	await delay(50);
	await keepJournals(path.join(storage, name), FACTS, NOTES, SOURCES, null);
	assert.equal((await claiming)?.name, FACTS.name);
});

test('what its window did not let go of is not claimed, and removed', async () => {
	const storage = scratchFolder();
	const { name, folder } = sessionIn(storage);
	assert.equal(await claimKept(storage, name), null);
	assert.equal(await claimKept(storage, 'not ours'), null);
	assert.equal(await removeLeftovers(storage), 1);
	assert.equal(existsSync(folder), false);
});

test('packing that was interrupted is done again', async () => {
	const storage = scratchFolder();
	const { name, folder } = sessionIn(storage);
	await keepJournals(folder, FACTS, NOTES, SOURCES, null);
	writeFileSync(path.join(folder, 'session.waitline.new'), 'half of it');
	const claimed = await claimKept(storage, name);
	assert.equal((await readRecording(claimed!.recording)).journals.length, 2);
});

test('a session that was claimed is kept also by a window that is killed', async () => {
	const storage = scratchFolder();
	const { name, folder } = sessionIn(storage);
	await keepJournals(folder, FACTS, NOTES, SOURCES, null);
	const claimed = await claimKept(storage, name);
	const { name: dead } = sessionIn(scratchFolder());
	renameSync(claimed!.folder, path.join(storage, dead));
	assert.equal(await removeLeftovers(storage), 0);
	const again = await claimKept(storage, dead);
	assert.deepEqual({ ...again, folder: '', recording: '' }, { ...claimed, folder: '', recording: '' });
	assert.equal((await readRecording(again!.recording)).journals.length, 2);
});

test('a session that a window shows is not claimed by another one while that lives', async () => {
	const storage = scratchFolder();
	const { name, folder } = sessionIn(storage);
	await keepJournals(folder, FACTS, NOTES, SOURCES, null);
	const claimed = await claimKept(storage, name);
	const other = claimKept(storage, path.basename(claimed!.folder));
	await delay(300);
	assert.ok(existsSync(claimed!.recording));
	await keepAgain(claimed!);
	assert.equal((await other)?.name, FACTS.name);
});

test('a session that is claimed shows what it showed before any journal is read', async () => {
	const storage = scratchFolder();
	const { name, folder } = sessionIn(storage);
	for (const journal of FACTS.journals) rmSync(path.join(folder, journal));
	// Too many for the timeline to show them one by one, of so few lines that an index shows stretches of it.
	writeMadeJournal(folder, 20_000, undefined, 4);
	const session = await LiveSession.start({ folder });
	const report = await session.stop();
	const carried = await session.summary();
	const facts = { ...FACTS, journals: [MADE_JOURNAL] };
	await keepJournals(folder, facts, session.notes(), SOURCES, carried);
	const claimed = await claimKept(storage, name);
	assert.deepEqual(readdirSync(claimed!.folder).sort(), [KEPT_FILE, path.basename(claimed!.recording)]);
	const recorded = new RecordedSession(await readRecording(claimed!.recording), readBelow([]), () =>
		assert.fail('a journal is read'),
	);
	const first = await recorded.first();
	const { overview, timeline } = carried!.summary;
	assert.deepEqual([first.report, first.overview], [report, overview]);
	assert.deepEqual(await recorded.timeline(ALL_OF_IT), timeline);
	assert.ok((await recorded.timeline({ fromMs: 100, toMs: 102, bins: 100 })).detail !== null);
});
