// Paths of Windows and of other systems, both tried on whatever system this runs: random ones, in all the spellings that programs, launch
// configurations, URLs and source maps use.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import {
	fileKey,
	isBelow,
	isInPackages,
	pathOfScript,
	pathOfUrl,
	plainPath,
	resolveFrom,
	shortPath,
	styleOf,
} from '../../../src/host/common/file-paths.ts';
import { SourcePositions } from '../../../src/host/positions/source-positions.ts';
import { endsWithPath, isWindowsPath, nameOf } from '../../../src/protocol/path-style.ts';
import { random } from '../../support/random.ts';

const TRIES = 500;
/** Names that shells, URLs and patterns take for something else. */
const NAMES = [
	'app',
	'Größe',
	'my app',
	'100%',
	'a&b',
	'a^b',
	"it's",
	'文件',
	'..dots',
	'x#1',
	'q;p',
	'a%20b',
	'Mixed',
	'(1)',
	'$x',
];

interface Kind {
	style: path.PlatformPath;
	roots: readonly string[];
	/** Another spelling of the same file. */
	respell(file: string, next: () => number): string;
	/** As an ES module's script is named. */
	url(file: string): string;
}

const escaped = (parts: string[]) => parts.map(encodeURIComponent).join('/');

const KINDS: Record<string, Kind> = {
	Windows: {
		style: path.win32,
		roots: ['C:\\', 'D:\\', '\\\\server\\share\\'],
		respell(file, next) {
			let spelled = file.replace(/[a-zA-Z]/g, (letter) => (next() < 0.3 ? swapped(letter) : letter));
			spelled = spelled.replace(/(?<=[^\\])\\/g, () => (next() < 0.5 ? '/' : '\\'));
			if (next() < 0.3) spelled = spelled.replace(/[\\/](?=[^\\/]*$)/, '\\gone\\..\\.\\');
			// A path with this prefix is taken as it is: it has neither dots nor slashes.
			if (next() < 0.2) return file.startsWith('\\\\') ? `\\\\?\\UNC\\${file.slice(2)}` : `\\\\?\\${file}`;
			return spelled;
		},
		url(file) {
			const [first = '', ...rest] = file.split('\\').filter((part) => part !== '');
			return file.startsWith('\\\\') ? `file://${first}/${escaped(rest)}` : `file:///${first}/${escaped(rest)}`;
		},
	},
	'other systems': {
		style: path.posix,
		roots: ['/', '/home/me/'],
		respell: (file, next) =>
			next() < 0.5
				? file.replace(/\/(?=[^/]*$)/, '/gone/.././')
				: file.replace(/(?<=.)\//g, () => (next() < 0.5 ? '//' : '/')),
		url: (file) => `file:///${escaped(file.slice(1).split('/'))}`,
	},
};

function swapped(letter: string): string {
	return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

for (const [system, kind] of Object.entries(KINDS)) {
	describe(`paths of ${system}`, () => {
		const next = random(23);
		const pick = <T>(of: readonly T[]) => of[Math.floor(next() * of.length)]!;
		const folder = () =>
			kind.style.join(pick(kind.roots), ...Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(NAMES)));
		const file = () => kind.style.join(folder(), `${pick(NAMES)}.js`);
		const each = (check: () => void) => {
			for (let i = 0; i < TRIES; i++) check();
		};

		it('know their system by their form', () =>
			each(() => {
				const some = file();
				assert.equal(isWindowsPath(some), kind.style === path.win32, some);
				assert.equal(styleOf(some), kind.style);
			}));

		it('of one file have one key, and are shown as V8 would name them', () =>
			each(() => {
				const some = file();
				assert.equal(plainPath(some), some);
				const other = kind.respell(some, next);
				assert.equal(fileKey(other), fileKey(some), other);
				assert.equal(plainPath(plainPath(other)), plainPath(other), 'what is plain stays so');
				assert.equal(pathOfScript(some), some);
			}));

		it('of two files have two keys', () =>
			each(() => {
				const [one, other] = [file(), file()];
				const isSame = kind.style === path.win32 ? one.toLowerCase() === other.toLowerCase() : one === other;
				assert.equal(fileKey(one) === fileKey(other), isSame, `${one} and ${other}`);
			}));

		it('are the same as URLs', () =>
			each(() => {
				const some = file();
				assert.equal(fileKey(pathOfUrl(kind.url(some))!), fileKey(some), kind.url(some));
				assert.equal(fileKey(pathOfScript(kind.url(some))!), fileKey(some));
			}));

		it('lead back from a folder, and lie below it', () =>
			each(() => {
				const base = folder();
				const parts = [pick(NAMES), `${pick(NAMES)}.js`];
				const inside = kind.style.join(base, ...parts);
				assert.equal(resolveFrom(base, parts.join('/')), inside);
				assert.equal(resolveFrom(base, parts.join('\\')), inside, 'as a map that was made on Windows says it');
				assert.equal(resolveFrom(base, `../${kind.style.basename(base)}/${parts.join('/')}`), inside);
				assert.ok(isBelow(kind.respell(inside, next), base), `${inside} is below ${base}`);
				assert.ok(!isBelow(base, base) && !isBelow(base, inside));
				assert.ok(!isBelow(kind.style.join(`${base}-beside`, ...parts), base));
				assert.ok(!isBelow(kind.style.join(base, '..', 'elsewhere.js'), base));
			}));

		it('are shortened to what leads to them from a folder', () =>
			each(() => {
				const [some, from] = [file(), folder()];
				const short = shortPath(some, from);
				assert.equal(kind.style.resolve(from, short), some);
				assert.ok(short.length <= some.length);
			}));

		it('end with their name, and with each tail of theirs', () =>
			each(() => {
				const some = kind.respell(file(), next);
				assert.equal(nameOf(some), kind.style.basename(some));
				const tail = plainPath(some)
					.split(kind.style.sep)
					.slice(-1 - Math.floor(next() * 2));
				assert.ok(endsWithPath(plainPath(some), tail.join('/')), `${some} ends with ${tail.join('/')}`);
				assert.ok(endsWithPath(plainPath(some), `./${tail.join(kind.style.sep)}`));
				assert.ok(!endsWithPath(plainPath(some), `x${tail.join('/')}`));
			}));

		it('know packages by their folder alone', () =>
			each(() => {
				const base = folder();
				assert.ok(isInPackages(kind.style.join(base, 'node_modules', 'pg', 'index.js')));
				assert.ok(!isInPackages(kind.style.join(base, 'my_node_modules', 'index.js')));
				assert.ok(!isInPackages(kind.style.join(base, 'node_modules.js')));
			}));
	});
}

test('no file has an escaped separator or a NUL in its URL', () => {
	for (const url of [
		'file:///C:/a%5Cb.js',
		'file:///C:/a%2Fb.js',
		'file:///a%2Fb.js',
		'file:///a%00b.js',
		'file:///%E0%A4.js',
	]) {
		assert.equal(pathOfUrl(url), null, url);
	}
});

test('a path of another system leads nowhere from a folder', () => {
	assert.equal(resolveFrom('/app', 'C:\\app\\a.ts'), null);
	assert.equal(resolveFrom('C:\\app', '/src/a.ts'), 'C:\\src\\a.ts');
	assert.equal(shortPath('C:\\app\\a.ts', '/app'), 'C:\\app\\a.ts');
	assert.ok(!isBelow('C:\\app\\a.ts', '/'));
});

test('lines of one file of Windows are lines of one file, however its path was spelled', async () => {
	const positions = new SourcePositions();
	const spellings = [
		'C:\\App\\a.js',
		'c:\\app\\a.js',
		'file:///c:/App/a.js',
		'\\\\?\\C:\\App\\a.js',
		'C:\\App\\b\\..\\a.js',
	];
	await positions.load(spellings);
	const files = spellings.map((script) => positions.resolve({ script, line: 3, column: 1 })?.file);
	assert.deepEqual(files, spellings.fill('C:\\App\\a.js'));
});

test('a recording of a program on Windows shows its lines on every system', async () => {
	const text = 'setTimeout(() => {}, 20);\nprocess.env.UV_THREADPOOL_SIZE = 2;\n';
	const positions = new SourcePositions(new Map([['C:\\app\\a.js', text]]));
	await positions.load(['file:///C:/app/a.js']);
	assert.deepEqual(positions.poolAssignment(), { file: 'C:\\app\\a.js', line: 2 });
});

test('a map that was made on Windows leads to the sources', async () => {
	// One segment: the first column of the first line is that of the first source.
	const map = (sources: string[]) => JSON.stringify({ version: 3, sources, names: [], mappings: 'AAAA' });
	for (const [script, source, wanted] of [
		['C:\\app\\out\\a.js', '..\\src\\a.ts', 'C:\\app\\src\\a.ts'],
		['C:\\app\\out\\a.js', 'C:\\app\\src\\a.ts', 'C:\\app\\src\\a.ts'],
		['C:\\app\\out\\a.js', 'c:/app/src/a.ts', 'C:\\app\\src\\a.ts'],
		['file:///C:/app/out/a.js', 'file:///c:/app/src/a.ts', 'C:\\app\\src\\a.ts'],
		['/app/out/a.js', '..\\src\\a.ts', '/app/src/a.ts'],
		['/app/out/a.js', 'C:\\app\\src\\a.ts', '/app/out/a.js'],
	] as const) {
		const file = pathOfScript(script)!;
		const inline = `data:application/json;base64,${Buffer.from(map([source])).toString('base64')}`;
		const positions = new SourcePositions(new Map([[file, `a();\n//# sourceMappingURL=${inline}\n`]]));
		await positions.load([script]);
		assert.deepEqual(positions.resolve({ script, line: 1, column: 1 }), { file: wanted, line: 1 }, source);
	}
});
