// A small picture of values over time: an area without axes, beside the figure that it belongs to.
import { element } from './dom.ts';

/** In CSS pixels. */
export const SPARK_WIDTH = 64;
const HEIGHT = 14;

export class Spark {
	readonly root: HTMLCanvasElement;
	readonly #colour: string;
	#shown: readonly number[] = [];

	/** @param colour the name of a custom property of the style sheet */
	constructor(colour: string) {
		this.#colour = colour;
		this.root = element('canvas', { className: 'spark' });
		// The figure beside it says what matters.
		this.root.setAttribute('aria-hidden', 'true');
		this.root.hidden = true;
		this.root.style.width = `${SPARK_WIDTH}px`;
		this.root.style.height = `${HEIGHT}px`;
	}

	/** @param values from 0 to 1, in the order of time */
	show(values: readonly number[]): void {
		if (values.length === this.#shown.length && values.every((value, index) => value === this.#shown[index])) return;
		this.#shown = values;
		// An empty picture would be a gap that nobody understands.
		this.root.hidden = values.every((value) => value === 0);
		const context = this.root.getContext('2d');
		if (context === null) return;
		this.root.width = SPARK_WIDTH * devicePixelRatio;
		this.root.height = HEIGHT * devicePixelRatio;
		context.scale(devicePixelRatio, devicePixelRatio);
		context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(this.#colour).trim();
		const step = SPARK_WIDTH / values.length;
		values.forEach((value, index) => {
			// What is there at all can be seen.
			const height = value > 0 ? Math.max(1, value * HEIGHT) : 0;
			context.fillRect(index * step, HEIGHT - height, Math.max(1, step), height);
		});
	}
}

/** The same values in at most `count` steps, each the mean of its own. */
export function inSteps(values: ArrayLike<number>, count: number): number[] {
	const steps = Array.from({ length: Math.min(count, values.length) }, () => ({ sum: 0, count: 0 }));
	for (let index = 0; index < values.length; index++) {
		const step = steps[Math.floor((index * steps.length) / values.length)]!;
		step.sum += values[index]!;
		step.count++;
	}
	return steps.map(({ sum, count }) => sum / count);
}
