// Calls that ask whatever the callers of their function say, such as `query(text)` of a database's module or `get(path)` of a client: different scripts ask
// different things through them, so how often they ask says nothing of a loop.
import type { AnyNode, Node } from 'acorn';
import { type Call, calledName, isCall, isFunction, namesIn, type ScriptTree } from './script-tree.ts';

/** Of an address these parts are the same for all questions. */
const SAYS_NOTHING = /^(?:https?|api|rest|v\d+|localhost)$/i;
/** What makes an address of its arguments alone. */
const HANDS_ON = /^(?:URL|String|encodeURI|encodeURIComponent|join|resolve|toString|trim)$/;

/** Whether what a call asks for is said by the callers of its function alone, and another script may call that. */
export function asksForOthers(tree: ScriptTree, call: Call): boolean {
	const body = functionAround(tree, call);
	const [question] = call.arguments;
	if (body === null || question === undefined || !('params' in body)) return false;
	const parts = partsOf(tree, question, body);
	if (parts.some((part) => saysWhat(tree, part))) return false;
	const given = new Set(body.params.flatMap(namesIn));
	const asked = parts.flatMap((part) => tree.mentionedIn(part));
	return asked.some((name) => given.has(name)) && maybeCalledElsewhere(tree, body);
}

function functionAround(tree: ScriptTree, node: Node): AnyNode | null {
	let at = tree.parentOf(node);
	while (at !== undefined && !isFunction(at)) at = tree.parentOf(at);
	return (at as AnyNode | undefined) ?? null;
}

/** An expression, and what the function's own variables in it get their values from. */
function partsOf(tree: ScriptTree, expression: Node, body: Node): Node[] {
	const values = new Map<string, Node>();
	tree.walk(body, (node) => {
		if (node.type !== 'VariableDeclarator' || !node.init) return;
		for (const name of namesIn(node.id)) values.set(name, node.init);
	});
	const parts = new Set([expression]);
	for (const part of parts) {
		for (const name of tree.mentionedIn(part)) {
			const value = values.get(name);
			if (value !== undefined) parts.add(value);
		}
	}
	return [...parts];
}

/** Whether an expression has words of its own, or calls something that may. */
function saysWhat(tree: ScriptTree, expression: Node): boolean {
	return tree.has(expression, (node) => {
		if (isCall(node)) return !HANDS_ON.test(calledName(node.callee) ?? '');
		const text = node.type === 'TemplateElement' ? node.value.raw : node.type === 'Literal' ? String(node.value) : '';
		// The origin of an address is not what is asked.
		const words = text.replace(/^https?:\/\/[^/]*/, '').match(/[\p{L}]\w*/gu) ?? [];
		return words.some((word) => !SAYS_NOTHING.test(word));
	});
}

/** Whether a function has no name, is given away by it, as an export is, or nobody in its script calls it. */
function maybeCalledElsewhere(tree: ScriptTree, body: AnyNode): boolean {
	const parent = tree.parentOf(body) as AnyNode | undefined;
	if (parent === undefined || isCall(parent)) return false;
	const declared = body.type === 'FunctionDeclaration' ? body : parent;
	const id = declared.type === 'FunctionDeclaration' || declared.type === 'VariableDeclarator' ? declared.id : null;
	if (id?.type !== 'Identifier') {
		const isPrivate = 'key' in parent && (parent.key as Node).type === 'PrivateIdentifier';
		return !isPrivate;
	}
	if (tree.isExported(id.name)) return true;
	const mentions = tree.mentionsOf(id.name);
	return mentions.length === 0 || mentions.some((mention) => !isCall(tree.parentOf(mention)!));
}
