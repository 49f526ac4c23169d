// What a report must be whatever it was read from: as its schema says, every number finite and none below zero, books that balance, and a
// text that says the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaErrors } from '../support/check-schema.ts';
import { root } from '../support/paths.ts';
import type { Schema } from '../support/type-schema.ts';
import type { Reading } from './reader.ts';

const SCHEMA = JSON.parse(readFileSync(join(root, 'docs/report.schema.json'), 'utf8')) as Schema;

/** The fields of the timeline that may be null: the report's are those of its schema. */
const NULLABLE = ['at', 'detail'];

/** Null says there is none, of a block without a line. */
const LINES = new Set(['line']);

/** Figures of the timeline that are -1 where a part is not known, or where there is nothing to point to. */
const MAY_LACK = new Set([
	'queueMs',
	'executeMs',
	'lagMs',
	'starter',
	'run',
	'request',
	'line',
	'worst',
	'operation',
	'behind',
]);

/** The first bin of a row may begin before the recording, and a line lie in it. */
const BEGINS_EARLIER = new Set(['fromMs', 'toMs']);

/** What is wrong with a report, what is drawn of it and its text; empty when nothing is. */
export function faultsOf({ report, overview, timeline, near, text }: Extract<Reading, { kind: 'report' }>): string[] {
	const faults: string[] = schemaErrors(report, SCHEMA).map((error) => `report${error}`);
	look(report, 'report', '', faults, false);
	look(overview, 'overview', '', faults, true);
	look(timeline, 'timeline', '', faults, true);
	look(near, 'near', '', faults, true);
	const { emitted, decoded, dropped, lost } = report.accounting;
	if (emitted !== decoded + dropped + lost)
		faults.push(`the books do not balance: ${JSON.stringify(report.accounting)}`);
	faults.push(...faultsOfText(text));
	return faults;
}

function look(value: unknown, path: string, name: string, faults: string[], isTimeline: boolean): void {
	if (typeof value === 'number') {
		const lacks = isTimeline && value === -1 && MAY_LACK.has(name);
		const isBin = isTimeline && BEGINS_EARLIER.has(name);
		if (!Number.isFinite(value) || (value < 0 && !lacks && !isBin)) faults.push(`${path} is ${value}`);
		if (LINES.has(name) && !isTimeline && !Number.isSafeInteger(value)) faults.push(`${path} is no line: ${value}`);
		return;
	}
	if (value === null) {
		if (isTimeline && !NULLABLE.includes(name)) faults.push(`${path} is null`);
		return;
	}
	if (typeof value === 'string' || typeof value === 'boolean') return;
	if (typeof value !== 'object') {
		faults.push(`${path} is ${typeof value}`);
		return;
	}
	// All of its values are possible ones.
	if (value instanceof Uint8Array) return;
	if (ArrayBuffer.isView(value)) {
		lookAtColumn(value as Float64Array, path, name, faults);
		return;
	}
	if ('low' in value && 'high' in value) lookAtRange(value, path, faults);
	// The entries of an array have the name of its field.
	for (const [key, entry] of Object.entries(value)) {
		look(entry, `${path}.${key}`, Array.isArray(value) ? name : key, faults, isTimeline);
	}
}

/** A column of the timeline: as `look` does it for each entry, but it has thousands. */
function lookAtColumn(values: Float64Array, path: string, name: string, faults: string[]): void {
	const least = MAY_LACK.has(name) ? -1 : 0;
	const wrong = values.findIndex((value) => !Number.isFinite(value) || value < least);
	if (wrong >= 0) faults.push(`${path}.${wrong} is ${values[wrong]}`);
}

/** The lower limit of a figure is not above its upper one. */
function lookAtRange({ low, high }: { low: unknown; high: unknown }, path: string, faults: string[]): void {
	const numbers = (limit: unknown) => (typeof limit === 'number' ? [limit] : Object.values(limit as object));
	const [least, most] = [numbers(low), numbers(high)];
	if (least.some((value, index) => value > most[index]!))
		faults.push(`${path} is no range: ${JSON.stringify({ low, high })}`);
}

/** A source line, which may say anything: its number, and the text. */
const SOURCE_LINE = /^ {2} *\d+ {2}/;
/** No number, or one below zero, where the report writes one: after a space or a sign of its own. */
const NO_FIGURE = /(^|[\s(≈×])(-\d|-?Infinity\b|NaN\b|undefined\b|null\b)/;

function faultsOfText(text: string): string[] {
	const lines = text.split('\n').filter((line) => !SOURCE_LINE.test(line));
	return lines.filter((line) => NO_FIGURE.test(line)).map((line) => `the text says: ${line.trim()}`);
}
