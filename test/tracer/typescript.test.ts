// TypeScript, in each way that it becomes JavaScript: the report names lines of the file that a person wrote.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { build } from 'esbuild';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { compareOrigins, installLibraries, libraryProgram } from '../support/origins.ts';
import { root } from '../support/paths.ts';
import { scratchFolder } from '../support/scratch.ts';
import { record } from '../support/waitline.ts';

const program = libraryProgram('typed.mts');

async function assertOriginalLines(node: NodeBuild, args: string[]): Promise<void> {
	const { report } = await record(node, args);
	const { expected, right, wrong } = compareOrigins(report, program, {});
	assert.deepEqual({ right, wrong }, { right: expected, wrong: [] });
}

function compile(): string {
	const out = scratchFolder('tsc');
	const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
	const options = [
		'--target',
		'es2022',
		'--module',
		'nodenext',
		'--types',
		'node',
		'--typeRoots',
		join(root, 'node_modules', '@types'),
	];
	execFileSync(process.execPath, [tsc, program, '--sourceMap', '--outDir', out, '--ignoreConfig', ...options]);
	return join(out, 'typed.mjs');
}

async function bundle(): Promise<string> {
	const outfile = join(scratchFolder('bundle'), 'bundle.mjs');
	const options = { bundle: true, minify: true, sourcemap: true, format: 'esm', platform: 'node' } as const;
	await build({ entryPoints: [program], outfile, ...options });
	return outfile;
}

describe('TypeScript', () => {
	let compiled = '';
	let bundled = '';
	let tsx = '';
	before(async () => {
		installLibraries();
		compiled = compile();
		bundled = await bundle();
		tsx = createRequire(program).resolve('tsx');
	});

	for (const node of nodes()) {
		it(`compiled by tsc, on Node ${node.major}`, () => assertOriginalLines(node, [compiled]));
		it(`compiled by tsc, with Node's own source maps on, on Node ${node.major}`, () =>
			assertOriginalLines(node, ['--enable-source-maps', compiled]));
		it(`bundled and minified by esbuild, on Node ${node.major}`, () => assertOriginalLines(node, [bundled]));
		it(`run by tsx, on Node ${node.major}`, () => assertOriginalLines(node, ['--import', tsx, program]));
		for (const [tool, FORMAT] of [
			['ts-node does', ''],
			['jest does, whose function for stacks is bound', 'bound'],
			['jest does, once Babel has put its function before that', 'rewritten'],
		] as const) {
			it(`compiled in memory as ${tool}, on Node ${node.major}: lines of what was compiled`, async () => {
				const [hook, typed, plain] = ['compiles-in-memory.cjs', 'compiled-in-memory.ts', 'compiled-in-memory.js'].map(
					libraryProgram,
				) as [string, string, string];
				const { report } = await record(node, ['--require', hook, typed], { env: { FORMAT } });
				for (const compiled of [typed, plain]) {
					const { expected, right, wrong } = compareOrigins(report, compiled, {});
					assert.deepEqual({ right, wrong }, { right: expected, wrong: [] });
				}
			});
		}
		if (node.major < 22) continue;
		it(`run by Node ${node.major} itself`, () => assertOriginalLines(node, ['--no-warnings', program]));
		if (node.major > 24) continue;
		it(`transformed by Node ${node.major} itself`, () =>
			assertOriginalLines(node, ['--no-warnings', '--experimental-transform-types', program]));
	}
});
