// From a node of V8's profile to the few functions that interest a person: the one that computed, and those of the
// program that had called it.

import { EVAL_CODE } from '../../src/protocol/journal.ts';
import { pathOf } from '../sites/script-name.ts';
import type { ProfileNode, Window } from './cpu-profile.ts';
import type { FunctionLines } from './function-lines.ts';
import { frameAt, type ProfiledFrame } from './sampled-frame.ts';

/**
 * The most frames recorded: the innermost and those of the program that called it. One record takes no more
 * (tracer/journal/writer.ts).
 */
const MOST_FRAMES = 8;

/** What the thread was doing. */
export interface ProfiledStack {
	/** Innermost first; empty when no function of the program or its libraries was on the stack. */
	frames: readonly ProfiledFrame[];
	/** The function of Node's that the innermost frame had called, `RegExp` for a regular expression, or an empty string; see also EVAL_CODE. */
	api: string;
}

/** The name that V8 gives to its own work ... */
const COLLECTOR = '(garbage collector)';
/** ... and what the names of regular expressions begin with, which it has compiled. */
const EXPRESSION = 'RegExp: ';

/** The stacks of one window. Its nodes are read only when a block needs them, because a window may end during a call of the tracer's. */
export class WindowStacks {
	readonly window: Window;
	/** By id; null until they are read. */
	private nodes: Map<number, ProfileNode> | null = null;
	private readonly parents = new Map<number, ProfileNode>();
	private readonly stacks = new Map<number, ProfiledStack>();
	private readonly lines: FunctionLines;
	private readonly isOwn: (script: string) => boolean;

	/**
	 * @param lines of functions in earlier windows; those of this one are added
	 * @param isOwn whether a script is the tracer's
	 */
	constructor(window: Window, lines: FunctionLines, isOwn: (script: string) => boolean) {
		this.window = window;
		this.isOwn = isOwn;
		this.lines = lines;
	}

	isCollection(id: number): boolean {
		return this.nodesById().get(id)?.callFrame.functionName === COLLECTOR;
	}

	/** The stack whose innermost function has that id. */
	of(id: number): ProfiledStack {
		let stack = this.stacks.get(id);
		if (stack === undefined) {
			stack = this.read(id);
			this.stacks.set(id, stack);
		}
		return stack;
	}

	private nodesById(): Map<number, ProfileNode> {
		if (this.nodes !== null) return this.nodes;
		this.nodes = new Map();
		const { nodes } = this.window.profile;
		for (let at = 0; at < nodes.length; at++) {
			const node = nodes[at]!;
			this.nodes.set(node.id, node);
			if (node.positionTicks !== undefined) this.lines.add(keyOf(node), node.positionTicks);
			const { children = [] } = node;
			for (let child = 0; child < children.length; child++) this.parents.set(children[child]!, node);
		}
		return this.nodes;
	}

	private read(id: number): ProfiledStack {
		const frames: ProfiledFrame[] = [];
		const seen = new Map<string, true>();
		let api = '';
		/** The library function called last in a run of them: those between it and the innermost are of no interest. */
		let between: ProfiledFrame | null = null;
		for (let node = this.nodesById().get(id); node !== undefined; node = this.parents.get(node.id)) {
			const { url } = node.callFrame;
			if (this.isOwn(pathOf(url))) continue;
			if (url === '' || url.startsWith('node:') || url.startsWith('wasm:')) {
				if (frames.length > 0) continue;
				api = isGlobalsGetter(node.callFrame) ? '' : apiOf(node.callFrame) || api;
				if (isEvalCode(node.callFrame) && !api.endsWith(EVAL_CODE)) api += `${api === '' ? '' : ' in '}${EVAL_CODE}`;
				continue;
			}
			const key = keyOf(node);
			// For a function that calls itself, the innermost call counts.
			if (seen.has(key)) continue;
			seen.set(key, true);
			const frame = frameAt(
				node.callFrame,
				frames.length === 0 ? this.lines.of(key, node.positionTicks, api === '') : [],
			);
			if (frame.isLibrary && frames.at(-1)?.isLibrary) {
				between = frame;
				continue;
			}
			if (between !== null) frames.push(between);
			between = null;
			frames.push(frame);
			if (frames.length >= MOST_FRAMES) break;
		}
		if (between !== null && frames.length < MOST_FRAMES) frames.push(between);
		return { frames: frames.slice(0, MOST_FRAMES), api };
	}
}

function apiOf({ functionName, url }: ProfileNode['callFrame']): string {
	if (url !== '') return functionName;
	return functionName.startsWith(EXPRESSION) ? 'RegExp' : '';
}

/** Functions of V8's have no line. */
function isEvalCode({ url, lineNumber }: ProfileNode['callFrame']): boolean {
	return url === '' && lineNumber >= 0;
}

/** Node puts a getter in place of some globals, such as `performance`: the program has called nothing. */
function isGlobalsGetter({ functionName, url }: ProfileNode['callFrame']): boolean {
	return functionName === 'get' && /^node:internal\/(util$|bootstrap\/)/.test(url);
}

function keyOf({ callFrame: { lineNumber, columnNumber, url } }: ProfileNode): string {
	return `${lineNumber} ${columnNumber} ${url}`;
}
