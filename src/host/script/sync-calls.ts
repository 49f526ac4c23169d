// Which `…Sync` functions of Node are called in the code that runs when an operation calls back: found in a script's
// text, since no hook shows such a call. The text shows that a call is there, not whether it ran or for how long.
import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import zlib from 'node:zlib';
import type { AnyNode, BlockStatement, Node, Statement, SwitchCase } from 'acorn';
import { fullAncestor } from 'acorn-walk';
import {
	type Call,
	calledName,
	contains,
	isCall,
	isFunction,
	programOf,
	type ScriptText,
	unlessTooDeep,
} from './script-tree.ts';

/**
 * Steps of the search that one script may take in all, a second at most. A script that a person writes takes some
 * thousands; a malicious text could make each of ten thousand functions lead to ten thousand calls, for each of its
 * lines.
 */
const MOST_STEPS = 20_000_000;

/** A call in a script; line and column are 1-based. */
export interface CallInScript {
	/** Such as `fs.readFileSync`. */
	name: string;
	line: number;
	column: number;
	/** Whether it runs only once for many of the operations: behind an await of all of them together. */
	isBehindMany: boolean;
}

/** Node's functions that return only when all is done, by their names in their modules. */
const SYNC_FUNCTIONS = new Map<string, string>(
	Object.entries({ child_process: childProcess, crypto, fs, zlib }).flatMap(([module, exports]) =>
		Object.keys(exports)
			.filter((name) => name.endsWith('Sync'))
			.map((name) => [name, `${module}.${name}`] as const),
	),
);

/** Functions given to these methods of arrays run at once, as a part of the code around them. */
const RUNS_AT_ONCE = new Set([
	'every',
	'filter',
	'find',
	'findIndex',
	'flatMap',
	'forEach',
	'map',
	'reduce',
	'some',
	'sort',
]);

/** What awaits many operations together, as methods of `Promise`. */
const AWAITS_MANY = new Set(['all', 'allSettled', 'any', 'race']);

/** A position behind all code. */
const NEVER = Number.POSITIVE_INFINITY;

/** A function or the whole script: code that runs as one, but for its awaits. */
type Body = Node;

/** A call of something by its plain name, or of one of Node's sync functions. */
interface NamedCall {
	name: string;
	node: Call;
	body: Body;
}

/** Code that runs when something has called back: a body from a position on. */
interface Region {
	body: Body;
	from: number;
	/** Where code begins that runs only once for many of the operations. */
	manyFrom: number;
}

export class SyncCalls {
	/** The script, until it is asked for. */
	private text: ScriptText | null;
	private script: ParsedScript | null = null;

	constructor(text: ScriptText) {
		this.text = text;
	}

	/**
	 * Calls in the code that runs when what is started at a position calls back; nothing where the text cannot be parsed.
	 * @param line and column as V8 gives them, 1-based
	 * @param way where the code certainly comes by; null where that is unknown
	 */
	behind(line: number, column: number, way: { line: number; column: number } | null = null): CallInScript[] {
		if (this.text !== null) {
			const program = programOf(this.text);
			this.text = null;
			if (program !== null) this.script = unlessTooDeep(() => new ParsedScript(program));
		}
		const by = way && { line: way.line, column: way.column - 1 };
		return this.script?.syncCallsBehind(line, column - 1, by) ?? [];
	}
}

class ParsedScript {
	private readonly program: Node;
	private readonly calls: Call[] = [];
	/** The parent of each node: a list of ancestors for each call could be as long as the text. */
	private readonly parents = new Map<Node, Node>();
	private readonly functions: Node[] = [];
	/** By name; null where several functions have the same name. */
	private readonly functionsByName = new Map<string, Node | null>();
	private readonly namedCalls: NamedCall[] = [];
	private readonly syncCalls: NamedCall[] = [];
	private steps = 0;

	constructor(program: Node) {
		this.program = program;
		fullAncestor(program, (node, _state, ancestors) => {
			const parent = ancestors.at(-2);
			if (parent !== undefined) this.parents.set(node, parent);
			if (isFunction(node)) this.addFunction(node, parent);
			else if (isCall(node)) this.addCall(node, ancestors);
		});
	}

