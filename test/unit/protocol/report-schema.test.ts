// The JSON that scripts read is what docs/report.schema.json says, and that follows the report's types.
// `UPDATE_GOLDEN=1` rewrites the schema from the types.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { reportOfFile } from '../../../src/host/sessions/report-source.ts';
import { EMPTY_REPORT, type Report } from '../../../src/protocol/report.ts';
import { schemaErrors } from '../../support/check-schema.ts';
import { root } from '../../support/paths.ts';
import { ANY_FINDING, block, culprit, line, loop, report, split } from '../../support/report-values.ts';
import { type Schema, schemaOfTypes } from '../../support/type-schema.ts';

const FILE = path.join(root, 'docs/report.schema.json');
const TYPES = path.join(root, 'src/protocol/report.ts');

/** The summary that a recording carries, which only we read: without comments. */
const SUMMARY_FILE = path.join(root, 'src/host/recordings/summary.schema.json');
const SUMMARY_TYPES = typesIn('report', 'overview', 'timeline', 'summary');
/** And the index. */
const INDEX_FILE = path.join(root, 'src/host/recordings/timeline-index.schema.json');
const INDEX_TYPES = typesIn('report', 'timeline-index');

const schema = () => JSON.parse(readFileSync(FILE, 'utf8')) as Schema;

test('the schema is that of the types', () => {
	assertGolden(FILE, schemaOfTypes([TYPES], 'Report'));
});

test('the schema of a recording’s summary is that of the types', () => {
	assertOwn(SUMMARY_FILE, SUMMARY_TYPES, 'Summary');
});

test('the schema of a recording’s index is that of the types', () => {
	assertOwn(INDEX_FILE, INDEX_TYPES, 'TimelineIndex');
});

function typesIn(...names: string[]): string[] {
	return names.map((name) => path.join(root, `src/protocol/${name}.ts`));
}

/** As `assertGolden`, of what only we read. */
function assertOwn(file: string, types: readonly string[], name: string): void {
	const { $schema: _, ...made } = schemaOfTypes(types, name);
	assertGolden(file, made, (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value));
}

function assertGolden(file: string, value: object, replace?: (name: string, value: unknown) => unknown): void {
	const made = `${JSON.stringify(value, replace, '\t')}\n`;
	if (process.env.UPDATE_GOLDEN) writeFileSync(file, made);
	assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(made), 'rewrite it with UPDATE_GOLDEN=1');
}

/** A report with something of everything. */
function full(): Report {
	const { totalMs, p50Ms, p95Ms, maxMs } = split(1);
	const range = { low: { totalMs, p50Ms, p95Ms, maxMs }, high: { totalMs: 2, p50Ms, p95Ms, maxMs } };
	return report({
		lines: [line({ wait: split(5), lag: { ...split(1, 'estimated'), range }, perSecond: 2 })],
		loops: [loop({ blocks: [block({ culprits: [culprit({ calledFrom: { file: '/a', line: 1, function: 'f' } })] })] })],
		findings: [
			{
				...ANY_FINDING,
				code: 'pool-size-too-late',
				evidence: { effective: 4, wanted: 8 },
				effects: [{ ...ANY_FINDING, code: 'pool-size-too-late', evidence: { effective: 4, wanted: 8 } }],
			},
		],
	});
}

test('reports are as the schema says', () => {
	assert.deepEqual(schemaErrors(EMPTY_REPORT, schema()), []);
	// As a reader receives it: undefined properties are absent.
	assert.deepEqual(schemaErrors(JSON.parse(JSON.stringify(full())), schema()), []);
});

const FAULTS: [string, (faulty: Record<string, never> & Report) => void, RegExp][] = [
	['another version', (faulty) => Object.assign(faulty, { schema: 'waitline/report@1' }), /^\.schema is /],
	[
		'something left out',
		(faulty) => Reflect.deleteProperty(faulty.lines[0]!, 'wallMs'),
		/^\.lines\[0\]\.wallMs is missing/,
	],
	['something more', (faulty) => Object.assign(faulty.lines[0]!, { extra: 1 }), /^\.lines\[0\]\.extra is not in/],
	[
		'another type',
		(faulty) => Object.assign(faulty.lines[0]!, { count: '1' }),
		/^\.lines\[0\]\.count is of the type string/,
	],
	[
		'an unknown class',
		(faulty) => Object.assign(faulty.lines[0]!, { class: 'disk' }),
		/^\.lines\[0\]\.class is "disk"/,
	],
	[
		'a figure that is none',
		(faulty) => Object.assign(faulty.lines[0]!.wait!, { p95Ms: NaN }),
		/^\.lines\[0\]\.wait\.p95Ms/,
	],
	[
		'the evidence of another finding',
		(faulty) => Object.assign(faulty.findings[0]!, { evidence: { callbacks: 1, runMs: 2, longestRunMs: 3 } }),
		/^\.findings\[0\]/,
	],
];
for (const [what, plant, said] of FAULTS) {
	test(`the check sees ${what}`, () => {
		const faulty = structuredClone(full());
		plant(faulty as never);
		const errors = schemaErrors(faulty, schema());
		assert.ok(errors.length > 0 && errors.every((error) => said.test(error)), errors.join('\n'));
	});
}

test('a recording that version 0.1.0 has written opens, and its report is as the schema says', async () => {
	const file = path.join(import.meta.dirname, '../recordings/version-0.1.0.waitline');
	const { report: opened } = await reportOfFile(file, () => Promise.reject(new Error('it carries its sources')));
	assert.deepEqual(schemaErrors(JSON.parse(JSON.stringify(opened)), schema()), []);
	const { emitted, decoded } = opened.accounting;
	assert.ok(emitted > 0 && emitted === decoded, `${decoded} of ${emitted} records`);
	assert.deepEqual(
		opened.lines.filter(({ op }) => op === 'http.get').map(({ line, count }) => [line, count]),
		[
			[24, 20],
			[30, 20],
		],
	);
});
