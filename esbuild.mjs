// Builds the bundles of the product: extension and its thread, CLI, tracer and webview, what the first three load only when they need
// it, and the licences of what is bundled with them. `--watch` rebuilds on change.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, context } from 'esbuild';

const isWatching = process.argv.includes('--watch');

const shared = { bundle: true, logLevel: 'warning', legalComments: 'none' };

/**
 * What is imported with `import()` stays out of the bundle and is a bundle of its own beside it. (esbuild splits only ES modules, which
 * VS Code 1.90 cannot load.)
 * @type {import('esbuild').Plugin}
 */
const loadedLater = {
	name: 'loaded later',
	setup({ onResolve }) {
		onResolve({ filter: /^\./ }, ({ kind, path: file }) =>
			kind === 'dynamic-import' ? { path: `./${path.basename(file, '.ts')}.js`, external: true } : undefined,
		);
	},
};

/**
 * esbuild gives each file that imports a CommonJS module an object of its own, with a getter for every own property of the module. VS Code's
 * API has some 500, and most of our files import it: that took longer than all the rest of loading them. What is inherited is not copied.
 * @type {import('esbuild').Plugin}
 */
const inheritedApi = {
	name: 'inherited API',
	setup({ onResolve, onLoad }) {
		const namespace = 'inherited';
		onResolve({ filter: /^vscode$/, namespace: 'file' }, () => ({ path: 'vscode', namespace }));
		onLoad({ filter: /^vscode$/, namespace }, () => ({
			contents: "module.exports = Object.create(require('vscode'));",
		}));
	},
};

/**
 * Loads Node's modules with a plain `require`, for the files that import a whole module. For an `import`, esbuild would add a wrapper around each module and
 * look at all of its properties, and that alone loads what Node makes only when it is used: for `node:util` the program's standard error.
 * @type {(importers: RegExp) => import('esbuild').Plugin}
 */
const plainModulesOfNode = (importers) => ({
	name: "plain modules of Node's",
	setup({ onResolve, onLoad }) {
		const namespace = 'plain-module';
		onResolve({ filter: /^node:/ }, ({ path: name, kind, importer }) =>
			kind === 'import-statement' && importers.test(importer) ? { path: name, namespace } : undefined,
		);
		onLoad({ filter: /./, namespace }, ({ path: name }) => ({ contents: `export default require('${name}');` }));
	},
});

/** Long names of the tracer's own fields and methods. Each process loads its bundle, so they are shortened there. None is a name of Node's or of a library's. */
const SHORTENED =
	'alwaysTimed attribution beforeLatest beginCallback beginGeneration callbackTrees captureAgain carriedRoot cpuWaitInFlush frameLimit framesNeeded generationBegan generationBytes idleInFlush isForOthers isHandlerSought isMessageEnd isMessageWrite isResting ' +
	'isStepOfCurrent isTimerCall leftOut mayEndLoop nodeAfter onlyRoutes queuedWaits recordsBefore startDeferred underWay unplaced untilVerify unwatched unwritten watchMethod windowBegan writeBegin writePosition writeUnrecorded writtenSize';

/** @type {import('esbuild').BuildOptions} */
const tracer = {
	...shared,
	inject: ['tracer/process/globals.ts'],
	platform: 'node',
	format: 'cjs',
	target: 'node18',
	minify: true,
};

/**
 * Puts the files that tracer/start.ts imports into one scope. As tracer/preload.ts loads them with `require`, esbuild would make a function of each
 * of them, which takes 4 kB and is slower to load.
 * @type {import('esbuild').Plugin}
 */
const oneScope = {
	name: 'one scope',
	setup({ onResolve, onLoad }) {
		const namespace = 'one-scope';
		onResolve({ filter: /^\.\/start\.ts$/ }, () => ({ path: 'start.cjs', namespace }));
		onLoad({ filter: /./, namespace }, async () => {
			const exported = 'attach, startEarly';
			const stdin = {
				contents: `import { ${exported} } from './start.ts'; module.exports = { ${exported} };`,
				resolveDir: 'tracer',
			};
			const options = {
				...tracer,
				stdin,
				// A field without a value is only a type: the constructor assigns it anyway.
				tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
				plugins: [plainModulesOfNode(/node-functions\.ts$/)],
				mangleProps: new RegExp(`^(?:${SHORTENED.replaceAll(' ', '|')})$`),
				write: false,
				metafile: true,
			};
			const { outputFiles, metafile } = await build(options);
			const watchFiles = Object.keys(metafile.inputs).map((input) => path.resolve(input));
			return {
				contents: `module.exports = (require, program, __filename) => {const module = {};${outputFiles[0].text};return module.exports};`,
				resolveDir: 'tracer',
				watchFiles,
			};
		});
	},
};

