// Awaits that wait one after another though nothing makes them: neighbours whose operands do not use each other's result, and an await in a loop over
// items that do not depend on one another; and those that must (`chained-awaits.ts`). It goes by the script's text alone, and only where that is certain
// (`reading-calls.ts`); about everything else it says nothing.
import type {
	AnyNode,
	AwaitExpression,
	BlockStatement,
	CallExpression,
	Identifier,
	Node,
	Program,
	Statement,
} from 'acorn';
import { isChained, withSources } from './chained-awaits.ts';
import { asksForOthers } from './passed-questions.ts';
import { isDelete, propertyOf, ReadingCalls } from './reading-calls.ts';
import {
	type Call,
	contains,
	declaredBy,
	isCall,
	isFunction,
	namesIn,
	rootsOf,
	type ScriptText,
	type ScriptTree,
	treeOf,
} from './script-tree.ts';
import { WaysToCall } from './ways-to-call.ts';

/** Awaits of functions that await something, and so on, up to this depth. */
const MOST_DEEP = 4;

/** 1-based, as V8 gives it. */
export interface TextPosition {
	line: number;
	column: number;
}

/** From the beginning of a piece of code to its end. */
export interface TextStretch {
	from: TextPosition;
	to: TextPosition;
}

/** What is certain of the await that an operation is started for. */
export interface AwaitsInScript {
	/** The code that runs for each item of the loop in which it is awaited; null where the items may depend on one another. */
	loop: TextStretch[] | null;
	/** The await's own operand and those of its neighbours with which it could run at once, in their order; null without any. */
	together: { awaits: TextPosition[]; index: number } | null;
	/** Whether it is awaited in a loop in which it follows from the answers before. */
	isChained: boolean;
	/** In how many ways the script leads to the call, each at most once; 0 where one may be taken again and again, or that is not certain. */
	ways: number;
	/** Whether the callers of its function say what is asked, and another script may call that. */
	asksForOthers: boolean;
	/** How many of such calls run at once; null where that is not limited, or unknown. */
	atOnce: number | null;
}

export class AwaitOrder {
	/** The script, until it is asked for. */
	private text: ScriptText | null;
	private search: Search | null = null;

	constructor(text: ScriptText) {
		this.text = text;
	}

	/** @param at where an operation is started. @returns null where nothing is certain */
	around({ line, column }: TextPosition): AwaitsInScript | null {
		if (this.text !== null) {
			const tree = treeOf(this.text);
			this.text = null;
			if (tree !== null) this.search = new Search(tree);
		}
		return this.search?.around(line, column - 1) ?? null;
	}
}

class Search {
	private readonly tree: ScriptTree;
	private readonly reading: ReadingCalls;
	private ways: WaysToCall | null = null;
	/** By position: reports ask again and again. */
	private readonly known = new Map<string, AwaitsInScript | null>();

	constructor(tree: ScriptTree) {
		this.tree = tree;
		this.reading = new ReadingCalls(tree);
	}

	/** @param column 0-based */
	around(line: number, column: number): AwaitsInScript | null {
		const key = `${line}:${column}`;
		const known = this.known.get(key);
		if (known !== undefined) return known;
		const { tree } = this;
		const found = tree.isExhausted ? null : this.find(line, column);
		const facts = tree.isExhausted ? null : found;
		this.known.set(key, facts);
		return facts;
	}

	private find(line: number, column: number): AwaitsInScript | null {
		const [call]: (Call | undefined)[] = this.tree.calls
			.filter(({ callee: { loc } }) => isWithin({ line, column }, loc!.start, loc!.end))
			.sort((a, b) => a.end - a.start - (b.end - b.start));
		let loop: TextStretch[] | null = null;
		let together: AwaitsInScript['together'] = null;
		const inside: Node[] = [];
		let at: AwaitExpression | null = call === undefined ? null : this.awaitOf(call);
		const isInChain = this.isInChain(at);
		for (let depth = 0; at !== null && depth < MOST_DEEP; depth++) {
			if (!this.reading.isReading(at.argument)) break;
			together ??= this.together(at);
			const around: Node | null = loop === null ? this.loopAround(at) : null;
			if (around !== null) loop = [around, ...inside].map(stretchOf);
			const within: { body: Node; awaited: AwaitExpression } | null = this.functionAround(at);
			if (within === null) break;
			inside.push(within.body);
			at = within.awaited;
		}
		const ways = call === undefined ? 0 : this.waysTo(call);
		const isForOthers = call !== undefined && asksForOthers(this.tree, call);
		if (loop === null && together === null && !isInChain && ways === 0 && !isForOthers) return null;
		const atOnce = call === undefined ? null : this.reading.atOnce(call);
		return { loop, together, isChained: isInChain, ways, asksForOthers: isForOthers, atOnce };
	}

