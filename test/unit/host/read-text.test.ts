// What a recording may be read from: files below folders that the person has opened, and nothing else, whatever links say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { OutsideFolders, readAny, readBelow } from '../../../src/host/common/read-text.ts';
import { SourcePositions } from '../../../src/host/positions/source-positions.ts';
import { scratchFolder } from '../../support/scratch.ts';

const folder = realpathSync(scratchFolder('read'));
const [open, closed, beside] = ['open', 'closed', 'open-beside'].map((name) => {
	mkdirSync(path.join(folder, name));
	writeFileSync(path.join(folder, name, 'a.js'), `// ${name}\n`);
	return path.join(folder, name);
}) as [string, string, string];
symlinkSync(closed, path.join(open, 'out'));
symlinkSync(open, path.join(closed, 'in'));
symlinkSync(open, path.join(folder, 'other-name'));
mkdirSync(path.join(open, '..dots'));
writeFileSync(path.join(open, '..dots', 'a.js'), '// dots\n');

const allowed: [string, string][] = [
	[path.join(open, 'a.js'), open],
	[path.join(open, '..dots', 'a.js'), open],
	[path.join(folder, 'other-name', 'a.js'), open],
	[path.join(closed, 'in', 'a.js'), open],
	[path.join(open, 'a.js'), path.join(folder, 'other-name')],
];
for (const [file, root] of allowed) {
	test(`${path.relative(folder, file)} is read below ${path.basename(root)}`, async () => {
		assert.match(await readBelow([path.join(folder, 'gone'), root])(file), /^\/\/ (open|dots)\n$/);
	});
}

const refused = [
	path.join(closed, 'a.js'),
	path.join(beside, 'a.js'),
	path.join(open, 'out', 'a.js'),
	`${open}/../closed/a.js`,
	open,
	folder,
	'/etc/passwd',
];
for (const file of refused) {
	test(`${file.replace(folder, '…')} is not read below open`, { skip: process.platform === 'win32' }, async () => {
		await assert.rejects(readBelow([open])(file), OutsideFolders);
		await assert.rejects(readBelow([])(file), OutsideFolders);
	});
}

const isWindows = process.platform === 'win32';

test('of the files that a program names, no pipe, device, folder or endless file is read', {
	skip: isWindows,
}, async () => {
	const pipe = path.join(folder, 'pipe');
	execFileSync('mkfifo', [pipe]);
	const large = path.join(folder, 'large');
	writeFileSync(large, '');
	truncateSync(large, 128 * 1024 * 1024 + 1);
	for (const file of [pipe, '/dev/zero', folder])
		await assert.rejects(readAny(file), /^Error: it is no file with a text$/);
	await assert.rejects(readAny(large), /^Error: it is too large$/);
	assert.equal(await readAny(path.join(closed, 'a.js')), '// closed\n');
});

test('a script that names /dev/zero as its map keeps its own lines, and does not delay the report', {
	skip: isWindows,
}, async () => {
	const script = path.join(open, 'endless.js');
	writeFileSync(script, 'setTimeout(() => 0);\n//# sourceMappingURL=/dev/zero\n');
	const positions = new SourcePositions();
	await positions.load([script]);
	assert.deepEqual(positions.resolve({ script, line: 1, column: 1 }), { file: script, line: 1 });
	const { message = '' } = positions.mapProblems.get(script) ?? {};
	assert.match(message, /endless\.js cannot be read: it is no file with a text\.$/);
});

test('a name that is none is refused', async () => {
	for (const file of ['', '\0', 'a\0b', path.join(open, 'missing')]) await assert.rejects(readBelow([open])(file));
});

test('scripts and maps that may not be read reveal nothing: neither lines nor calls nor sizes of the pool', async () => {
	const script = path.join(closed, 'calls.js');
	writeFileSync(
		script,
		'setTimeout(() => fs.readFileSync(x));\nprocess.env.UV_THREADPOOL_SIZE = 8;\n//# sourceMappingURL=calls.js.map\n',
	);
	writeFileSync(`${script}.map`, JSON.stringify({ version: 3, sources: ['named.ts'], names: [], mappings: 'AAAA' }));
	const at = { script, line: 1, column: 1 };
	const seen = new SourcePositions(new Map(), readBelow([closed]));
	await seen.load([script]);
	assert.equal(seen.resolve(at)?.file, path.join(closed, 'named.ts'));
	assert.notEqual(seen.poolAssignment(), null);
	assert.equal(seen.syncCalls(at).length, 1);

	const unseen = new SourcePositions(new Map(), readBelow([open]));
	await unseen.load([script]);
	assert.deepEqual(unseen.resolve(at), { file: script, line: 1 });
	assert.equal(unseen.poolAssignment(), null);
	assert.deepEqual(unseen.syncCalls(at), []);
});
