// Which calls in a script certainly only read: two of them that do not use each other's result may run at once. Certain is what the text alone shows:
// `fetch` without a method, reading functions of node:fs and node:dns, what well-known clients only read (`reading-clients.ts`), and functions of the script that
// do nothing else. A method of an object that we do not know may depend on the order of its calls.
import type { AnyNode, AwaitExpression, CallExpression, Identifier, Node } from 'acorn';
import { atOnce, isReadingClient } from './reading-clients.ts';
import { type Call, isCall, isFunction, namesIn, rootsOf, type ScriptTree } from './script-tree.ts';

/** Functions of Node's modules that change nothing. */
const READING: Record<string, RegExp> = {
	fs: /^(access|lstat|readdir|readFile|readlink|realpath|stat|statfs)$/,
	dns: /^(lookup|lookupService|resolve\w*|reverse)$/,
};
/** Functions of JavaScript's that only compute, by their names and those of what they belong to. */
const COMPUTING =
	/^(?:String|Number|Boolean|encodeURI(?:Component)?|Math\.\w+|JSON\.\w+|Object\.(?:keys|values|entries))$/;
/** Functions of node:path. */
const COMPUTING_PATHS = /^(?:basename|dirname|extname|join|relative|resolve)$/;
/** Methods of values that only compute, or take what has arrived: of strings, arrays and answers; `address` of servers. */
const COMPUTING_METHODS =
	/^(?:toString|trim|toLowerCase|toUpperCase|slice|split|includes|startsWith|endsWith|replaceAll|padStart|padEnd|substring|concat|join|indexOf|toFixed|toISOString|address|json|text|arrayBuffer|blob|bytes|formData)$/;
const COMPUTING_CLASSES = /^(?:URL|URLSearchParams|Error|TypeError|Date|Map|Set)$/;

export class ReadingCalls {
	private readonly tree: ScriptTree;
	private readonly functions = new Map<Node, boolean>();
	private readonly computing = new Map<Node, boolean>();

	constructor(tree: ScriptTree) {
		this.tree = tree;
	}

	/** Whether a call certainly only reads, and its arguments only compute. */
	isReading(node: Node): node is CallExpression {
		const call = node as AnyNode;
		if (call.type !== 'CallExpression' || call.optional) return false;
		const inner = this.tree.answeredBy(call);
		if (inner !== null) return this.isReading(inner) && call.arguments.every((each) => this.isTaking(each));
		const own = this.functionOf(call);
		const is =
			own === null
				? this.isOfNode(call) || isReadingClient(this.tree, call, chainOf(call.callee))
				: this.isReadingFunction(own);
		return is && call.arguments.every((each) => this.isComputing(each));
	}

	/** How many such calls its client sends at once; null where that is not limited, or unknown. */
	atOnce({ callee }: Call): number | null {
		return atOnce(this.tree, chainOf(callee));
	}

	/**
	 * What an expression takes something of and does nothing else: the inner await, of a reading call, of `await (await fetch(url)).json()` and of
	 * `(await pool.query(text)).rows`; the name in `await answer.json()`. Null for any other expression.
	 */
	sourceOf(expression: Node): AwaitExpression | Identifier | null {
		const node = expression as AnyNode;
		switch (node.type) {
			case 'Identifier':
				return node;
			case 'AwaitExpression':
				return this.isReading(node.argument) ? node : this.sourceOf(node.argument);
			case 'ChainExpression':
				return this.sourceOf(node.expression);
			case 'MemberExpression':
				return node.computed && !this.isComputing(node.property) ? null : this.sourceOf(node.object);
			case 'CallExpression': {
				const takes = COMPUTING_METHODS.test(propertyOf(node.callee as AnyNode) ?? '');
				return takes && node.arguments.every((each) => this.isComputing(each)) ? this.sourceOf(node.callee) : null;
			}
			default:
				return null;
		}
	}

	/** `(answer) => answer.json()`: what takes something of an answer and does nothing else. */
	private isTaking(node: Node): boolean {
		const taker = node as AnyNode;
		if (taker.type !== 'ArrowFunctionExpression' || taker.async || !taker.expression) return false;
		return [...taker.params, taker.body].every((each) => this.isComputing(each));
	}

	/** The script's function that a call calls by its name; null for another. */
	functionOf({ callee }: CallExpression): Node | null {
		const value = callee.type === 'Identifier' ? this.tree.fixedValue(callee.name) : null;
		return value !== null && isFunction(value) ? value : null;
	}

	/** The names that a reading call uses, those of other places in the functions that it calls too. */
	namesOf(call: Node, seen = new Set<Node>()): string[] {
		const names = this.tree.mentionedIn(call);
		this.tree.walk(call, (node) => {
			const called = node.type === 'CallExpression' ? this.functionOf(node) : null;
			if (called === null || seen.has(called)) return;
			seen.add(called);
			const own = this.declaredIn(called);
			names.push(...this.namesOf((called as AnyNode & { body: Node }).body, seen).filter((name) => !own.has(name)));
		});
		return names;
	}

	/** The names that a function, or a part of it, declares. */
	private declaredIn(within: Node): Set<string> {
		const names = new Set<string>();
		this.tree.walk(within, (node) => {
			const declared = node.type === 'VariableDeclarator' ? [node.id] : isFunction(node) ? paramsOf(node) : [];
			for (const name of declared.flatMap(namesIn)) names.add(name);
		});
		return names;
	}

