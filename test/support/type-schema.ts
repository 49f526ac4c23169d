// A JSON schema (draft 2020-12) out of a file of TypeScript that holds nothing but interfaces and types of data: the schema in docs/ is made from the
// report's own types, comments included, so both always say the same. Knows the part of TypeScript that such files use.
import { readFileSync } from 'node:fs';

export interface Schema {
	$schema?: string;
	$ref?: string;
	$defs?: Record<string, Schema>;
	title?: string;
	description?: string;
	type?: string;
	const?: string | number | null;
	enum?: (string | number | null)[];
	items?: Schema;
	anyOf?: Schema[];
	properties?: Record<string, Schema>;
	required?: string[];
	additionalProperties?: false;
}

/** A declared type: its parameters, where it has some, and what stands for it. */
interface Declaration {
	parameters: string[];
	/** An interface's parents. */
	parents: string[];
	/** The text of the type. */
	text: string;
	comment: string;
}

/** What type parameters stand for. */
type Bindings = Readonly<Record<string, Schema>>;

const TOKEN = /\s*(?:\/\*\*([\s\S]*?)\*\/|(['"])(.*?)\2|([A-Za-z_]\w*)|(\d+)|(.))/gy;
/** Arrays of numbers of one kind. */
const COLUMN = /^(?:Uint|Int|Float)\d+Array$/;
const DECLARATION =
	/(?:\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\n)?export (interface|type) (\w+)(?:<([^>]*)>)?(?: extends ([\w, ]+))? (?:=\s+)?/g;

/** @param root the type that the schema is of, in one of the files */
export function schemaOfTypes(files: readonly string[], root: string): Schema {
	const declarations = declarationsOf(files.map((file) => readFileSync(file, 'utf8')).join('\n'));
	const used = new Map<string, Schema>();
	const reader = new TypeReader(declarations, used);
	const schema = reader.ofName(root);
	return {
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		title: root,
		...(schema.$ref === undefined ? schema : used.get(root)),
		$defs: Object.fromEntries([...used].filter(([name]) => name !== root).sort(([a], [b]) => (a < b ? -1 : 1))),
	};
}

function declarationsOf(source: string): Map<string, Declaration> {
	const declarations = new Map<string, Declaration>();
	for (const match of source.matchAll(DECLARATION)) {
		const [whole, comment = '', kind, name, parameters = '', parents = ''] = match;
		const from = match.index + whole.length;
		// An interface ends with its brace, a type with its semicolon: neither stands at the beginning of a line before.
		const end = kind === 'interface' ? source.indexOf('\n}', from) + 2 : endOfType(source, from);
		declarations.set(name!, {
			parameters: parameters.split(',').flatMap((each) => each.trim().split(' ')[0] || []),
			parents: parents.split(',').flatMap((each) => each.trim() || []),
			text: source.slice(from, end),
			comment: proseOf(comment),
		});
	}
	return declarations;
}

/** Where the semicolon of a type is that no brace holds. */
function endOfType(source: string, from: number): number {
	let depth = 0;
	for (let at = from; at < source.length; at++) {
		if (source[at] === '{') depth++;
		if (source[at] === '}') depth--;
		if (source[at] === ';' && depth === 0) return at;
	}
	throw new Error(`the type that begins with "${source.slice(from, from + 40)}" has no end`);
}

/** A doc comment as one paragraph. */
function proseOf(comment: string): string {
	return comment
		.replace(/^\s*\* ?/gm, '')
		.replace(/\s+/g, ' ')
		.trim();
}

interface Token {
	kind: 'comment' | 'string' | 'name' | 'number' | 'sign';
	text: string;
}

function tokensOf(text: string): Token[] {
	return [...text.trim().matchAll(TOKEN)].map(([, comment, , string, name, number, sign]) => {
		if (comment !== undefined) return { kind: 'comment', text: proseOf(comment) };
		if (string !== undefined) return { kind: 'string', text: string };
		if (name !== undefined) return { kind: 'name', text: name };
		return number !== undefined ? { kind: 'number', text: number } : { kind: 'sign', text: sign! };
	});
}

/** Makes schemas of types; notes those with a name of their own. */
class TypeReader {
	private readonly declarations: ReadonlyMap<string, Declaration>;
	private readonly used: Map<string, Schema>;
	private tokens: Token[] = [];
	private bindings: Bindings = {};

	constructor(declarations: ReadonlyMap<string, Declaration>, used: Map<string, Schema>) {
		this.declarations = declarations;
		this.used = used;
	}

	/** A declared type without parameters, by reference. */
	ofName(name: string): Schema {
		if (!this.used.has(name)) {
			// Before its parts are read: one of them may be of the same type.
			this.used.set(name, {});
			this.used.set(name, this.bodyOf(name, {}));
		}
		return { $ref: `#/$defs/${name}` };
	}

	/** What a declared type is made of. */
	private bodyOf(name: string, bindings: Bindings): Schema {
		const declaration = this.declarations.get(name);
		if (declaration === undefined) throw new Error(`no type is called ${name}`);
		const own = this.read(declaration.text, bindings);
		const schema = declaration.parents.reduce((sum, parent) => merged(this.bodyOf(parent, {}), sum), own);
		const { description: _, ...rest } = schema;
		return declaration.comment === '' ? rest : { description: declaration.comment, ...rest };
	}

	private read(text: string, bindings: Bindings): Schema {
		const outer = { tokens: this.tokens, bindings: this.bindings };
		this.tokens = tokensOf(text);
		this.bindings = bindings;
		const schema = this.union();
		if (this.tokens.length > 0) throw new Error(`"${this.tokens[0]!.text}" is not understood in ${text}`);
		this.tokens = outer.tokens;
		this.bindings = outer.bindings;
		return schema;
	}

	private union(): Schema {
		this.take('|');
		const members = [this.intersection()];
		while (this.take('|')) members.push(this.intersection());
		if (members.length === 1) return members[0]!;
		const values = members.map((member) => member.const);
		if (values.every((value) => value !== undefined)) return { enum: values };
		return { anyOf: members };
	}

	private intersection(): Schema {
		let schema = this.array();
		while (this.take('&')) schema = merged(this.resolved(schema), this.resolved(this.array()));
		return schema;
	}

	private array(): Schema {
		let schema = this.single();
		while (this.take('[')) {
			if (this.take(']')) {
				schema = { type: 'array', items: schema };
				continue;
			}
			const key = this.union();
			this.expect(']');
			schema = this.memberOf(schema, key);
		}
		return schema;
	}

	/** An indexed access, such as `Evidence[Code]`; of a type that was mapped already, what it was mapped to. */
	private memberOf(schema: Schema, key: Schema): Schema {
		if (schema.anyOf !== undefined) return schema;
		const member = this.resolved(schema).properties?.[String(key.const)];
		if (member === undefined) throw new Error(`no member ${JSON.stringify(key)}`);
		const { description: _, ...plain } = member;
		return plain;
	}

	private single(): Schema {
		const token = this.tokens.shift();
		if (token === undefined) throw new Error('a type is missing');
		if (token.kind === 'string') return { const: token.text };
		if (token.kind === 'number') return { const: Number(token.text) };
		if (token.kind === 'name') return this.named(token.text);
		if (token.text === '(') {
			const schema = this.union();
			this.expect(')');
			return schema;
		}
		if (token.text === '{') return this.isMapped() ? this.mapped() : this.object();
		throw new Error(`"${token.text}" is not understood`);
	}

	private named(name: string): Schema {
		if (name === 'null') return { const: null };
		if (name === 'string' || name === 'number' || name === 'boolean') return { type: name };
		if (name === 'keyof') {
			const keys = Object.keys(this.resolved(this.single()).properties ?? {});
			return { enum: keys };
		}
		if (Object.hasOwn(this.bindings, name)) return this.bindings[name]!;
		// As JSON has them.
		if (COLUMN.test(name)) return { type: 'array', items: { type: 'number' } };
		if (!this.take('<')) return this.ofName(name);
		const given = [this.union()];
		while (this.take(',')) given.push(this.union());
		this.expect('>');
		if (name === 'Exclude') return without(this.resolved(given[0]!), given[1]!);
		const { parameters } = this.declarations.get(name)!;
		return this.bodyOf(name, Object.fromEntries(parameters.map((parameter, i) => [parameter, given[i]!])));
	}

	/** `{ [Code in FindingCode]: FindingOf<Code> }`, as what it is for each key. */
	private isMapped(): boolean {
		return this.tokens[0]?.text === '[' && this.tokens[2]?.text === 'in';
	}

	private mapped(): Schema {
		this.expect('[');
		const parameter = this.tokens.shift()!.text;
		this.expect('in');
		const keys = this.resolved(this.union()).enum ?? [];
		this.expect(']');
		this.expect(':');
		const rest = this.tokens;
		const outer = this.bindings;
		const anyOf = keys.map((key) => {
			this.tokens = [...rest];
			this.bindings = { ...outer, [parameter]: { const: key } };
			return this.union();
		});
		this.bindings = outer;
		this.take(';');
		this.expect('}');
		return { anyOf };
	}

	private object(): Schema {
		const properties: Record<string, Schema> = {};
		const required: string[] = [];
		while (!this.take('}')) {
			const comment = this.tokens[0]?.kind === 'comment' ? this.tokens.shift()!.text : '';
			if (this.tokens[0]?.text === 'readonly') this.tokens.shift();
			const name = this.tokens.shift()!.text;
			if (!this.take('?')) required.push(name);
			this.expect(':');
			const type = this.union();
			properties[name] = comment === '' ? type : { description: comment, ...type };
			this.take(';');
		}
		return { type: 'object', properties, required, additionalProperties: false };
	}

	/** The schema that a reference stands for. */
	private resolved(schema: Schema): Schema {
		return schema.$ref === undefined ? schema : this.used.get(schema.$ref.replace('#/$defs/', ''))!;
	}

	private take(text: string): boolean {
		if (this.tokens[0]?.text !== text || this.tokens[0].kind === 'string') return false;
		this.tokens.shift();
		return true;
	}

	private expect(text: string): void {
		if (!this.take(text)) throw new Error(`"${text}" is missing before "${this.tokens[0]?.text}"`);
	}
}

/** An object that has the members of both. */
function merged(a: Schema, b: Schema): Schema {
	return {
		type: 'object',
		properties: { ...a.properties, ...b.properties },
		required: [...new Set([...(a.required ?? []), ...(b.required ?? [])])],
		additionalProperties: false,
	};
}

function without({ enum: values = [] }: Schema, { const: left }: Schema): Schema {
	return { enum: values.filter((value) => value !== left) };
}
