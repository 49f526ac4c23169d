// From a node of V8's profile to the few functions that a person wants to hear of: what computed, and who of the program had called it.
import type { ProfileNode } from './cpu-profile.ts';
import type { FunctionLines } from './function-lines.ts';
import { frameAt, pathOf, type SampledFrame } from './sampled-frame.ts';

/** So many are told: the innermost and what of the program called it. One record holds no more (tracer/journal/writer.ts). */
const MOST_FRAMES = 8;

/** What the thread was doing. */
export interface SampledStack {
	/** Innermost first; empty when no function of the program or its libraries was on the stack. */
	frames: readonly SampledFrame[];
	/** Node's function that the innermost frame had called, or an empty string. */
	api: string;
}

/** What V8 calls its own doings. */
const COLLECTOR = '(garbage collector)';

/** The stacks of one window. */
export class WindowStacks {
	private readonly nodes = new Map<number, ProfileNode>();
	private readonly parents = new Map<number, ProfileNode>();
	private readonly stacks = new Map<number, SampledStack>();
	private readonly lines: FunctionLines;
	private readonly isOwn: (script: string) => boolean;

	/**
	 * @param lines of functions in earlier windows; gets to know those of this one
	 * @param isOwn whether a script is the tracer's
	 */
	constructor(nodes: readonly ProfileNode[], lines: FunctionLines, isOwn: (script: string) => boolean) {
		this.isOwn = isOwn;
		this.lines = lines;
		for (let at = 0; at < nodes.length; at++) {
			const node = nodes[at]!;
			this.nodes.set(node.id, node);
			if (node.positionTicks !== undefined) lines.add(keyOf(node), node.positionTicks);
			const { children = [] } = node;
			for (let child = 0; child < children.length; child++) this.parents.set(children[child]!, node);
		}
	}

	isCollection(id: number): boolean {
		return this.nodes.get(id)?.callFrame.functionName === COLLECTOR;
	}

	/** The stack whose innermost function has that id. */
	of(id: number): SampledStack {
		let stack = this.stacks.get(id);
		if (stack === undefined) {
			stack = this.read(id);
			this.stacks.set(id, stack);
		}
		return stack;
	}

	private read(id: number): SampledStack {
		const frames: SampledFrame[] = [];
		const seen = new Map<string, true>();
		let api = '';
		/** The library function that was called last of a run of them: those between it and the innermost say nothing. */
		let between: SampledFrame | null = null;
		for (let node = this.nodes.get(id); node !== undefined; node = this.parents.get(node.id)) {
			const { functionName, url } = node.callFrame;
			if (this.isOwn(pathOf(url))) continue;
			if (url === '' || url.startsWith('node:') || url.startsWith('wasm:')) {
				if (frames.length === 0 && url !== '') api = functionName;
				continue;
			}
			const key = keyOf(node);
			// Of a function that calls itself, the innermost call counts.
			if (seen.has(key)) continue;
			seen.set(key, true);
			const frame = frameAt(node.callFrame, frames.length === 0 ? this.lines.of(key) : []);
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

function keyOf({ callFrame: { lineNumber, columnNumber, url } }: ProfileNode): string {
	return `${lineNumber} ${columnNumber} ${url}`;
}