	/** Whether an expression only computes: nothing that it calls could be noticed elsewhere. */
	isComputing(expression: Node): boolean {
		let only = true;
		this.tree.walk(expression, (node) => {
			if (isCall(node)) only &&= this.isComputingCall(node as AnyNode);
			else if (IMPURE.test(node.type) || isDelete(node)) only = false;
		});
		return only;
	}

	private isComputingCall(node: AnyNode): boolean {
		if (node.type === 'NewExpression') {
			return node.callee.type === 'Identifier' && COMPUTING_CLASSES.test(node.callee.name);
		}
		if (node.type !== 'CallExpression') return false;
		const own = this.functionOf(node);
		if (own !== null) return this.isComputingFunction(own as AnyNode);
		const chain = chainOf(node.callee);
		const name = chain.join('.');
		if (chain.length > 0 && this.moduleOf(chain[0]!) === 'path') return COMPUTING_PATHS.test(chain.at(-1)!);
		if (COMPUTING.test(name)) return !this.tree.isDeclared(name.split('.')[0]!);
		return node.callee.type === 'MemberExpression' && COMPUTING_METHODS.test(propertyOf(node.callee) ?? '');
	}

	/** Whether a function of the script's only computes: one that builds an address, say. */
	private isComputingFunction(node: AnyNode): boolean {
		const known = this.computing.get(node);
		if (known !== undefined) return known;
		// One that calls itself is not searched again.
		this.computing.set(node, false);
		const isPlain = 'async' in node && !node.async && !node.generator && 'params' in node;
		const is = isPlain && [...node.params, node.body as Node].every((each) => this.isComputing(each));
		this.computing.set(node, is);
		return is;
	}

	private isOfNode(call: CallExpression): boolean {
		const chain = chainOf(call.callee);
		const [root] = chain;
		if (root === undefined) return false;
		if (chain.length === 1 && root === 'fetch' && !this.tree.isDeclared(root)) return isReadingFetch(call);
		const module = this.moduleOf(root);
		return module !== null && (READING[module]?.test(chain.at(-1)!) ?? false) && returnsPromise(call);
	}

	/** `fs` for what is, or comes out of, node:fs or node:fs/promises; null for what is of no module. */
	private moduleOf(name: string): string | null {
		const value = this.tree.fixedValue(name) as AnyNode | null;
		const from = value === null ? null : value.type === 'ImportDeclaration' ? value.source.value : requiredBy(value);
		return typeof from === 'string' ? (/^(?:node:)?(fs|dns|path)(?:\/promises)?$/.exec(from)?.[1] ?? null) : null;
	}

	private isReadingFunction(node: Node): boolean {
		const known = this.functions.get(node);
		if (known !== undefined) return known;
		// One that calls itself is not searched again.
		this.functions.set(node, false);
		const is = this.onlyReads(node as AnyNode);
		this.functions.set(node, is);
		return is;
	}

	private onlyReads(node: AnyNode): boolean {
		if (!('async' in node) || !node.async || node.generator) return false;
		if (!node.params.every((each) => this.isComputing(each))) return false;
		const own = this.declaredIn(node.body);
		let only = true;
		this.tree.walk(node.body, (inner) => {
			if (isCall(inner)) only &&= this.isComputingCall(inner as AnyNode) || this.isReading(inner);
			else if (inner.type === 'AssignmentExpression') only &&= rootsOf(inner.left).every((name) => own.has(name));
			else if (inner.type === 'UpdateExpression') only &&= rootsOf(inner.argument).every((name) => own.has(name));
			else if ((inner.type !== 'AwaitExpression' && IMPURE.test(inner.type)) || isDelete(inner)) only = false;
		});
		return only;
	}
}

/** What may do anything, or runs at another time. */
const IMPURE =
	/^(?:AssignmentExpression|AwaitExpression|ImportExpression|TaggedTemplateExpression|UpdateExpression|YieldExpression|(?:Class|Function|ArrowFunction)Expression|FunctionDeclaration)$/;

/** `a.b.c` as its names; empty for anything else. */
function chainOf(node: Node): string[] {
	const of = node as AnyNode;
	if (of.type === 'Identifier') return [of.name];
	const property = propertyOf(of);
	if (of.type !== 'MemberExpression' || property === null) return [];
	const chain = chainOf(of.object);
	return chain.length === 0 ? [] : [...chain, property];
}

export function propertyOf(node: AnyNode): string | null {
	if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return null;
	return node.property.name;
}

/** The module that `require('…')`, or a property of it, is of. */
function requiredBy(value: AnyNode): unknown {
	if (value.type === 'MemberExpression') return requiredBy(value.object as AnyNode);
	if (value.type !== 'CallExpression' || chainOf(value.callee).join('.') !== 'require') return null;
	const [name] = value.arguments;
	return name?.type === 'Literal' ? name.value : null;
}

/** A `GET` is `fetch` without a method. */
function isReadingFetch({ arguments: given }: CallExpression): boolean {
	const [, options] = given;
	if (options === undefined) return given[0]?.type !== 'SpreadElement';
	if (given.length > 2 || options.type !== 'ObjectExpression') return false;
	return options.properties.every((each) => {
		return (
			each.type === 'Property' &&
			!each.computed &&
			each.key.type === 'Identifier' &&
			/^(headers|signal)$/.test(each.key.name)
		);
	});
}

/** Node's functions with callbacks return nothing: awaiting one waits for nothing. */
function returnsPromise({ arguments: given }: CallExpression): boolean {
	return !given.some(isFunction);
}

function paramsOf(node: AnyNode): Node[] {
	return 'params' in node ? node.params : [];
}

export function isDelete(node: AnyNode): boolean {
	return node.type === 'UnaryExpression' && node.operator === 'delete';
}