/** A digest of everything that decides what a report says of a recording: a summary that was made by anything else is not shown. */
async function digestOfEngine() {
	const hash = createHash('sha256');
	for (const folder of ['src/engine', 'src/host', 'src/protocol']) {
		const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
		// Names and ends of lines differ between systems.
		for (const file of files.map((each) => `${folder}/${each.replaceAll('\\', '/')}`).sort()) {
			hash.update(`${file}\n${(await readFile(file, 'utf8')).replaceAll('\r\n', '\n')}\n`);
		}
	}
	return hash.digest('hex');
}

/** @type {import('esbuild').BuildOptions} */
const host = {
	...shared,
	platform: 'node',
	format: 'cjs',
	plugins: [loadedLater],
	// While files change, each start is another engine.
	define: { WAITLINE_ENGINE: JSON.stringify(isWatching ? `since ${Date.now()}` : await digestOfEngine()) },
	// `require` works alike in every extension host, and at once.
	supported: { 'dynamic-import': false },
};

/** @type {import('esbuild').BuildOptions[]} */
const bundles = [
	{
		...host,
		entryPoints: ['src/vscode/extension.ts'],
		outfile: 'dist/extension.js',
		// VS Code 1.90, the oldest we support, runs extensions on Node 20.
		target: 'node20',
		external: ['vscode'],
		plugins: [loadedLater, inheritedApi],
		sourcemap: true,
		// Names stay, for the stacks in the log.
		minifySyntax: true,
		minifyWhitespace: true,
	},
	{
		...host,
		entryPoints: ['src/cli.ts'],
		outfile: 'dist/cli.js',
		target: 'node18',
		banner: { js: '#!/usr/bin/env node' },
	},
	{
		...host,
		entryPoints: ['src/host/engine-thread/engine-thread.ts'],
		outfile: 'dist/engine-thread.js',
		target: 'node20',
		sourcemap: true,
		minifySyntax: true,
		minifyWhitespace: true,
	},
	{
		...host,
		entryPoints: ['src/host/injection/inspector.ts'],
		outfile: 'dist/inspector.js',
		target: 'node20',
		// Faster ways that ws takes where they are installed.
		external: ['bufferutil', 'utf-8-validate'],
		minify: true,
	},
	{
		...host,
		entryPoints: ['src/host/common/json-with-comments.ts'],
		outfile: 'dist/json-with-comments.js',
		target: 'node20',
		// The other form of jsonc-parser asks for its own files at run time.
		mainFields: ['module', 'main'],
		minifySyntax: true,
		minifyWhitespace: true,
	},
	{
		...host,
		entryPoints: ['src/host/script/script-search.ts'],
		outfile: 'dist/script-search.js',
		target: 'node18',
		minifySyntax: true,
		minifyWhitespace: true,
	},
	{
		...tracer,
		entryPoints: ['tracer/preload.ts'],
		inject: ['tracer/process/globals-of-preload.ts'],
		outfile: 'dist/tracer.cjs',
		plugins: [oneScope],
	},
	{
		...tracer,
		entryPoints: ['tracer/stacks/sampler.ts'],
		outfile: 'dist/sampler.cjs',
		// It runs in the program's realm.
		define: { program: 'globalThis' },
		plugins: [plainModulesOfNode(/\.ts$/)],
	},
	{
		...shared,
		entryPoints: ['src/webview/main.ts'],
		outfile: 'dist/webview/main.js',
		platform: 'browser',
		format: 'iife',
		target: 'chrome122',
		minify: true,
	},
];

await rm('dist', { recursive: true, force: true });
await mkdir('dist/webview', { recursive: true });
await copyFile('media/panel.css', 'dist/webview/panel.css');

if (isWatching) {
	for (const options of bundles) await (await context({ ...options, logLevel: 'info' })).watch();
} else {
	const results = await Promise.all(bundles.map((options) => build({ ...options, metafile: true })));
	await writeFile(
		'dist/ThirdPartyNotices.txt',
		await notices(results.flatMap(({ metafile }) => Object.keys(metafile.inputs))),
	);
}

/** The licence of each package that one of these files belongs to: its text, or where the package has none, what it declares. */
async function notices(files) {
	const packages = new Set(files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
	const texts = [...packages].sort().map(async (name) => {
		const folder = `node_modules/${name}`;
		const { version, license, author } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
		const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
		const text =
			file === undefined ? `Copyright ${author?.name ?? author}` : await readFile(`${folder}/${file}`, 'utf8');
		return `${name} ${version} (${license})\n\n${text.trim()}\n`;
	});
	return `Waitline contains parts of these packages.\n\n${(await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`)}`;
}
