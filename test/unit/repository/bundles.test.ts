// What the editor loads when the extension is activated: only what every session needs, and VS Code's API without a copy per file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { type Node, parse } from 'acorn';
import { full } from 'acorn-walk';
import { root } from '../../support/paths.ts';

const bundle = (name: string) => readFileSync(path.join(root, 'dist', name), 'utf8');

test('the extension asks for the API of VS Code once', () => {
	assert.equal(bundle('extension.js').split('require("vscode")').length - 1, 1);
});

test('the parser is in a bundle of its own', () => {
	const parsers = ['extension.js', 'cli.js', 'script-search.js'].filter((name) => bundle(name).includes('ecmaVersion'));
	assert.deepEqual(parsers, ['script-search.js']);
});

test('the tracer is small: each process of the program loads it', () => {
	// 16 kB more cost at most 1 ms of the 40 to 50 ms that a program's start takes (docs/cost-experiments.md).
	assert.ok(bundle('tracer.cjs').length <= 90 * 1024, `${bundle('tracer.cjs').length} bytes`);
});

test('what runs on Node 18 calls no method of arrays that came with Node 20', () => {
	for (const name of ['cli.js', 'script-search.js', 'tracer.cjs', 'sampler.cjs']) {
		assert.doesNotMatch(bundle(name), /\.(?:toReversed|toSorted|toSpliced)\(/, name);
	}
});

test('the tracer reads no global that a program may hide: tracer/process/globals.ts takes them while it is loaded', () => {
	// esbuild's own helpers take what they need of Object while the bundle is loaded.
	const mayStay = new Set(['globalThis', 'Object', 'undefined', 'Infinity', 'NaN']);
	const globals = new Set(Object.getOwnPropertyNames(globalThis).filter((name) => !mayStay.has(name)));
	const used = new Set<string>();
	full(parse(bundle('tracer.cjs'), { ecmaVersion: 'latest', sourceType: 'script' }), (node: Node) => {
		// This walk skips keys and properties, unless they are computed.
		const { type, name = '' } = node as Node & { name?: string };
		if (type === 'Identifier' && globals.has(name)) used.add(name);
	});
	assert.deepEqual([...used], []);
	assert.ok(globals.has('process') && bundle('tracer.cjs').includes('process:'), 'and it uses some');
});

test('the extension and the tracer make no connection', () => {
	for (const name of ['extension.js', 'engine-thread.js', 'tracer.cjs']) {
		assert.doesNotMatch(
			bundle(name),
			/createTelemetryLogger|\bfetch\(|require\("(?:node:)?https?"\)|\bhttps?\.request\(/,
			name,
		);
	}
});

test('the engine is in the bundle of its thread, and not in the extension’s', () => {
	const engines = ['extension.js', 'engine-thread.js'].filter((name) => bundle(name).includes('SessionModel'));
	assert.deepEqual(engines, ['engine-thread.js']);
});
