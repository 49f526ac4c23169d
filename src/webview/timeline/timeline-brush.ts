// What the timeline is drawn with: colours and patterns of the theme, times as places on a canvas, and a note of what is where for the pointer.
import { drawText } from '../common/dom.ts';
import type { TimeRange } from '../common/time-range.ts';

/** Shorter bars are drawn as wide as this, in CSS pixels, or they would be invisible. */
export const LEAST_WIDTH = 1.5;
/** By how much the pointer may miss a bar, in CSS pixels. */
const NEAR = 2;
/** Fewer characters of a text say nothing. */
const LEAST_CHARACTERS = 6;
/** What is not meant stays visible, but faintly. */
const FAINT = 0.2;

/** Something that was drawn and can be pointed at. */
export interface Target {
	kind: 'operation' | 'run' | 'request' | 'job' | 'block' | 'gap' | 'collection';
	/** Among those of its kind in the answer that is drawn. */
	index: number;
}

interface Hit extends Target {
	left: number;
	right: number;
	top: number;
	bottom: number;
}

/** What is where on the canvas, in CSS pixels. */
export class Hits {
	readonly #all: Hit[] = [];
	/** From which note on something counts in a band: what was noted there before is covered. */
	readonly #covers: { from: number; top: number; bottom: number }[] = [];

	add(kind: Target['kind'], index: number, left: number, right: number, top: number, bottom: number): void {
		this.#all.push({ kind, index, left, right, top, bottom });
	}

	/** What was noted there until now lies under what comes. */
	cover(top: number, bottom: number): void {
		this.#covers.push({ from: this.#all.length, top, bottom });
	}

	/** What was drawn there last; null where nothing is. */
	at(x: number, y: number): Target | null {
		const from = this.#covers.findLast(({ top, bottom }) => y >= top && y < bottom)?.from ?? 0;
		return (
			this.#all.findLast(
				({ left, right, top, bottom }, index) =>
					index >= from && x >= left - NEAR && x <= right + NEAR && y >= top && y < bottom,
			) ?? null
		);
	}

	/** Where that was drawn last; null where it was not. */
	where({ kind, index }: Target): Hit | null {
		return this.#all.findLast((hit) => hit.kind === kind && hit.index === index) ?? null;
	}
}

export class Brush {
	readonly context: CanvasRenderingContext2D;
	readonly width: number;
	readonly height: number;
	readonly hits: Hits;
	readonly #patterns: Patterns;
	readonly #style: CSSStyleDeclaration;
	readonly #range: TimeRange;
	readonly #colours = new Map<string, string>();

	/**
	 * @param hits takes what is drawn
	 * @param style has the theme's colours
	 */
	constructor(
		context: CanvasRenderingContext2D,
		hits: Hits,
		style: CSSStyleDeclaration,
		patterns: Patterns,
		range: TimeRange,
		width: number,
		height: number,
	) {
		this.context = context;
		this.hits = hits;
		this.#style = style;
		this.#range = range;
		this.width = width;
		this.height = height;
		this.#patterns = patterns;
	}

	/** Where something queues. */
	get hatched(): CanvasPattern | string {
		return this.#patterns.of(this.context, this.colour('--wl-queue'), HATCHED);
	}

	/** The job of a thread that is not recorded. */
	get hatchedJobs(): CanvasPattern | string {
		return this.#patterns.of(this.context, this.colour('--wl-execute'), HATCHED_DENSELY);
	}

	/** Where the loop is late. */
	get dotted(): CanvasPattern | string {
		return this.#patterns.of(this.context, this.colour('--wl-lag'), DOTTED);
	}

	/** Where something is missing. */
	get crossed(): CanvasPattern | string {
		return this.#patterns.of(this.context, this.colour('--wl-gap'), CROSSED);
	}

	colour(name: string): string {
		let colour = this.#colours.get(name);
		if (colour === undefined) {
			colour = this.#style.getPropertyValue(name).trim();
			this.#colours.set(name, colour);
		}
		return colour;
	}

	x(ms: number): number {
		const { fromMs, toMs } = this.#range;
		return ((ms - fromMs) / (toMs - fromMs)) * this.width;
	}

	/** Whether any of that is in the range. */
	isIn(fromMs: number, toMs: number): boolean {
		return toMs >= this.#range.fromMs && fromMs <= this.#range.toMs;
	}

	/** Fills a time with what is set. */
	fill(fromMs: number, toMs: number, top: number, height: number): void {
		const left = Math.max(-1, this.x(fromMs));
		const right = Math.min(this.width + 1, this.x(toMs));
		if (right >= left) this.context.fillRect(left, top, Math.max(LEAST_WIDTH, right - left), height);
	}

	/** Notes what the pointer finds there. */
	note(kind: Target['kind'], index: number, fromMs: number, toMs: number, top: number, height: number): void {
		const left = this.x(fromMs);
		this.hits.add(kind, index, left, Math.max(left + LEAST_WIDTH, this.x(toMs)), top, top + height);
	}

	/** A text in a bar, cut to its room; none where that would leave nothing to read. */
	text(text: string, fromMs: number, toMs: number, top: number, height: number, colour: string): void {
		const left = Math.max(0, this.x(fromMs)) + 4;
		const room = Math.min(this.width, this.x(toMs)) - left - 4;
		const { context } = this;
		const fits = Math.floor(room / this.#characterWidth());
		if (fits < Math.min(text.length, LEAST_CHARACTERS)) return;
		context.fillStyle = colour;
		context.textBaseline = 'middle';
		drawText(context, text, fits, left, top + height / 2);
	}

	/** From here on what is drawn is faint, or not any more. */
	faint(isFaint: boolean): void {
		this.context.globalAlpha = isFaint ? FAINT : 1;
	}

	#character = 0;

	#characterWidth(): number {
		if (this.#character === 0) {
			this.context.font = `${this.#style.fontSize} ${this.#style.fontFamily}`;
			this.#character = this.context.measureText('0').width || 1;
		}
		return this.#character;
	}
}

const HATCHED = ['0001', '0010', '0100', '1000'];
const HATCHED_DENSELY = ['1001', '0011', '0110', '1100'];
const DOTTED = ['1100', '1100', '0011', '0011'];
const CROSSED = ['1000000', '0100000', '0010000', '0001000', '0000100', '0000010', '0000001'];

/** Fills of pixels, each made once: they take longer than what is drawn with them. */
export class Patterns {
	readonly #made = new Map<string, CanvasPattern | string>();

	/** @param rows of pixels, of which those with a 1 are set */
	of(context: CanvasRenderingContext2D, colour: string, rows: readonly string[]): CanvasPattern | string {
		const key = `${colour} ${rows.join()}`;
		let made = this.#made.get(key);
		if (made === undefined) {
			made = pattern(context, colour, rows);
			this.#made.set(key, made);
		}
		return made;
	}
}

function pattern(context: CanvasRenderingContext2D, colour: string, rows: readonly string[]): CanvasPattern | string {
	const tile = document.createElement('canvas');
	tile.width = rows[0]!.length;
	tile.height = rows.length;
	const paint = tile.getContext('2d');
	if (paint === null) return colour;
	paint.fillStyle = colour;
	rows.forEach((row, y) => {
		[...row].forEach((bit, x) => {
			if (bit === '1') paint.fillRect(x, y, 1, 1);
		});
	});
	return context.createPattern(tile, 'repeat') ?? colour;
}