	/** @param column 0-based, as that of `way` */
	syncCallsBehind(line: number, column: number, way: { line: number; column: number } | null): CallInScript[] {
		if (this.steps > MOST_STEPS) return [];
		const elsewhere = way === null ? [] : this.besides(way.line, way.column);
		const found = new Map<Node, CallInScript>();
		const seen = new Set<Body>();
		// What runs for each operation is taken first, since a call that does counts as one that does, however else it is reached.
		const regions = this.regionsBehind(line, column).sort(
			(a, b) => Number(a.manyFrom === NEVER) - Number(b.manyFrom === NEVER),
		);
		this.steps += this.calls.length + this.functions.length;
		for (let region = regions.pop(); region !== undefined; region = regions.pop()) {
			if (this.steps > MOST_STEPS) return [];
			const { body, from, manyFrom } = region;
			if (from === 0 && seen.has(body)) continue;
			if (from === 0) seen.add(body);
			this.steps += this.syncCalls.length + this.namedCalls.length;
			const isIn = ({ body: own, node }: NamedCall) =>
				own === body && node.start >= from && !elsewhere.some((each) => contains(each, node));
			for (const { name, node } of this.syncCalls.filter(isIn)) {
				const { line, column } = node.loc!.start;
				if (!found.has(node)) found.set(node, { name, line, column: column + 1, isBehindMany: node.start >= manyFrom });
			}
			const runsOnce = ({ node }: NamedCall) => node.start >= manyFrom;
			const calls = this.namedCalls.filter(isIn).sort((a, b) => Number(runsOnce(b)) - Number(runsOnce(a)));
			for (const call of calls) {
				const called = this.functionsByName.get(call.name);
				if (called) regions.push({ body: called, from: 0, manyFrom: runsOnce(call) ? 0 : NEVER });
			}
		}
		return [...found.values()].sort((a, b) => a.line - b.line || a.column - b.column);
	}

	/** @param column 0-based */
	private regionsBehind(line: number, column: number): Region[] {
		const isAt = ({ callee }: Call) => {
			const { start, end } = callee.loc!;
			return !isBefore(line, column, start) && isBefore(line, column, end);
		};
		const at = this.calls.filter(isAt).sort((a, b) => length(a) - length(b))[0];
		// A served request is shown where its handler starts, which may be within the callee of `createServer((request) => …).listen(…)`.
		const handler =
			this.functions.filter((each) => isInHead(each, line, column)).sort((a, b) => length(a) - length(b))[0] ??
			(at === undefined ? this.longestOn(line) : undefined);
		if (handler !== undefined && (at === undefined || at.start < handler.start)) {
			return [{ body: handler, from: 0, manyFrom: NEVER }];
		}
		if (at === undefined) return [];
		const regions = this.callbacksOf(at);
		let isAwaited = false;
		let inLoop: Node | null = null;
		let isInFunction = false;
		let manyFrom = NEVER;
		for (let node = this.parents.get(at); node !== undefined; node = this.parents.get(node)) {
			// `.then(…)` behind the call.
			if (isCall(node) && contains(node.callee, at) && !listensOnce(node)) {
				regions.push(
					...this.callbacksOf(node).map((region) => ({ ...region, manyFrom: manyFrom === NEVER ? NEVER : 0 })),
				);
			}
			if (isInFunction && isCall(node) && awaitsMany(node)) manyFrom = node.end;
			if (node.type === 'AwaitExpression') isAwaited = true;
			if (/^(For|While|DoWhile)/.test(node.type)) inLoop = node;
			if (!isFunction(node) && node !== this.program) continue;
			if (isAwaited) regions.push({ body: node, from: Math.max(1, (inLoop ?? at).start), manyFrom });
			isAwaited = false;
			inLoop = null;
			isInFunction = true;
			// All that is around a function that runs once does so too.
			if (manyFrom !== NEVER) manyFrom = 0;
		}
		return regions;
	}

	/** The code that does not run where the code at a position does: other branches, those before it that have left the function, and all behind one that leaves it. */
	private besides(line: number, column: number): Node[] {
		const besides: Node[] = [];
		const here = this.calls.find(({ loc }) => !isBefore(line, column, loc!.start) && isBefore(line, column, loc!.end));
		let isLeft = false;
		for (let inner: Node | undefined = here, node = here && this.parents.get(here); inner && node; ) {
			if (isFunction(node)) break;
			besides.push(...branchesBesides(node as AnyNode, inner));
			if (node.type === 'BlockStatement') {
				const rest = (node as BlockStatement).body.slice((node as BlockStatement).body.indexOf(inner as Statement));
				if (isLeft) besides.push(...rest.slice(1));
				isLeft ||= rest.some(({ type }) => type === 'ReturnStatement' || type === 'ThrowStatement');
			}
			inner = node;
			node = this.parents.get(node);
		}
		return besides;
	}

	/** The longest function that starts on a line. */
	private longestOn(line: number): Node | undefined {
		return this.functions.filter(({ loc }) => loc!.start.line === line).sort((a, b) => length(b) - length(a))[0];
	}

