// What one thread computed while it blocked its loop: stacks that the sampler found (tracer/stacks), and how long each of them was there.
import type { FrameFacts } from '../../protocol/journal-records.ts';
import type { Place } from '../common/place.ts';

/**
 * The most stacks of one block that samples may refer to: the sampler records fewer (tracer/stacks/block-samples.ts).
 */
const MOST_STACKS = 256;

/** A function on a sampled stack. */
export interface SampledFrame {
	/** Where it begins. */
	readonly place: Place;
	readonly name: string;
	/** Lines of the same script that ran, the likeliest first; empty where only the function is known. */
	readonly lines: readonly number[];
	readonly isLibrary: boolean;
	/** The source of a library's function in a bundle of the user's; missing where it is the script. */
	readonly file?: string;
	/** Whether it is a script that imports the module above, on the only one of `lines`: samples do not show it. */
	readonly isImport?: boolean;
}

/** Whether it is the code of a script outside of its functions: what runs when the script is loaded. */
export function isModuleCode({ name, place: { line, column } }: SampledFrame): boolean {
	return name === '' && line === 1 && column === 1;
}

/** A stack that a thread was found with. */
export interface SampledStack {
	/** Innermost first; empty where no function of the program or its libraries was on the stack. */
	readonly frames: readonly SampledFrame[];
	/**
	 * The function of Node's that the innermost frame had called, or `RegExp`; empty where the frame ran itself, or something of
	 * V8's. See also EVAL_CODE.
	 */
	readonly api: string;
}

/** A stretch of time for which samples count, in µs. */
interface Sampled {
	readonly start: number;
	readonly end: number;
	sample(stack: SampledStack, us: number, isCollection: boolean): void;
}

export class StackSamples {
	private readonly stacks = new Map<number, SampledStack>();
	/** Frames are mostly the same from block to block. */
	private readonly frames = new Map<string, SampledFrame>();
	/** Scripts whose loading no other one's code had called: ES modules, and what they import. */
	readonly modules = new Set<string>();

	/** The samples of another block follow, or those of another generation, whose strings are different. */
	clear(): void {
		this.stacks.clear();
	}

	/** @param textOf returns the string with that number @param see is called with each script */
	add(
		id: number,
		api: number,
		frames: readonly FrameFacts[],
		textOf: (id: number) => string,
		see: (script: string) => void,
	): void {
		if (this.stacks.size >= MOST_STACKS && !this.stacks.has(id)) return;
		// Lines count from 1.
		const sampled = frames.filter(({ line }) => line > 0).map((frame) => this.frameOf(frame, textOf, see));
		const outermost = sampled.at(-1);
		if (outermost !== undefined && isModuleCode(outermost)) this.modules.add(outermost.place.script);
		this.stacks.set(id, { api: textOf(api), frames: sampled });
	}

	/** Samples found the thread with that stack from `from` to `to`: counts for the blocks of that time. */
	sample(from: number, to: number, id: number, isCollection: boolean, blocks: readonly Sampled[]): void {
		const stack = this.stacks.get(id);
		if (stack === undefined) return;
		for (let i = blocks.length - 1; i >= 0 && blocks[i]!.end > from; i--) {
			const block = blocks[i]!;
			const us = Math.min(to, block.end) - Math.max(from, block.start);
			if (us > 0) block.sample(stack, us, isCollection);
		}
	}

	private frameOf(
		{ script, name, line, column, lines, isLibrary }: FrameFacts,
		textOf: (id: number) => string,
		see: (script: string) => void,
	): SampledFrame {
		const text = textOf(script);
		const key = `${line} ${column} ${lines} ${text}`;
		let frame = this.frames.get(key);
		if (frame === undefined) {
			frame = { place: { script: text, line, column }, name: textOf(name), lines, isLibrary };
			this.frames.set(key, frame);
			see(text);
		}
		return frame;
	}
}