	/** Whether an await, or that of the function that it is in, and so on, follows from the answers before. */
	private isInChain(own: AwaitExpression | null): boolean {
		for (let at = own, depth = 0; at !== null && depth < MOST_DEEP; depth++) {
			if (isChained(this.tree, at)) return true;
			at = this.functionAround(at)?.awaited ?? null;
		}
		return false;
	}

	private waysTo(call: Call): number {
		this.ways ??= new WaysToCall(this.tree);
		return this.ways.to(call);
	}

	/** The await of a call, or of what its answer is taken apart by. */
	private awaitOf(call: Node): AwaitExpression | null {
		const parent = this.tree.parentOf(call) as AnyNode | undefined;
		if (parent?.type === 'AwaitExpression') return parent;
		// `await fetch(url).then((answer) => answer.json())`
		const taking = parent === undefined ? undefined : (this.tree.parentOf(parent) as AnyNode | undefined);
		return taking?.type === 'CallExpression' && this.tree.answeredBy(taking) === call ? this.awaitOf(taking) : null;
	}

	/** The function around a node, where it is called in one place only, and awaited there. */
	private functionAround(node: Node): { body: Node; awaited: AwaitExpression } | null {
		const body = this.bodyAround(node);
		if (!isFunction(body)) return null;
		const named = (body.type === 'FunctionDeclaration' ? body : this.tree.parentOf(body)) as AnyNode | undefined;
		const id = named?.type === 'FunctionDeclaration' || named?.type === 'VariableDeclarator' ? named.id : null;
		if (id?.type !== 'Identifier' || this.tree.fixedValue(id.name) !== body) return null;
		const [mention, ...others] = this.tree.mentionsOf(id.name);
		const call = mention === undefined ? undefined : (this.tree.parentOf(mention) as AnyNode | undefined);
		if (others.length > 0 || call?.type !== 'CallExpression' || call.callee !== mention) return null;
		if (this.tree.isExported(id.name)) return null;
		const awaited = this.awaitOf(call);
		return awaited === null ? null : { body, awaited };
	}

	/** The function around a node, or the script. */
	private bodyAround(node: Node): Node {
		let at = node;
		for (let parent = this.tree.parentOf(at); parent !== undefined; parent = this.tree.parentOf(at)) {
			at = parent;
			if (isFunction(at)) return at;
		}
		return at;
	}

	/** `const a = await read(); const b = await readOther();`: declarations in a row, none of which uses what the ones before declare. */
	private together(own: AwaitExpression): AwaitsInScript['together'] {
		let block = this.tree.parentOf(own) as AnyNode | undefined;
		while (block !== undefined && block.type !== 'BlockStatement' && block.type !== 'Program') {
			block = this.tree.parentOf(block) as AnyNode | undefined;
		}
		if (block === undefined) return null;
		for (const row of this.rows(block)) {
			const index = row.indexOf(own);
			if (index >= 0 && row.length > 1) return { awaits: row.map(({ argument }) => positionOf(argument)), index };
		}
		return null;
	}

	private rows(block: BlockStatement | Program): AwaitExpression[][] {
		const rows: AwaitExpression[][] = [];
		let row: AwaitExpression[] = [];
		let declared = new Set<string>();
		for (const statement of block.body as Statement[]) {
			const reading = this.readingDeclaration(statement);
			const isTaking = reading?.source.type === 'Identifier' && declared.has(reading.source.name);
			const awaited = reading?.source.type === 'AwaitExpression' ? reading.source : null;
			if (!isTaking && (awaited === null || reading!.uses.some((name) => declared.has(name)))) {
				rows.push(row);
				row = [];
				declared = new Set();
			}
			if (awaited !== null) row.push(awaited);
			if (awaited !== null || isTaking) for (const name of reading!.names) declared.add(name);
		}
		return [...rows, row];
	}

