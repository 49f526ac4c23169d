// A small picture of values over time: an area without axes, beside the figure that it belongs to.

/** In CSS pixels. */
export const SPARK_WIDTH = 64;
const HEIGHT = 14;
const SVG = 'http://www.w3.org/2000/svg';

export class Spark {
	readonly root = document.createElementNS(SVG, 'svg');
	readonly #area = document.createElementNS(SVG, 'path');
	#shown: readonly number[] = [];

	/** @param colour the name of a custom property of the style sheet */
	constructor(colour: string) {
		this.root.classList.add('spark');
		// The figure beside it says what matters.
		this.root.setAttribute('aria-hidden', 'true');
		this.root.setAttribute('width', String(SPARK_WIDTH));
		this.root.setAttribute('height', String(HEIGHT));
		this.root.toggleAttribute('hidden', true);
		this.#area.style.fill = `var(${colour})`;
		this.root.append(this.#area);
	}

	/** @param values from 0 to 1, in the order of time */
	show(values: readonly number[]): void {
		if (values.length === this.#shown.length && values.every((value, index) => value === this.#shown[index])) return;
		this.#shown = values;
		// An empty picture would be a gap that nobody understands.
		this.root.toggleAttribute(
			'hidden',
			values.every((value) => value === 0),
		);
		const step = SPARK_WIDTH / values.length;
		const bars = values.map((value, index) => {
			// What is there at all can be seen.
			const height = value > 0 ? Math.max(1, value * HEIGHT) : 0;
			return height === 0 ? '' : `M${index * step} ${HEIGHT}v${-height}h${Math.max(1, step)}v${height}z`;
		});
		this.#area.setAttribute('d', bars.join(''));
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
