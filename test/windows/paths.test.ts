// Paths on Windows, as programs, people and tools write them: each line is found, in the one file that it is in.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { build } from 'esbuild';
import { root } from '../support/paths.ts';
import { assertComplete, entries } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';
import { readReport } from '../support/waitline.ts';
import { recordGoodOnWindows, runOnWindows, skip, windowsNodes, windowsPath } from '../support/windows.ts';
import { wineEnvironment } from '../support/wine.ts';

/** Names that shells, URLs and NODE_OPTIONS take for something else. */
const AWKWARD = [
	'with space',
	'100%',
	'%PATH%',
	'a&b',
	'a^b',
	"it's",
	'(x86)',
	'!bang!',
	'Größe 文件',
	'a%20b',
	'x#1',
	'..dots',
];
/** Longer than what Windows took for a path at first, 260 characters. */
const LONG = Array.from({ length: 7 }, (_, i) => `${i}${'long'.repeat(12)}`);

/** Gives a folder a drive of its own. Wine's `subst` does nothing: its drives are links. Returns what removes the drive. */
async function makeDrive(drive: string, folder: string): Promise<() => Promise<void>> {
	if (process.platform !== 'win32') {
		const link = join(wineEnvironment().WINEPREFIX!, 'dosdevices', drive.toLowerCase());
		symlinkSync(folder, link);
		return async () => rmSync(link);
	}
	assert.equal((await runOnWindows(['subst', drive, folder])).code, 0);
	return async () => {
		await runOnWindows(['subst', drive, '/D']);
	};
}

const COMMONJS = 'setTimeout(() => undefined, 5);\n';
const MODULE = 'await new Promise((resolve) => setTimeout(resolve, 5));\nexport const done = true;\n';

