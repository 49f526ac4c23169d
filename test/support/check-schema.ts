// Whether a value is what a JSON schema says, as far as our own schemas need it: types, constants, objects, arrays, alternatives and references.
import type { Schema } from './type-schema.ts';

/** Keywords that do not restrict a value. */
const SILENT = new Set(['$schema', '$defs', 'title', 'description']);
const KNOWN = new Set([
	'$ref',
	'type',
	'const',
	'enum',
	'items',
	'anyOf',
	'properties',
	'required',
	'additionalProperties',
]);

/** Those whose keywords are all known: a schema is read for every value of its kind. */
const checked = new WeakSet<Schema>();

/** What is wrong, each with its place (`.lines[3].wait`); empty where the value matches. */
export function schemaErrors(value: unknown, schema: Schema, root = schema, at = ''): string[] {
	const errors: string[] = [];
	look(value, schema, root, at, errors);
	return errors;
}

function look(value: unknown, schema: Schema, root: Schema, at: string, errors: string[]): void {
	if (!checked.has(schema)) check(schema);
	if (schema.$ref !== undefined) {
		look(value, definition(root, schema.$ref), root, at, errors);
	} else if (schema.anyOf !== undefined) {
		errors.push(...alternatives(value, schema.anyOf, root, at));
	} else if (schema.const !== undefined) {
		if (value !== schema.const) errors.push(`${at} is ${text(value)}, not ${schema.const}`);
	} else if (schema.enum !== undefined) {
		if (!schema.enum.includes(value as string))
			errors.push(`${at} is ${text(value)}, not one of ${schema.enum.join(', ')}`);
	} else {
		lookAtType(value, schema, root, at, errors);
	}
}

function lookAtType(value: unknown, schema: Schema, root: Schema, at: string, errors: string[]): void {
	const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
	if (type !== schema.type) errors.push(`${at} is of the type ${type}, not ${schema.type}`);
	else if (typeof value === 'number' && !Number.isFinite(value)) errors.push(`${at} is not finite`);
	else if (Array.isArray(value)) {
		for (const [index, item] of value.entries()) look(item, schema.items ?? {}, root, `${at}[${index}]`, errors);
	} else if (type === 'object') members(value as Record<string, unknown>, schema, root, at, errors);
}

function check(schema: Schema): void {
	for (const keyword of Object.keys(schema)) {
		if (!SILENT.has(keyword) && !KNOWN.has(keyword)) throw new Error(`the keyword ${keyword} is not checked`);
	}
	checked.add(schema);
}

function members(
	value: Record<string, unknown>,
	{ properties = {}, required = [], additionalProperties }: Schema,
	root: Schema,
	at: string,
	errors: string[],
): void {
	for (const name of required) if (!Object.hasOwn(value, name)) errors.push(`${at}.${name} is missing`);
	for (const name of Object.keys(value)) {
		if (Object.hasOwn(properties, name)) look(value[name], properties[name]!, root, `${at}.${name}`, errors);
		else if (additionalProperties === false) errors.push(`${at}.${name} is not in the schema`);
	}
}

/** The errors of the alternative that fits best: none as soon as one fits. */
function alternatives(value: unknown, anyOf: readonly Schema[], root: Schema, at: string): string[] {
	let least: string[] | null = null;
	for (const each of anyOf) {
		const errors = schemaErrors(value, each, root, at);
		if (errors.length === 0) return errors;
		if (least === null || errors.length < least.length) least = errors;
	}
	return least ?? [];
}

function definition(root: Schema, reference: string): Schema {
	const found = root.$defs?.[reference.replace('#/$defs/', '')];
	if (found === undefined) throw new Error(`the schema has no ${reference}`);
	return found;
}

function text(value: unknown): string {
	return JSON.stringify(value) ?? String(value);
}
