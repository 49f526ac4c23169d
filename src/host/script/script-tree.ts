// The syntax tree of a script, with what searches in it need: parents, calls, and where each name is declared, written and mentioned. Names are compared
// as such, whatever their scope: a search that must be certain asks for a name that is declared once.
import {
	type AnyNode,
	type CallExpression,
	type Identifier,
	type NewExpression,
	type Node,
	type Options,
	parse,
} from 'acorn';
import { full, fullAncestor } from 'acorn-walk';
import { parseTypeScript, removeTypesIn } from './typescript-program.ts';

export type Call = CallExpression | NewExpression;

/**
 * Nodes that all searches of one script may visit, a second at most. A script that a person writes takes some thousands for each line that is asked for; a
 * malicious text could nest calls so that each is searched for each around it.
 */
const MOST_STEPS = 3_000_000;

/** Methods that take an answer, or what has come with it. */
const TAKES = /^(?:arrayBuffer|blob|buffer|json|text|then)$/;

const OPTIONS: Options = {
	ecmaVersion: 'latest',
	locations: true,
	allowHashBang: true,
	allowReturnOutsideFunction: true,
	allowAwaitOutsideFunction: true,
};

export class ScriptTree {
	readonly calls: Call[] = [];
	private steps = 0;
	/** A list of ancestors for each node could be as long as the text. */
	private readonly parents = new Map<Node, Node>();
	/** By name: what gives it its value, null for a parameter or a part of something. */
	private readonly declarations = new Map<string, (Node | null)[]>();
	private readonly mentions = new Map<string, Identifier[]>();
	/** Names of what the script exports. */
	private readonly exported = new Set<string>();
	/** Names to which something is assigned after their declaration, or to a property of which. */
	private readonly written = new Set<string>();

	constructor(program: Node) {
		fullAncestor(program, (node, _state, ancestors) => {
			const parent = ancestors.at(-2);
			if (parent !== undefined) this.parents.set(node, parent);
		});
		full(program, (node) => this.add(node as AnyNode));
	}

	parentOf(node: Node): Node | undefined {
		return this.parents.get(node);
	}

	/** The call whose answer another one takes apart: `get()` of `get().json()` and `get().then((answer) => …)`; null for any other. */
	answeredBy({ callee }: Call): CallExpression | null {
		const node = callee as AnyNode;
		if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'CallExpression') return null;
		return TAKES.test(calledName(node) ?? '') ? node.object : null;
	}

	/** What gives a name its value, where it is declared once and nothing else is assigned to it or to a property of it. */
	fixedValue(name: string): Node | null {
		const declared = this.declarations.get(name) ?? [];
		return declared.length === 1 && !this.written.has(name) ? declared[0]! : null;
	}

	isDeclared(name: string): boolean {
		return this.declarations.has(name);
	}

	/** Whether the script exports what it declares under that name. */
	isExported(name: string): boolean {
		return this.exported.has(name);
	}

	/** Where a name stands for its value: not where it is declared. */
	mentionsOf(name: string): readonly Identifier[] {
		return this.mentions.get(name) ?? [];
	}

	/** Visits a node and all in it; nothing once the search has taken too many steps. */
	walk(node: Node | null | undefined, visit: (node: AnyNode) => void): void {
		if (node === null || node === undefined || this.isExhausted) return;
		full(node, (each) => {
			this.steps++;
			visit(each as AnyNode);
		});
	}

	/** Whether a node, or anything in it, is such a one; false once the search has taken too many steps. */
	has(node: Node | null | undefined, is: (node: AnyNode) => boolean): boolean {
		let has = false;
		this.walk(node, (each) => {
			has ||= is(each);
		});
		return has;
	}

	/** Whether the search was given up: what it has found since is not to be trusted. */
	get isExhausted(): boolean {
		return this.steps > MOST_STEPS;
	}

	/** Names in an expression, `this` too. */
	mentionedIn(node: Node | null | undefined): string[] {
		const names: string[] = [];
		this.walk(node, (each) => {
			if (each.type === 'Identifier') names.push(each.name);
			else if (each.type === 'ThisExpression') names.push('this');
		});
		return names;
	}

	private add(node: AnyNode): void {
		if (isCall(node)) this.calls.push(node);
		switch (node.type) {
			case 'FunctionDeclaration':
			case 'FunctionExpression':
			case 'ArrowFunctionExpression':
				if (node.type === 'FunctionDeclaration' && node.id) this.addDeclared(node.id.name, node);
				for (const name of node.params.flatMap(namesIn)) this.addDeclared(name, null);
				break;
			case 'VariableDeclarator':
				for (const name of namesIn(node.id)) this.addDeclared(name, node.init ?? null);
				break;
			case 'ClassDeclaration':
				if (node.id) this.addDeclared(node.id.name, node);
				break;
			case 'ImportDeclaration':
				for (const { local } of node.specifiers) this.addDeclared(local.name, node);
				break;
			case 'ExportNamedDeclaration':
				for (const { local } of node.specifiers) if (local.type === 'Identifier') this.exported.add(local.name);
				for (const name of namesDeclaredBy(node.declaration)) this.exported.add(name);
				break;
			case 'ExportDefaultDeclaration':
				for (const name of [...namesDeclaredBy(node.declaration), ...namesIn(node.declaration)])
					this.exported.add(name);
				break;
			case 'CatchClause':
				for (const name of namesIn(node.param)) this.addDeclared(name, null);
				break;
			case 'AssignmentExpression':
				for (const name of rootsOf(node.left)) this.written.add(name);
				break;
			case 'UpdateExpression':
				for (const name of rootsOf(node.argument)) this.written.add(name);
				break;
			case 'Identifier':
				if (this.isMention(node)) addTo(this.mentions, node.name, node);
		}
	}

	private addDeclared(name: string, value: Node | null): void {
		addTo(this.declarations, name, value);
	}

	private isMention(node: Node): boolean {
		const parent = this.parents.get(node) as AnyNode | undefined;
		switch (parent?.type) {
			case 'VariableDeclarator':
			case 'FunctionDeclaration':
			case 'FunctionExpression':
			case 'ClassDeclaration':
			case 'ClassExpression':
				return parent.id !== node;
			default:
				return true;
		}
	}
}

