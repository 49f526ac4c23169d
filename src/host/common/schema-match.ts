// Whether a value that came from a stranger is what a JSON schema of ours says (test/support/type-schema.ts makes them): nothing missing, nothing more.

export interface Schema {
	$ref?: string;
	$defs?: Readonly<Record<string, Schema>>;
	type?: string;
	const?: unknown;
	enum?: readonly unknown[];
	items?: Schema;
	anyOf?: readonly Schema[];
	properties?: Readonly<Record<string, Schema>>;
	required?: readonly string[];
}

/** Deeper than any of our values: one that refers to itself could be nested until the stack is full. */
const MOST_DEPTH = 24;

/** Numbers have to be within ±`Number.MAX_SAFE_INTEGER`. */
export function matches(value: unknown, schema: Schema, root = schema, depth = 0): boolean {
	if (depth > MOST_DEPTH) return false;
	if (schema.$ref !== undefined) {
		return matches(value, root.$defs![schema.$ref.replace('#/$defs/', '')]!, root, depth);
	}
	if (schema.anyOf !== undefined) return schema.anyOf.some((each) => matches(value, each, root, depth + 1));
	if ('const' in schema) return value === schema.const;
	if (schema.enum !== undefined) return schema.enum.includes(value);
	if (schema.type === 'array') {
		return Array.isArray(value) && value.every((item) => matches(item, schema.items!, root, depth + 1));
	}
	if (schema.type === 'object') return isMember(value) && hasMembers(value, schema, root, depth + 1);
	if (typeof value === 'number') return schema.type === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
	return typeof value === schema.type;
}

function isMember(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasMembers(value: Record<string, unknown>, schema: Schema, root: Schema, depth: number): boolean {
	const { properties = {}, required = [] } = schema;
	// In the schema's order: what distinguishes alternatives comes first there, so that only one of them is checked to its depth.
	return (
		required.every((name) => Object.hasOwn(value, name)) &&
		Object.keys(value).every((name) => Object.hasOwn(properties, name)) &&
		Object.entries(properties).every(
			([name, schema]) => !Object.hasOwn(value, name) || matches(value[name], schema, root, depth),
		)
	);
}