	/** The functions among a call's arguments. */
	private callbacksOf({ arguments: given }: Call): Region[] {
		return given.flatMap((argument) => {
			const called = argument.type === 'Identifier' ? this.functionsByName.get(argument.name) : argument;
			return called && isFunction(called) ? [{ body: called, from: 0, manyFrom: NEVER }] : [];
		});
	}

	private addFunction(node: Node, parent: Node | undefined): void {
		this.functions.push(node);
		const name = nameOf(node) ?? (parent === undefined ? null : nameOf(parent));
		if (name !== null) this.functionsByName.set(name, this.functionsByName.has(name) ? null : node);
	}

	/** @param ancestors the nodes around it, the innermost last, and the call itself */
	private addCall(node: Call, ancestors: readonly Node[]): void {
		this.calls.push(node);
		const body = bodyAround(ancestors);
		const { callee } = node;
		const name = calledName(callee);
		if (name === null) return;
		const sync = SYNC_FUNCTIONS.get(name);
		if (sync !== undefined) this.syncCalls.push({ name: sync, node, body });
		else if (callee.type === 'Identifier') this.namedCalls.push({ name, node, body });
	}
}

/** The parts of a node that do not run where another part does. */
function branchesBesides(node: AnyNode, part: Node): Node[] {
	switch (node.type) {
		case 'IfStatement':
		case 'ConditionalExpression':
			if (part === node.test) return [];
			return [node.consequent, node.alternate].filter((each) => each && each !== part) as Node[];
		case 'SwitchStatement': {
			// A case without a `break` goes on in the next one.
			const before = node.cases.slice(0, Math.max(0, node.cases.indexOf(part as SwitchCase)));
			return before.filter(({ consequent }) => leaves(consequent.at(-1)));
		}
		case 'BlockStatement':
			return node.body
				.slice(0, node.body.indexOf(part as Statement))
				.flatMap((each) => (each.type === 'IfStatement' && leaves(each.consequent) ? [each.consequent] : []));
		default:
			return [];
	}
}

/** Whether a statement certainly leaves the code around it. */
function leaves(statement: Statement | undefined): boolean {
	if (statement?.type === 'BlockStatement') return leaves(statement.body.at(-1));
	return statement !== undefined && /^(?:Break|Return|Throw)Statement$/.test(statement.type);
}

/** The innermost function around, or the script; functions that run at once do not count. */
function bodyAround(around: readonly Node[]): Body {
	for (let i = around.length - 1; i > 0; i--) {
		const node = around[i]!;
		if (isFunction(node) && !runsAtOnce(node, around[i - 1]!)) return node;
	}
	return around[0]!;
}

function runsAtOnce(node: Node, parent: Node): boolean {
	if (!isCall(parent)) return false;
	return (
		parent.callee === node ||
		(parent.callee.type === 'MemberExpression' && RUNS_AT_ONCE.has(calledName(parent.callee) ?? ''))
	);
}

/** Events that come once, and not with each piece of a stream's data. */
const ONCE = new Set(['close', 'end', 'error', 'finish', 'open', 'ready']);

/** Whether a call is `.on('end', …)` or the like: what that listener calls did not take the time of the stream's other callbacks. */
function listensOnce({ callee, arguments: [event] }: Call): boolean {
	const { value } = (event ?? {}) as { value?: unknown };
	return /^(?:on|once|addListener)$/.test(calledName(callee) ?? '') && typeof value === 'string' && ONCE.has(value);
}

/** `Promise.all(…)` and its like. */
function awaitsMany({ callee }: Call): boolean {
	const { type, object } = callee as Node & { object?: Node };
	if (type !== 'MemberExpression' || object === undefined) return false;
	return calledName(object) === 'Promise' && AWAITS_MANY.has(calledName(callee) ?? '');
}

/** The name that a declaration, variable or property gives to its function. */
function nameOf(node: Node): string | null {
	const { id, key } = node as Node & { id?: Node | null; key?: Node };
	const named = id ?? (node.type === 'Property' ? key : undefined);
	return named?.type === 'Identifier' ? (named as Node & { name: string }).name : null;
}

function length({ start, end }: Node): number {
	return end - start;
}

/** Whether a position is where a function has its keywords, name and parameters: V8 gives one of these as its start. @param column 0-based */
function isInHead(node: Node, line: number, column: number): boolean {
	const { loc, body } = node as Node & { body: Node };
	return !isBefore(line, column, loc!.start) && isBefore(line, column, body.loc!.start);
}

function isBefore(line: number, column: number, than: { line: number; column: number }): boolean {
	return line < than.line || (line === than.line && column < than.column);
}