	/** `const a = await read()`; what takes something of the answer: `const b = await (await fetch(url)).json()`; and `const c = await answer.json()`. */
	private readingDeclaration(statement: Statement): ReadingDeclaration | null {
		if (statement.type !== 'VariableDeclaration') return null;
		const [declarator, ...others] = statement.declarations;
		const { init, id } = declarator!;
		const source = others.length > 0 || !init ? null : this.reading.sourceOf(init);
		// A default value or a computed key may call anything.
		if (source === null || !this.reading.isComputing(id)) return null;
		return { source, uses: this.reading.namesOf(init!), names: namesIn(id) };
	}

	/** The innermost loop around an await in the same function, where its items do not depend on one another. */
	private loopAround(own: AwaitExpression): Node | null {
		let node = this.tree.parentOf(own) as AnyNode | undefined;
		while (node !== undefined && !isFunction(node)) {
			if (/^(?:While|DoWhile)Statement$/.test(node.type)) return null;
			if (node.type === 'ForStatement' || node.type === 'ForInStatement' || node.type === 'ForOfStatement') {
				return contains(node.body, own) && this.areIndependent(node, own.argument as CallExpression) ? node : null;
			}
			node = this.tree.parentOf(node) as AnyNode | undefined;
		}
		return null;
	}

	private areIndependent(loop: ForLoop, call: CallExpression): boolean {
		const { body } = loop;
		if (loop.type === 'ForOfStatement' && loop.await) return false;
		const items = declaredBy(loop.type === 'ForStatement' ? loop.init : loop.left);
		const declared = this.declaredIn(loop);
		const changed = new Set<string>();
		/** @param sources names that the new value may come from */
		const change = (names: readonly string[], sources: readonly string[]) => {
			for (const name of names) {
				if (declared.has(name)) declared.get(name)!.push(...sources);
				else changed.add(name);
			}
		};
		let isKnown = true;
		/** What decides whether an item is asked for at all. */
		const deciding: string[] = [];
		this.tree.walk(body, (node) => {
			const condition = conditionOf(node);
			if (
				condition !== null &&
				(contains(node, call) || this.tree.has(node, ({ type }) => type === 'ContinueStatement'))
			) {
				deciding.push(...this.tree.mentionedIn(condition));
			}
			if (STOPS.test(node.type) || isFunction(node) || isDelete(node)) isKnown = false;
			else if (node.type === 'VariableDeclaration') isKnown &&= node.kind !== 'var';
			else if (node.type === 'AwaitExpression') isKnown &&= node.argument.type === 'CallExpression';
			else if (node.type === 'AssignmentExpression') change(rootsOf(node.left), this.tree.mentionedIn(node.right));
			else if (node.type === 'UpdateExpression') change(rootsOf(node.argument), []);
			else if (isCall(node)) isKnown &&= this.isKnownInLoop(node, declared, change);
		});
		// What the head carries from one item to the next must be the head's alone.
		const carried =
			loop.type === 'ForStatement' ? [...declaredBy(loop.init), ...this.tree.mentionedIn(loop.update)] : [];
		if (carried.some((name) => !declared.has(name) || this.isChangedIn(body, name))) return false;
		const header = loop.type === 'ForStatement' ? [loop.init, loop.test] : [loop.right];
		if (header.some((each) => this.callsGenerator(each))) return false;
		const asked = withSources(this.reading.namesOf(call), declared);
		// Whoever asks the same again and again waits for another answer, or measures how long one takes.
		if (!asked.some((name) => items.includes(name))) return false;
		const used = [
			...header.flatMap((each) => this.tree.mentionedIn(each)),
			...asked,
			...withSources(deciding, declared),
		];
		return isKnown && !used.some((name) => changed.has(name));
	}

