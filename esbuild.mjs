// Builds the four bundles of the product: extension, CLI, tracer and webview. `--watch` rebuilds on change.
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { build, context } from 'esbuild';

const shared = { bundle: true, logLevel: 'warning', legalComments: 'none' };

/** @type {import('esbuild').BuildOptions[]} */
const bundles = [
	{
		...shared,
		entryPoints: ['src/vscode/extension.ts'],
		outfile: 'dist/extension.js',
		platform: 'node',
		format: 'cjs',
		// VS Code 1.90, the oldest we support, runs extensions on Node 20.
		target: 'node20',
		external: ['vscode'],
		sourcemap: true,
	},
	{
		...shared,
		entryPoints: ['src/cli.ts'],
		outfile: 'dist/cli.js',
		platform: 'node',
		format: 'cjs',
		target: 'node18',
		banner: { js: '#!/usr/bin/env node' },
	},
	{
		...shared,
		entryPoints: ['tracer/preload.ts'],
		outfile: 'dist/tracer.cjs',
		platform: 'node',
		format: 'cjs',
		target: 'node18',
		minifySyntax: true,
		minifyWhitespace: true,
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

if (process.argv.includes('--watch')) {
	for (const options of bundles) await (await context({ ...options, logLevel: 'info' })).watch();
} else {
	await Promise.all(bundles.map((options) => build(options)));
}
