// One name, one meaning: what the product's files export has names of its own in all of src and tracer.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { root } from '../support/paths.ts';

const EXPORTED = /^export (?:abstract )?(?:class|interface|type|function|const|enum) (\w+)/gm;

test('no two files export different things under one name', () => {
	const filesOf = new Map<string, Set<string>>();
	for (const room of ['src', 'tracer']) {
		for (const file of readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })) {
			if (!file.endsWith('.ts')) continue;
			const text = readFileSync(path.join(root, room, file), 'utf8');
			for (const [, name] of text.matchAll(EXPORTED)) {
				filesOf.set(name!, (filesOf.get(name!) ?? new Set()).add(path.join(room, file)));
			}
		}
	}
	assert.ok(filesOf.size > 1000, `${filesOf.size} names`);
	assert.deepEqual(
		[...filesOf].filter(([, files]) => files.size > 1).map(([name, files]) => `${name}: ${[...files].join(', ')}`),
		[],
	);
});
