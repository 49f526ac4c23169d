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

/** What is wrong, each with its place (`.lines[3].wait`); empty where the value matches. */
export function schemaErrors(value: unknown, schema: Schema, root = schema, at = ''): string[] {
	for (const keyword of Object.keys(schema)) {
		if (!SILENT.has(keyword) && !KNOWN.has(keyword)) throw new Error(`the keyword ${keyword} is not checked`);
	}
	if (schema.$ref !== undefined) return schemaErrors(value, definition(root, schema.$ref), root, at);
	if (schema.anyOf !== undefined) return alternatives(value, schema.anyOf, root, at);
	if (schema.const !== undefined) return value === schema.const ? [] : [`${at} is ${text(value)}, not ${schema.const}`];
	if (schema.enum !== undefined) {
		return schema.enum.includes(value as string)
			? []
			: [`${at} is ${text(value)}, not one of ${schema.enum.join(', ')}`];
	}
	const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
	if (type !== schema.type) return [`${at} is of the type ${type}, not ${schema.type}`];
	if (typeof value === 'number' && !Number.isFinite(value)) return [`${at} is not finite`];
	if (Array.isArray(value)) {
		return value.flatMap((item, index) => schemaErrors(item, schema.items ?? {}, root, `${at}[${index}]`));
	}
	return type === 'object' ? members(value as Record<string, unknown>, schema, root, at) : [];
}

function members(value: Record<string, unknown>, schema: Schema, root: Schema, at: string): string[] {
	const { properties = {}, required = [] } = schema;
	const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`);
	const rest = Object.entries(value).flatMap(([name, member]) => {
		if (Object.hasOwn(properties, name)) return schemaErrors(member, properties[name]!, root, `${at}.${name}`);
		return schema.additionalProperties === false ? [`${at}.${name} is not in the schema`] : [];
	});
	return [...missing, ...rest];
}

/** The errors of the alternative that fits best. */
function alternatives(value: unknown, anyOf: readonly Schema[], root: Schema, at: string): string[] {
	const all = anyOf.map((each) => schemaErrors(value, each, root, at));
	return all.reduce((least, errors) => (errors.length < least.length ? errors : least));
}

function definition(root: Schema, reference: string): Schema {
	const found = root.$defs?.[reference.replace('#/$defs/', '')];
	if (found === undefined) throw new Error(`the schema has no ${reference}`);
	return found;
}

function text(value: unknown): string {
	return JSON.stringify(value) ?? String(value);
}