describe('paths on Windows', { skip }, () => {
	for (const node of windowsNodes()) {
		it(`awkward names and long paths on Node ${node.major}: each line is in its file`, async () => {
			const scratch = scratchFolder('awkward');
			const folders = [...AWKWARD.map((name) => join(scratch, name)), join(scratch, ...LONG)];
			for (const folder of folders) {
				mkdirSync(folder, { recursive: true });
				writeFileSync(join(folder, 'a.cjs'), COMMONJS);
				writeFileSync(join(folder, 'b.mjs'), MODULE);
			}
			const main = join(scratch, 'main.cjs');
			writeFileSync(
				main,
				`const { join } = require('node:path');
				const { pathToFileURL } = require('node:url');
				for (const folder of ${JSON.stringify(folders.map(windowsPath))}) {
					require(join(folder, 'a.cjs'));
					import(pathToFileURL(join(folder, 'b.mjs')).href);
				}`,
			);
			const { report } = await recordGoodOnWindows(node, [windowsPath(main)]);
			assertComplete(report);
			for (const folder of folders) {
				for (const name of ['a.cjs', 'b.mjs']) {
					const file = windowsPath(join(folder, name));
					const timers = entries(report, { file, line: 1, op: 'setTimeout' });
					assert.deepEqual([timers.length, timers[0]?.count], [1, 1], file);
				}
			}
		});

		it(`one file in five spellings on Node ${node.major}: its lines are those of one file`, async () => {
			const folder = join(scratchFolder('spelled'), 'Mixed Case');
			mkdirSync(folder);
			const file = join(folder, 'Timer.cjs');
			writeFileSync(file, COMMONJS);
			const plain = windowsPath(file);
			const main = join(folder, 'main.cjs');
			const spellings = [
				plain,
				plain.replace(/^./, (drive) => drive.toLowerCase()),
				plain.replaceAll('\\', '/'),
				plain.toUpperCase(),
			];
			writeFileSync(
				main,
				`const { execFileSync } = require('node:child_process');
				for (const spelled of ${JSON.stringify(spellings)}) execFileSync(process.execPath, [spelled], { stdio: 'ignore' });
				import(${JSON.stringify(`file:///${encodeURI(plain.replace(/^./, (drive) => drive.toLowerCase()).replaceAll('\\', '/'))}`)});`,
			);
			const { report } = await recordGoodOnWindows(node, [windowsPath(main)]);
			const timers = report.lines.filter(({ op }) => op === 'setTimeout');
			assert.equal(timers.length, 1, JSON.stringify(timers.map((line) => line.file)));
			assert.deepEqual([timers[0]!.file.toLowerCase(), timers[0]!.count], [plain.toLowerCase(), spellings.length + 1]);
		});

		it(`the tracer, the session and the program in awkward folders on Node ${node.major}, with options of the user's own`, async () => {
			const folder = join(scratchFolder(), `a b & c^d 100% 'e' (f) Größe 文件`);
			const temporary = join(folder, 'temporary files');
			mkdirSync(temporary, { recursive: true });
			cpSync(join(root, 'dist'), join(folder, 'dist'), {
				recursive: true,
				filter: (file) => !/\.map$|webview/.test(file),
			});
			const program = join(folder, 'main.cjs');
			writeFileSync(program, `${COMMONJS}if (!globalThis.isPreloaded) process.exitCode = 9;\n`);
			const own = join(folder, 'user preload.cjs');
			writeFileSync(own, 'globalThis.isPreloaded = true;\n');
			const json = join(folder, 'report.json');
			const run = ['run', '--no-report', '--json', 'report.json', '--', node.path, 'main.cjs'];
			const env = {
				// Windows ignores case in the names of variables too.
				Node_Options: `--require ${JSON.stringify(windowsPath(own))}`,
				TEMP: windowsPath(temporary),
				TMP: windowsPath(temporary),
			};
			const command = [node.path, windowsPath(join(folder, 'dist', 'cli.js')), ...run];
			assert.deepEqual(await runOnWindows(command, { cwd: folder, env }), { code: 0, stdout: '', stderr: '' });
			assert.equal(entries(readReport(json), { file: windowsPath(program), line: 1, op: 'setTimeout' }).length, 1);
		});

		it(`maps with paths of Windows on Node ${node.major} lead to the sources`, async () => {
			const folder = scratchFolder('maps');
			mkdirSync(join(folder, 'out'));
			const source = (name: string) => windowsPath(join(folder, 'src', name));
			const sources = {
				'relative.js': '..\\src\\relative.ts',
				'absolute.js': source('absolute.ts'),
				'url.js': `file:///${source('url.ts')
					.replaceAll('\\', '/')
					.replace(/^./, (drive) => drive.toLowerCase())}`,
			};
			for (const [name, path] of Object.entries(sources)) {
				// The first line's first column is that of the source's third line.
				const map = { version: 3, sources: [path], names: [], mappings: 'AAEA' };
				writeFileSync(join(folder, 'out', `${name}.map`), JSON.stringify(map));
				writeFileSync(join(folder, 'out', name), `${COMMONJS}//# sourceMappingURL=${name}.map\n`);
			}
			const main = join(folder, 'main.cjs');
			writeFileSync(
				main,
				Object.keys(sources)
					.map((name) => `require('./out/${name}');\n`)
					.join(''),
			);
			const { report } = await recordGoodOnWindows(node, [windowsPath(main)]);
			for (const name of Object.keys(sources)) {
				const file = source(name.replace('.js', '.ts'));
				assert.equal(entries(report, { file, line: 3, op: 'setTimeout' }).length, 1, JSON.stringify(report.lines));
			}
			assert.deepEqual(report.warnings, []);
		});
	}

	const newest = windowsNodes().at(-1)!;

	it('on a drive that subst made, the lines of a file are those of the file behind it', async () => {
		const behind = scratchFolder('subst');
		const folder = join(behind, 'app');
		mkdirSync(folder);
		writeFileSync(join(folder, 'timer.cjs'), COMMONJS);
		const elsewhere = JSON.stringify(windowsPath(join(folder, 'timer.cjs')));
		const main = `require('./timer.cjs');
			require('node:child_process').execFileSync(process.execPath, [${elsewhere}], { stdio: 'ignore' });`;
		writeFileSync(join(folder, 'main.cjs'), main);
		const removeDrive = await makeDrive('S:', behind);
		try {
			const { report } = await recordGoodOnWindows(newest, ['S:\\app\\main.cjs']);
			const timers = report.lines.filter(({ op }) => op === 'setTimeout');
			// Under which of its paths it is shown is a matter of which program's journal is read first.
			assert.deepEqual(
				timers.map(({ line, count }) => [line, count]),
				[[1, 2]],
			);
		} finally {
			await removeDrive();
		}
	});

	it('a program on a share is shown under its path there', {
		skip: process.platform !== 'win32' && 'Wine has no shares of its own',
	}, async () => {
		const file = join(scratchFolder('share'), 'main.cjs');
		writeFileSync(file, COMMONJS);
		const shared = file.replace(/^(\w):/, '\\\\localhost\\$1$$');
		const { report } = await recordGoodOnWindows(newest, [shared]);
		assert.equal(entries(report, { file: shared, line: 1, op: 'setTimeout' }).length, 1, JSON.stringify(report.lines));
	});

	it('a library’s script that a loader has named by its URL is the file of its module', async () => {
		const names = ['file:///C:/my%20app/node_modules/pg/lib/client.js', 'C:\\app\\a.js', 'file:///no-drive.js'];
		const script = join(scratchFolder('bundle'), 'names.cjs');
		await build({
			stdin: {
				contents: `import { pathOf } from './tracer/sites/script-name.ts';
					console.log(JSON.stringify(${JSON.stringify(names)}.map(pathOf)));`,
				resolveDir: root,
			},
			outfile: script,
			bundle: true,
			platform: 'node',
			logLevel: 'error',
		});
		const { stdout } = await runOnWindows([newest.path, windowsPath(script)]);
		assert.deepEqual(JSON.parse(stdout), ['C:\\my app\\node_modules\\pg\\lib\\client.js', ...names.slice(1)]);
	});
});
