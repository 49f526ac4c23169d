// How the tests read a report: one entry for one source line, and figures compared with one another.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Line, OperationClass, Report, Split } from '../../src/protocol/report.ts';

/** The 1-based number of the only line of `file` that contains `text`. */
export function lineWith(file: string, text: string): number {
	const numbers = readFileSync(file, 'utf8')
		.split('\n')
		.flatMap((line, index) => (line.includes(text) ? [index + 1] : []));
	assert.equal(numbers.length, 1, `exactly one line of ${file} should contain ${text}`);
	return numbers[0]!;
}

/** The first and last line of the block that starts on the line with `text` and ends at its closing brace. */
export function linesOfFunction(file: string, text: string): { first: number; last: number } {
	const first = lineWith(file, text);
	const rest = readFileSync(file, 'utf8').split('\n').slice(first);
	return { first, last: first + 1 + rest.indexOf('}') };
}

export interface Wanted {
	file: string;
	line: number;
	op?: string | undefined;
	class?: OperationClass | undefined;
}

/** All entries of the report that match. */
export function entries(report: Report, wanted: Wanted): Line[] {
	return report.lines.filter(
		(line) =>
			line.file === wanted.file &&
			line.line === wanted.line &&
			(wanted.op === undefined || line.op === wanted.op) &&
			(wanted.class === undefined || line.class === wanted.class),
	);
}

/** The only entry that matches. */
export function entry(report: Report, wanted: Wanted): Line {
	const found = entries(report, wanted);
	assert.equal(found.length, 1, `exactly one entry for ${JSON.stringify(wanted)} in ${describe(report)}`);
	return found[0]!;
}

/** The part of a line's time called `name`, which must be there and known. */
export function known(line: Line, name: 'wait' | 'queue' | 'execute' | 'lag' | 'run'): Split {
	const split = line[name];
	assert.ok(split, `${line.op} on line ${line.line} has ${name}`);
	assert.notEqual(split.basis, 'unknown', `${line.op} on line ${line.line}: basis of ${name}`);
	return split;
}

/** Nothing got lost between the program and the report. */
export function assertComplete(report: Report): void {
	const { emitted, decoded, dropped, lost } = report.accounting;
	assert.equal(emitted, decoded + dropped + lost, 'records emitted = decoded + dropped + lost');
	assert.deepEqual({ dropped, lost }, { dropped: 0, lost: 0 });
	assert.ok(emitted > 0, 'something was recorded');
}

/** `actual` is within `share` (0.15 is 15 %) of `expected`, or no further away than what `expected` itself may be off by. */
export function assertNear(actual: number, expected: number, share: number, what: string, offBy = 0): void {
	const rest = offBy > 0 ? `, which may be off by ${offBy.toFixed(2)}` : '';
	const text = `${what}: ${actual.toFixed(2)} should be within ${share * 100} % of ${expected.toFixed(2)}${rest}`;
	assert.ok(Math.abs(actual - expected) <= share * Math.abs(expected) + offBy, text);
}

export function sum(values: number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

function describe(report: Report): string {
	return JSON.stringify(
		report.lines.map(({ file, line, op, class: c, count }) => `${file}:${line} ${op} ${c} ×${count}`),
		null,
		1,
	);
}
