// Positions in built files lead to the sources, through maps made by a real bundler.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { SourcePositions } from '../../../src/host/positions/source-positions.ts';

const SOURCE = `interface Unused { a: number }

export function wait(n: number): void {
	setTimeout(() => console.log(n), 10);
}
process.env.UV_THREADPOOL_SIZE = '2';
wait(1);
`;

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'waitline maps '));
	try {
		await mkdir(path.join(folder, 'src'));
		await writeFile(path.join(folder, 'src', 'main.ts'), SOURCE);
		await use(folder);
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** The position of `text` in a file, as V8 would give it. */
async function find(file: string, text: string): Promise<{ line: number; column: number }> {
	const lines = (await readFile(file, 'utf8')).split('\n');
	const line = lines.findIndex((candidate) => candidate.includes(text));
	assert.ok(line >= 0);
	return { line: line + 1, column: lines[line]!.indexOf(text) + 1 };
}

for (const sourcemap of ['linked', 'inline'] as const) {
	for (const minify of [false, true]) {
		test(`${sourcemap} map, ${minify ? 'minified' : 'plain'}: the original file and line`, () =>
			inFolder(async (folder) => {
				const outfile = path.join(folder, 'out', 'main.js');
				await build({ entryPoints: [path.join(folder, 'src', 'main.ts')], outfile, sourcemap, minify, bundle: true });
				const positions = new SourcePositions();
				for (const script of [outfile, pathToFileURL(outfile).href]) {
					await positions.load([script]);
					const at = await find(outfile, 'setTimeout');
					assert.deepEqual(positions.resolve({ script, ...at }), {
						file: path.join(folder, 'src', 'main.ts'),
						line: 4,
					});
				}
				assert.equal(positions.poolAssignment()?.file, path.join(folder, 'src', 'main.ts'));
			}));
	}
}

test('minified by a bundler: the name and the line that a person wrote, of what ran and of what had called it', () =>
	inFolder(async (folder) => {
		const source = path.join(folder, 'src', 'tokens.ts');
		await writeFile(
			source,
			`class Tokens {
	#scan(text: string): number {
		let count = 0;
		for (const each of text) if (each === ' ') count++;
		return count;
	}
	count(text: string): number {
		console.log(text);
		return this.#scan(text);
	}
}
const countAll = (texts: string[]): number[] => texts.map((text) => new Tokens().count(text));
console.log(countAll(process.argv), countAll([]));
`,
		);
		const script = path.join(folder, 'out', 'tokens.js');
		await build({ entryPoints: [source], outfile: script, sourcemap: 'linked', minify: true });
		const positions = new SourcePositions();
		await positions.load([script]);
		const [line = ''] = (await readFile(script, 'utf8')).split('\n');
		const at = (text: string, by: number) => ({ script, line: 1, column: line.indexOf(text) + by + 1 });
		const [, scan = ''] = /(#\w+)\(/.exec(line)!;
		const [, all = ''] = /(\w+)=\w+=>\w+\.map/.exec(line)!;
		assert.notEqual(scan, '#scan');
		const begin = at(`${scan}(`, scan.length);
		assert.equal(positions.originalName(begin, scan), '#scan');
		assert.equal(positions.originalName(at(`${all}=`, all.length + 1), all), 'countAll');
		assert.equal(positions.originalName(begin, 'other'), 'other', 'V8 has its name from elsewhere');
		const lineOf = (place: { line: number }, column: number) => positions.resolve({ script, ...place, column })?.line;
		assert.equal(lineOf(begin, positions.columnIn(begin, '')), 4, 'the only loop');
		const caller = at('count(', 5);
		assert.equal(lineOf(caller, positions.columnIn(caller, scan)), 9);
		assert.equal(positions.columnIn(caller, 'other'), 0);
		assert.equal(positions.columnIn(caller, ''), 0);
	}));

test('the resolver is another one once a script is read that it was asked for before, and only then', () =>
	inFolder(async (folder) => {
		const outfile = path.join(folder, 'out', 'main.js');
		const unasked = path.join(folder, 'src', 'main.ts');
		await build({ entryPoints: [unasked], outfile, sourcemap: 'linked', bundle: true });
		const positions = new SourcePositions();
		const at = { script: outfile, ...(await find(outfile, 'setTimeout')) };
		const before = positions.resolver;
		assert.equal(before(at)?.file, outfile);
		await positions.load([unasked]);
		assert.equal(positions.resolver, before);
		await positions.load([unasked, outfile]);
		assert.notEqual(positions.resolver, before);
		assert.equal(positions.resolver(at)?.file, unasked);
	}));

test('a missing map is reported, and the built file’s own lines are shown', () =>
	inFolder(async (folder) => {
		const script = path.join(folder, 'built.js');
		await writeFile(script, 'setTimeout(f);\n//# sourceMappingURL=built.js.map\n');
		const positions = new SourcePositions();
		await positions.load([script]);
		assert.deepEqual(positions.resolve({ script, line: 1, column: 1 }), { file: script, line: 1 });
		assert.match(
			positions.mapProblems.get(script)?.message ?? '',
			/The source map of .*built\.js cannot be read: it does not exist\.$/,
		);
	}));

test('TypeScript of which another text ran is reported, once a position is in the middle of a word', () =>
	inFolder(async (folder) => {
		const script = path.join(folder, 'main.ts');
		await writeFile(script, 'interface Options {\n\tname: string;\n}\nawait run(stat);\n');
		const positions = new SourcePositions();
		await positions.load([script]);
		for (const [line, column] of [
			[4, 1],
			[4, 7],
			[4, 11],
			[2, 1],
		] as const) {
			positions.resolve({ script, line, column });
			assert.deepEqual([...positions.mapProblems], [], `${line}:${column} is where a token starts, or a line`);
		}
		for (const [line, column] of [
			[4, 8],
			[4, 6],
			[4, 40],
			[7, 2],
		] as const) {
			const other = new SourcePositions();
			await other.load([script]);
			assert.deepEqual(other.resolve({ script, line, column }), { file: script, line });
			assert.match(
				other.mapProblems.get(script)?.message ?? '',
				/^The source map of .*main\.ts is missing.*--enable-source-maps\.$/,
			);
		}
	}));

test('the text of a recording is what ran, whatever is in the file now', () =>
	inFolder(async (folder) => {
		const script = path.join(folder, 'main.ts');
		await writeFile(script, '// Edited.\n\tstat(name);\n');
		const positions = new SourcePositions(new Map([[script, 'run(stat);\n']]));
		await positions.load([script]);
		positions.resolve({ script, line: 1, column: 5 });
		assert.deepEqual([...positions.mapProblems], []);
	}));

test('code that is no file has no line; a file that no longer exists keeps its own', async () => {
	const positions = new SourcePositions();
	await positions.load(['evalmachine.<anonymous>', '/gone/away.js']);
	assert.equal(positions.resolve({ script: 'evalmachine.<anonymous>', line: 1, column: 1 }), null);
	assert.deepEqual(positions.resolve({ script: '/gone/away.js', line: 3, column: 1 }), {
		file: '/gone/away.js',
		line: 3,
	});
});

/** A script with that map, wherever its positions lead; its folder is absolute. */
async function mappedBy(map: unknown, name = 'built.js'): Promise<{ positions: SourcePositions; script: string }> {
	const script = path.resolve('/app', name);
	const comment = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
	const positions = new SourcePositions(new Map([[script, `setTimeout(f);\n//# sourceMappingURL=${comment}\n`]]));
	await positions.load([script]);
	return { positions, script };
}

const MAP = { version: 3, sources: ['main.ts'], names: [], mappings: 'AAAA' };

test('a map whose source is a file: URL with a host throws nothing: the script itself is shown, and why', async () => {
	const nowhere = [
		'file://host/main.ts',
		'file:///%00',
		'file:///%2f',
		'data:text/plain,main',
		'https://host/main.ts',
		5,
		['main.ts'],
	];
	for (const source of nowhere) {
		const { positions, script } = await mappedBy({ ...MAP, sources: [source] });
		const at = { script, line: 1, column: 1 };
		// On Windows a host is a share.
		if (process.platform === 'win32' && source === 'file://host/main.ts') continue;
		assert.deepEqual(positions.resolve(at), { file: script, line: 1 }, JSON.stringify(source));
		assert.match(positions.mapProblems.get(script)?.message ?? '', /points to lines that do not exist here/);
	}
	const { positions, script } = await mappedBy({ ...MAP, sources: ['file://host/a.ts'] }, 'node_modules/a/index.js');
	positions.resolve({ script, line: 1, column: 1 });
	assert.deepEqual([...positions.mapProblems], [], 'of a package nobody wants to hear it');
});

test('impossible lines of a map are not shown', async () => {
	for (const mappings of ['AADA', 'AAAD', 'AAggggggggggggE', '!!!!', ';;;;', 'A'.repeat(1000)]) {
		const { positions, script } = await mappedBy({ ...MAP, mappings });
		const at = positions.resolve({ script, line: 1, column: 1 });
		assert.ok(at !== null && Number.isSafeInteger(at.line) && at.line > 0, `${mappings}: ${JSON.stringify(at)}`);
	}
});

test('a map that is no map, or whose sourceRoot is no folder, is reported', async () => {
	const none = [null, 5, [], 'map', {}, { ...MAP, mappings: 5 }, { ...MAP, sourceRoot: 5 }, { ...MAP, sources: null }];
	for (const map of [...none, { ...MAP, sourceRoot: 'file:///%2f' }, { version: 3, sections: [null] }]) {
		const { positions, script } = await mappedBy(map);
		assert.deepEqual(positions.resolve({ script, line: 1, column: 1 }), { file: script, line: 1 });
	}
	const { positions, script } = await mappedBy({ ...MAP, sourceRoot: 5 });
	assert.match(positions.mapProblems.get(script)?.message ?? '', /cannot be read: it is no source map\.$/);
	const rooted = await mappedBy({ ...MAP, sourceRoot: pathToFileURL(path.resolve('/elsewhere')).href });
	assert.deepEqual(rooted.positions.resolve({ script: rooted.script, line: 1, column: 1 }), {
		file: path.resolve('/elsewhere/main.ts'),
		line: 1,
	});
});

for (const [what, name, address] of [
	['the name of the map has a percent sign', '100%.js', () => '100%.js.map'],
	['the name of the map is escaped', 'a b.js', () => 'a%20b.js.map'],
	['the address of the map is a file: URL', 'main.js', (map: string) => pathToFileURL(map).href],
] as const) {
	test(`the map is found where ${what}`, () =>
		inFolder(async (folder) => {
			const outfile = path.join(folder, 'out', name);
			const source = path.join(folder, 'src', 'main.ts');
			await build({ entryPoints: [source], outfile, sourcemap: 'external', bundle: true });
			const text = await readFile(outfile, 'utf8');
			await writeFile(outfile, `${text}//# sourceMappingURL=${address(`${outfile}.map`)}\n`);
			const positions = new SourcePositions();
			await positions.load([outfile]);
			const at = await find(outfile, 'setTimeout');
			assert.deepEqual(positions.resolve({ script: outfile, ...at }), { file: source, line: 4 });
			assert.deepEqual([...positions.mapProblems], []);
		}));
}

test('a package whose map leads out of it is shown by its own file', () =>
	inFolder(async (folder) => {
		const outfile = path.join(folder, 'node_modules', 'pack', 'main.js');
		await build({ entryPoints: [path.join(folder, 'src', 'main.ts')], outfile, sourcemap: 'linked', bundle: true });
		const positions = new SourcePositions();
		await positions.load([outfile]);
		const at = await find(outfile, 'setTimeout');
		assert.deepEqual(positions.resolve({ script: outfile, ...at }), { file: outfile, line: at.line });
	}));

test('nothing is searched for in a TypeScript that is not the text that ran', async () => {
	const script = path.resolve('serial.ts');
	const text = 'for (const id of ids as number[]) {\n\tconst answer = await fetch(id);\n}\n';
	const positions = new SourcePositions(new Map([[script, text]]));
	await positions.load([script]);
	const at = { script, line: 2, column: 23 };
	assert.deepEqual(positions.awaits(at)?.loop, [{ file: script, from: 1, to: 3 }]);
	// In the middle of a word nothing begins.
	positions.resolve({ script, line: 2, column: 4 });
	assert.equal(positions.awaits(at), null);
});
