// Awaits in a loop each of which certainly needs the answer before: page after page, the address of each in the last one, or a question that is asked until
// its answer is the awaited one. No single question could replace them.
import type { AnyNode, AwaitExpression, Node } from 'acorn';
import { propertyOf } from './reading-calls.ts';
import { contains, declaredBy, isFunction, namesIn, rootsOf, type ScriptTree } from './script-tree.ts';

/** Methods that put something into what they are called on. */
const PUTS = /^(?:add|append|enqueue|push|set|unshift)$/;
const LOOP = /^(?:DoWhile|For|ForIn|ForOf|While)Statement$/;

/** Whether an await is in a loop of its function in which it follows from the answers before. */
export function isChained(tree: ScriptTree, own: AwaitExpression): boolean {
	const loop = loopAround(tree, own);
	if (loop === null) return false;
	if (isInTest(loop, own)) return true;
	const fresh = freshIn(tree, loop);
	const answers = answersIn(tree, loop, own);
	const isAnswer = (name: string) => answers.has(name);
	const asked = withSources(argumentsOf(tree, own), fresh);
	// What is new for each item brings nothing from the one before.
	if (asked.some((name) => isAnswer(name) && !fresh.has(name))) return true;
	if (asked.some((name) => itemsOf(loop).includes(name))) return false;
	if ('test' in loop && tree.mentionedIn(loop.test).some(isAnswer)) return true;
	return tree.has(loop.body, (node) => {
		if (node.type !== 'IfStatement' || contains(node, own)) return false;
		return leaves(tree, node) && tree.mentionedIn(node.test).some(isAnswer);
	});
}

type LoopStatement = Extract<
	AnyNode,
	{ type: 'DoWhileStatement' | 'ForStatement' | 'ForInStatement' | 'ForOfStatement' | 'WhileStatement' }
>;

/** The innermost loop of the same function that repeats a node. */
function loopAround(tree: ScriptTree, own: Node): LoopStatement | null {
	let node = tree.parentOf(own) as AnyNode | undefined;
	while (node !== undefined && !isFunction(node)) {
		if (LOOP.test(node.type) && repeats(node as LoopStatement, own)) return node as LoopStatement;
		node = tree.parentOf(node) as AnyNode | undefined;
	}
	return null;
}

function repeats(loop: LoopStatement, node: Node): boolean {
	return contains(loop.body, node) || isInTest(loop, node);
}

function isInTest(loop: LoopStatement, node: Node): boolean {
	return 'test' in loop && loop.test != null && contains(loop.test, node);
}

function argumentsOf(tree: ScriptTree, { argument }: AwaitExpression): string[] {
	return argument.type === 'CallExpression' ? argument.arguments.flatMap((each) => tree.mentionedIn(each)) : [];
}

/** The names that a loop's head declares for each item. */
function itemsOf(loop: LoopStatement): string[] {
	return declaredBy(loop.type === 'ForStatement' ? loop.init : 'left' in loop ? loop.left : null);
}

/** The names that are declared anew for each item, with the names that their values come from. */
function freshIn(tree: ScriptTree, loop: LoopStatement): Map<string, string[]> {
	const fresh = new Map<string, string[]>();
	const add = (part: Node, from: readonly string[]) =>
		tree.walk(part, (node) => {
			if (node.type !== 'VariableDeclarator') return;
			for (const name of namesIn(node.id)) fresh.set(name, [...from, ...tree.mentionedIn(node.init)]);
		});
	if (loop.type === 'ForOfStatement' || loop.type === 'ForInStatement') add(loop.left, tree.mentionedIn(loop.right));
	add(loop.body, []);
	return fresh;
}

/** The names whose values come from the await's answers, or into which these were put. */
function answersIn(tree: ScriptTree, loop: LoopStatement, own: AwaitExpression): Set<string> {
	const answers = new Set<string>();
	const isFrom = (node: Node | null | undefined) => {
		if (node === null || node === undefined) return false;
		return contains(node, own) || tree.mentionedIn(node).some((name) => answers.has(name));
	};
	let before = -1;
	while (answers.size > before) {
		before = answers.size;
		tree.walk(loop.body, (node) => {
			for (const name of namesGiven(node, isFrom)) answers.add(name);
		});
	}
	return answers;
}

/** The variables that get a value as a whole, or something put into, of which `isFrom`. */
function namesGiven(node: AnyNode, isFrom: (value: Node | null | undefined) => boolean): string[] {
	if (node.type === 'VariableDeclarator') return isFrom(node.init) ? namesIn(node.id) : [];
	if (node.type === 'AssignmentExpression') return isFrom(node.right) ? namesIn(node.left) : [];
	if (node.type !== 'CallExpression' || !PUTS.test(propertyOf(node.callee as AnyNode) ?? '')) return [];
	return node.arguments.some(isFrom) ? rootsOf(node.callee) : [];
}

/** Names together with those that their values come from, however often one leads to the next. */
export function withSources(names: readonly string[], declared: ReadonlyMap<string, readonly string[]>): string[] {
	const all = new Set(names);
	for (const name of all) for (const source of declared.get(name) ?? []) all.add(source);
	return [...all];
}

/** Whether the loop or its function may end in a statement. */
function leaves(tree: ScriptTree, statement: Node): boolean {
	return tree.has(statement, ({ type }) => type === 'BreakStatement' || type === 'ReturnStatement');
}