function addTo<T>(lists: Map<string, T[]>, name: string, value: T): void {
	const list = lists.get(name);
	if (list === undefined) lists.set(name, [value]);
	else list.push(value);
}

/** The text of a script. */
export interface ScriptText {
	text: string;
	/** Whether it may contain types: the same text may mean something else then, such as `f<T>(x)`. */
	isTypeScript: boolean;
}

/** The name by which a call names what it calls: `get` of `get(…)` and `client.get(…)`, `#get` of `this.#get(…)`; null for all else. */
export function calledName(callee: Node): string | null {
	const node = callee as AnyNode;
	if (node.type === 'Identifier') return node.name;
	if (node.type === 'PrivateIdentifier') return `#${node.name}`;
	return node.type === 'MemberExpression' && !node.computed ? calledName(node.property) : null;
}

/** Null where the text is no such script, or is nested too deeply for V8's stack. */
export function treeOf(script: ScriptText): ScriptTree | null {
	const program = programOf(script);
	return program === null ? null : unlessTooDeep(() => new ScriptTree(program));
}

/** Null where the text is no such script, or is nested too deeply for V8's stack. */
export function programOf(script: ScriptText): Node | null {
	const program = parsed(script);
	if (program === null || !script.isTypeScript) return program;
	return unlessTooDeep(() => {
		removeTypesIn(program);
		return program;
	});
}

function parsed({ text, isTypeScript }: ScriptText): Node | null {
	const parseText = isTypeScript ? parseTypeScript : parse;
	// Sloppy code of CommonJS, such as `with` or octal numbers, is no module.
	for (const sourceType of ['module', 'script'] as const) {
		try {
			return parseText(text, { ...OPTIONS, sourceType });
		} catch {
			// The other source type may work.
		}
	}
	return null;
}

export function unlessTooDeep<T>(make: () => T): T | null {
	try {
		return make();
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
}

/** The names that a pattern declares, or an assignment to it writes; of properties none. */
export function namesIn(pattern: Node | null | undefined): string[] {
	const node = pattern as AnyNode | null | undefined;
	switch (node?.type) {
		case 'Identifier':
			return [node.name];
		case 'ObjectPattern':
			return node.properties.flatMap((each) => namesIn(each.type === 'Property' ? each.value : each));
		case 'ArrayPattern':
			return node.elements.flatMap(namesIn);
		case 'AssignmentPattern':
			return namesIn(node.left);
		case 'RestElement':
			return namesIn(node.argument);
		default:
			return [];
	}
}

/** The names that a declaration declares; of anything else, such as an expression in a loop's head, none. */
export function declaredBy(declaration: Node | null | undefined): string[] {
	const node = declaration as AnyNode | null | undefined;
	return node?.type === 'VariableDeclaration' ? node.declarations.flatMap(({ id }) => namesIn(id)) : [];
}

/** The names that a declaration of any kind declares. */
function namesDeclaredBy(declaration: Node | null | undefined): string[] {
	const node = declaration as AnyNode | null | undefined;
	return node !== null && node !== undefined && 'id' in node && node.id ? namesIn(node.id) : declaredBy(node);
}

/** The variables whose value, or a part of it, an assignment to an expression changes: `a` of `a.b.c`, `this` of `this.x`. */
export function rootsOf(target: Node): string[] {
	const node = target as AnyNode;
	switch (node.type) {
		case 'MemberExpression':
			return rootsOf(node.object);
		case 'ChainExpression':
			return rootsOf(node.expression);
		case 'ThisExpression':
		case 'Super':
			return ['this'];
		case 'ObjectPattern':
			return node.properties.flatMap((each) => rootsOf(each.type === 'Property' ? each.value : each));
		case 'ArrayPattern':
			return node.elements.flatMap((each) => (each === null ? [] : rootsOf(each)));
		case 'AssignmentPattern':
			return rootsOf(node.left);
		case 'RestElement':
			return rootsOf(node.argument);
		default:
			return namesIn(node);
	}
}

export function isFunction(node: Node): boolean {
	return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

export function isCall(node: Node): node is Call {
	return node.type === 'CallExpression' || node.type === 'NewExpression';
}

export function contains(outer: Node, inner: Node): boolean {
	return outer.start <= inner.start && inner.end <= outer.end;
}
