// In how many ways a script's text leads to a call, each at most once. A function that many others ask through, such as a client's `get`, is asked several
// times for one request without any loop: those are different questions, which no single one could replace.
import type { AnyNode, Node } from 'acorn';
import { type Call, calledName, isCall, isFunction, type ScriptTree } from './script-tree.ts';

const LOOP = /^(?:DoWhile|For|ForIn|ForOf|While)Statement$/;
/** What calls a function given to it at most once for each time that it is called itself, or for each request. */
const CALLS_ONCE =
	/^(?:all|catch|createServer|delete|finally|get|head|listen|nextTick|on|once|options|patch|post|Promise|put|queueMicrotask|run|setImmediate|setTimeout|then|use)$/;
/** Functions that call one another, up to this depth. */
const MOST_DEEP = 50;
/** More are of no interest. */
const MOST_WAYS = 1000;

export class WaysToCall {
	private readonly tree: ScriptTree;
	/** By the name of what they call, or are given. */
	private readonly calls = new Map<string, Call[]>();
	private readonly given = new Map<string, Call[]>();
	/** Into each function; null where one may be taken again and again. */
	private readonly known = new Map<Node, number | null>();

	constructor(tree: ScriptTree) {
		this.tree = tree;
		for (const call of tree.calls) {
			addTo(this.calls, calledName(call.callee), call);
			for (const each of call.arguments) addTo(this.given, calledName(each), call);
		}
	}

	/** 0 where one of the ways may be taken again and again, or that is not certain. */
	to(call: Node): number {
		const ways = this.through(call, 0);
		return ways === null || ways > MOST_WAYS ? 0 : ways;
	}

	private through(node: Node, depth: number): number | null {
		let inner = node;
		let at = this.tree.parentOf(node) as AnyNode | undefined;
		while (at !== undefined) {
			if (LOOP.test(at.type) && !isBefore(at, inner)) return null;
			if (isFunction(at)) return this.into(at, depth + 1);
			inner = at;
			at = this.tree.parentOf(at) as AnyNode | undefined;
		}
		return 1;
	}

	private into(body: Node, depth: number): number | null {
		const known = this.known.get(body);
		if (known !== undefined) return known;
		// One that leads to itself may be called again and again.
		this.known.set(body, null);
		const ways = depth > MOST_DEEP ? null : this.find(body, depth);
		this.known.set(body, ways);
		return ways;
	}

	private find(body: Node, depth: number): number | null {
		const parent = this.tree.parentOf(body) as AnyNode | undefined;
		if (parent === undefined || ('generator' in body && body.generator === true)) return null;
		// It is called at once, or given to something that calls it.
		if (isCall(parent)) return parent.callee === body || callsOnce(parent) ? this.through(parent, depth) : null;
		// Such as `module.exports = async (request, response) => …`.
		if (parent.type === 'AssignmentExpression') return 1;
		const name = nameOf(body as AnyNode) ?? nameOf(parent);
		if (name === null) return parent.type === 'ExportDefaultDeclaration' ? 1 : null;
		const given = this.given.get(name) ?? [];
		if (!given.every(callsOnce)) return null;
		let ways = 0;
		for (const call of [...given, ...(this.calls.get(name) ?? [])]) {
			const more = this.through(call, depth);
			if (more === null) return null;
			ways += more;
		}
		// Where nobody here calls it, another script may, or a router.
		return Math.max(1, ways);
	}
}

function addTo(calls: Map<string, Call[]>, name: string | null, call: Call): void {
	if (name === null) return;
	const known = calls.get(name);
	if (known === undefined) calls.set(name, [call]);
	else known.push(call);
}

function callsOnce({ callee }: Call): boolean {
	return CALLS_ONCE.test(calledName(callee) ?? '');
}

/** Whether a part of a loop runs once before its items do. */
function isBefore(loop: AnyNode, part: Node): boolean {
	if (loop.type === 'ForStatement') return part === loop.init;
	return (loop.type === 'ForOfStatement' || loop.type === 'ForInStatement') && part === loop.right;
}

/** The name that a declaration, variable, method or property gives to its function. */
function nameOf(node: AnyNode): string | null {
	switch (node.type) {
		case 'FunctionDeclaration':
		case 'FunctionExpression':
		case 'VariableDeclarator':
			return node.id?.type === 'Identifier' ? node.id.name : null;
		case 'MethodDefinition':
		case 'PropertyDefinition':
		case 'Property':
			if (node.computed) return null;
			if (node.key.type === 'PrivateIdentifier') return `#${node.key.name}`;
			return node.key.type === 'Identifier' ? node.key.name : null;
		default:
			return null;
	}
}
