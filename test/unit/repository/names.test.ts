// One name, one meaning, in all of src and tracer: for what the product's files export, and for every type.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { root } from '../../support/paths.ts';

const EXPORTED = /^export (?:abstract )?(?:class|interface|type|function|const|enum) (\w+)/gm;
const TYPE = /^(?:export )?(?:abstract )?(?:class|interface|type|enum) (\w+)/gm;

const texts = ['src', 'tracer'].flatMap((folder) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => ({
			file: path.join(folder, file),
			text: readFileSync(path.join(root, folder, file), 'utf8'),
		})),
);

/** Names that a pattern finds in more than one file. @param least how many it must find, or it has stopped matching */
function namesOfSeveral(pattern: RegExp, least: number): string[] {
	const filesOf = new Map<string, Set<string>>();
	for (const { file, text } of texts) {
		for (const [, name] of text.matchAll(pattern)) filesOf.set(name!, (filesOf.get(name!) ?? new Set()).add(file));
	}
	assert.ok(filesOf.size > least, `${filesOf.size} names`);
	return [...filesOf].filter(([, files]) => files.size > 1).map(([name, files]) => `${name}: ${[...files].join(', ')}`);
}

test('no two files export different things under one name', () => {
	assert.deepEqual(namesOfSeveral(EXPORTED, 1000), []);
});

test('no two files give one name to different types, whether or not they export them', () => {
	assert.deepEqual(namesOfSeveral(TYPE, 600), []);
});
