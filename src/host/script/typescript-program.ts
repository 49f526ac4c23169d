// The syntax tree of a script in TypeScript, as if it had been written in JavaScript: without its types, with all positions as they are in the text. So what
// searches in scripts need not know of types.
import { tsPlugin } from '@sveltejs/acorn-typescript';
import {
	type AnyNode,
	type Expression,
	type Identifier,
	type Node,
	type Options,
	Parser,
	type SourceLocation,
} from 'acorn';

/**
 * The parser tries one reading after another, so that it may read a text of 60 characters millions of times. Of what people write, it reads a third of a token a
 * character.
 */
const MOST_TOKENS_PER_CHARACTER = 2;

/** Parts in which only types are; decorators are searched by nobody. */
const TYPES = new Set([
	'decorators',
	'implements',
	'returnType',
	'superTypeArguments',
	'superTypeParameters',
	'typeAnnotation',
	'typeArguments',
	'typeParameters',
]);

/** `x as T`, `x satisfies T`, `x!`, `<T>x`, `x<T>`: their value is that of `x`. */
const TYPED = /^TS(?:AsExpression|SatisfiesExpression|NonNullExpression|TypeAssertion|InstantiationExpression)$/;

/** What the plugin adds to nodes, and its own nodes. */
type TypedNode = Node & {
	abstract?: boolean;
	body?: TypedNode;
	declaration?: TypedNode | null;
	declare?: boolean;
	exportKind?: 'type' | 'value';
	expression?: TypedNode;
	id?: Identifier;
	importKind?: 'type' | 'value';
	moduleReference?: TypedNode;
	name?: string;
	parameter?: TypedNode;
	value?: unknown;
};

/** The methods of acorn's parser that its types leave to plugins. */
type OpenParser = new (options: Options, text: string) => Parser & { nextToken(): void };

const TypeScript = Parser.extend(bounded, tsPlugin());

/** A parser that gives up on a text of which it reads too much again and again. */
function bounded(Base: typeof Parser): typeof Parser {
	class Bounded extends (Base as unknown as OpenParser) {
		private tokensLeft = MOST_TOKENS_PER_CHARACTER * this.input.length;

		override nextToken(): void {
			// Not a SyntaxError, behind which another reading is tried.
			if (--this.tokensLeft < 0) throw new Error('The text is read again and again.');
			super.nextToken();
		}

		/** For each `<` that compares something an error is raised: acorn's has its line, for which it counts from the beginning of the text. */
		raise(_position: number, message: string): never {
			throw new SyntaxError(message);
		}

		raiseRecoverable(_position: number, message: string): never {
			throw new SyntaxError(message);
		}
	}
	return Bounded as unknown as typeof Parser;
}

/** @throws where the text is no TypeScript, is nested too deeply for V8's stack, or would take too long */
export function parseTypeScript(text: string, options: Options): Node {
	return TypeScript.parse(text, options);
}

/** @throws RangeError where it is nested too deeply for V8's stack */
export function removeTypesIn(node: Node): void {
	const parts = node as unknown as Record<string, unknown>;
	for (const [key, part] of Object.entries(parts)) {
		if (TYPES.has(key)) delete parts[key];
		else if (Array.isArray(part))
			parts[key] = part.flatMap((each) => (isNode(each) ? (withoutTypes(each) ?? []) : [each]));
		else if (isNode(part)) parts[key] = withoutTypes(part);
	}
}

function isNode(value: unknown): value is TypedNode {
	return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** A node as JavaScript, with all that is in it; null of one that does nothing when the program runs. */
function withoutTypes(node: TypedNode): Node | null {
	if (TYPED.test(node.type)) return withoutTypes(node.expression!);
	if (isTypeOnly(node)) return null;
	const plain = plainNode(node);
	if (plain === null) return null;
	removeTypesIn(plain);
	// `export default interface …`
	return plain.type === 'ExportDefaultDeclaration' && (plain as TypedNode).declaration === null ? null : plain;
}

function isTypeOnly(node: TypedNode): boolean {
	if (node.declare === true || node.importKind === 'type' || node.exportKind === 'type') return true;
	// `this: T` among the parameters of a function; `this` as a value is no identifier.
	if (node.type === 'Identifier' && node.name === 'this') return true;
	const isMember = node.type === 'MethodDefinition' || node.type === 'PropertyDefinition';
	return isMember && (node.abstract === true || (isNode(node.value) && node.value.type === 'TSDeclareMethod'));
}

/** A node of TypeScript's own as what it becomes when it is compiled, as far as searches ask for it. */
function plainNode(node: TypedNode): Node | null {
	switch (node.type) {
		case 'TSParameterProperty':
			return node.parameter!;
		case 'TSExportAssignment':
			return { ...node, type: 'ExpressionStatement' } as Node;
		case 'TSEnumDeclaration':
			return declarationOf(node, null);
		case 'TSImportEqualsDeclaration':
			return declarationOf(node, requireOf(node.moduleReference!));
		case 'TSModuleDeclaration':
			return node.body === undefined ? null : blockOf(node.body);
		default:
			return node.type.startsWith('TS') ? null : node;
	}
}

function declarationOf(node: TypedNode, init: Expression | null): AnyNode {
	const at = positionOf(node);
	const declarator = { ...at, type: 'VariableDeclarator', id: node.id!, init } as const;
	return { ...at, type: 'VariableDeclaration', kind: 'const', declarations: [declarator] };
}

/** Of `import fs = require('fs')`; null of `import read = fs.read`. */
function requireOf(node: TypedNode): Expression | null {
	if (node.type !== 'TSExternalModuleReference') return null;
	const at = positionOf(node);
	const callee = { ...at, type: 'Identifier', name: 'require' } as const;
	return { ...at, type: 'CallExpression', callee, arguments: [node.expression as Expression], optional: false };
}

/** Of a namespace: what is in it runs where it is. */
function blockOf(node: TypedNode): Node {
	if (node.type === 'TSModuleDeclaration') return blockOf(node.body!);
	return { ...node, type: 'BlockStatement' } as Node;
}

function positionOf({ start, end, loc }: Node): Pick<Node, 'start' | 'end'> & { loc: SourceLocation | null } {
	return { start, end, loc: loc ?? null };
}
