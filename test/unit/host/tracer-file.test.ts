// Where the tracer is: at a path that stays, whatever happens to the extension.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { installTracer, tracerStorage } from '../../../src/host/injection/tracer-file.ts';
import { scratchFolder } from '../../support/scratch.ts';

test("it lies in the user's own data, not among what is emptied from time to time", () => {
	const home = os.homedir();
	assert.equal(tracerStorage({}, 'linux'), path.join(home, '.local', 'share', 'waitline'));
	assert.equal(tracerStorage({ XDG_DATA_HOME: '/data' }, 'linux'), path.join('/data', 'waitline'));
	assert.equal(tracerStorage({ XDG_DATA_HOME: 'data' }, 'linux'), path.join(home, '.local', 'share', 'waitline'));
	assert.equal(tracerStorage({}, 'darwin'), path.join(home, 'Library', 'Application Support', 'waitline'));
	assert.equal(tracerStorage({ LOCALAPPDATA: '/local' }, 'win32'), path.join('/local', 'waitline'));
});

test('it is there once per content, and an update leaves the old one for terminals that still name it', async () => {
	const folder = scratchFolder();
	const [bundle, storage] = [path.join(folder, 'tracer.cjs'), path.join(folder, 'with space')];
	writeFileSync(bundle, 'one');
	const first = await installTracer(bundle, storage);
	assert.equal(await installTracer(bundle, storage), first);
	writeFileSync(bundle, 'two');
	const second = await installTracer(bundle, storage);
	assert.notEqual(second, first);
	assert.deepEqual(
		[first, second].map((file) => readFileSync(file, 'utf8')),
		['one', 'two'],
	);
	assert.equal(readdirSync(storage).length, 2, 'no draft is left');
});

test('a damaged copy is replaced', async () => {
	const folder = scratchFolder();
	const [bundle, storage] = [path.join(folder, 'tracer.cjs'), path.join(folder, 'storage')];
	writeFileSync(bundle, 'content');
	const installed = await installTracer(bundle, storage);
	writeFileSync(installed, '');
	assert.equal(await installTracer(bundle, storage), installed);
	assert.equal(readFileSync(installed, 'utf8'), 'content');
});

test('sessions that start at once, as those of a compound do, all find it', async () => {
	const folder = scratchFolder();
	const [bundle, storage] = [path.join(folder, 'tracer.cjs'), path.join(folder, 'storage')];
	writeFileSync(bundle, 'content');
	const installed = await Promise.all(Array.from({ length: 8 }, () => installTracer(bundle, storage)));
	assert.equal(new Set(installed).size, 1);
	assert.equal(readFileSync(installed[0]!, 'utf8'), 'content');
	assert.deepEqual(readdirSync(storage), [path.basename(installed[0]!)]);
});