	/** The names that a loop declares for each item, with the names that their values come from. */
	private declaredIn(loop: ForLoop): Map<string, string[]> {
		const names = new Map<string, string[]>();
		for (const part of [loop.body, loop.type === 'ForStatement' ? loop.init : loop.left]) {
			this.tree.walk(part, (node) => {
				if (node.type !== 'VariableDeclarator') return;
				for (const name of namesIn(node.id)) names.set(name, this.tree.mentionedIn(node.init));
			});
		}
		return names;
	}

	/** Whether an expression calls a generator of the script's, or is what one has made: it makes each item only when the one before is done. */
	private callsGenerator(expression: Node | null | undefined): boolean {
		return this.tree.has(expression, (node) => {
			const value = node.type === 'Identifier' ? this.tree.fixedValue(node.name) : null;
			const call = (value ?? node) as AnyNode;
			const called = call.type === 'CallExpression' ? (this.reading.functionOf(call) as AnyNode | null) : null;
			return called !== null && 'generator' in called && called.generator === true;
		});
	}

	private isChangedIn(body: Node, name: string): boolean {
		return this.tree.has(body, (node) => {
			if (node.type === 'AssignmentExpression') return rootsOf(node.left).includes(name);
			return node.type === 'UpdateExpression' && rootsOf(node.argument).includes(name);
		});
	}

	/** Reading, computing, or `items.push(answer)`: that may change what it is called on, and what that was taken from. */
	private isKnownInLoop(
		node: Call,
		declared: ReadonlyMap<string, readonly string[]>,
		change: (names: readonly string[], sources: readonly string[]) => void,
	): boolean {
		if (this.reading.isReading(node) || this.reading.isComputing(node)) return true;
		const callee = node.callee as AnyNode;
		const method = propertyOf(callee);
		if (callee.type !== 'MemberExpression' || method === null || this.awaitOf(node) !== null) return false;
		// Such as `fs.writeFileSync`: what the next item reads may be what this one has written.
		if (method.endsWith('Sync') && !READS_AT_ONCE.test(method)) return false;
		const names = rootsOf(callee.object);
		change(
			[...names, ...names.flatMap((name) => declared.get(name) ?? [])],
			node.arguments.flatMap((each) => this.tree.mentionedIn(each)),
		);
		return true;
	}
}

interface ReadingDeclaration {
	/** The await of what it asks, or the name of the answer that it takes something of. */
	source: AwaitExpression | Identifier;
	uses: string[];
	names: string[];
}

type ForLoop = Extract<AnyNode, { type: 'ForStatement' | 'ForInStatement' | 'ForOfStatement' }>;

/** Leaves the loop for what an item has brought, waits otherwise, or changes what cannot be followed. A `throw` only fails earlier. */
const STOPS =
	/^(?:BreakStatement|ReturnStatement|LabeledStatement|YieldExpression|TaggedTemplateExpression|ImportExpression|WithStatement|Class(?:Declaration|Expression))$|^(?:While|DoWhile|For|ForIn|ForOf)Statement$/;

/** Functions of node:fs that change nothing. */
const READS_AT_ONCE = /^(?:access|exists|lstat|readdir|readFile|readlink|realpath|stat|statfs)Sync$/;

/** What decides whether all of a node runs; null of one that always does. */
function conditionOf(node: AnyNode): Node | null {
	if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') return node.test;
	if (node.type === 'LogicalExpression') return node.left;
	return node.type === 'AssignmentExpression' && /^(?:&&|\|\||\?\?)=$/.test(node.operator) ? node.left : null;
}

function stretchOf({ loc }: Node): TextStretch {
	const { start, end } = loc!;
	return { from: { line: start.line, column: start.column + 1 }, to: { line: end.line, column: end.column } };
}

function positionOf({ loc }: Node): TextPosition {
	return { line: loc!.start.line, column: loc!.start.column + 1 };
}

interface Point {
	line: number;
	column: number;
}

function isWithin(at: Point, start: Point, end: Point): boolean {
	const isBefore = (a: Point, b: Point) => a.line < b.line || (a.line === b.line && a.column < b.column);
	return !isBefore(at, start) && isBefore(at, end);
}
