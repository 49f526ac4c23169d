// The times above the timeline's lanes. It is drawn with each frame while a person zooms and moves: elements are used again, and nothing asks the browser
// where they are, for which it would have to lay out the page.
import { element, setText } from '../common/dom.ts';
import { type TimeRange, tickTexts } from '../common/time-range.ts';

/** Between a tick and its text, in CSS pixels, as in panel.css. */
const TEXT_INDENT = 4;

export class TimelineAxis {
	readonly root = element('div', { className: 'axis' });
	readonly #marks: HTMLElement[] = [];
	readonly #measuring = document.createElement('canvas').getContext('2d');
	readonly #widths = new Map<string, number>();
	#font = '';

	/**
	 * @param times of the ticks, in ms
	 * @param width of the axis, in CSS pixels
	 * @param font of the texts, as a style has it
	 */
	draw({ fromMs, toMs }: TimeRange, times: readonly number[], width: number, font: string): void {
		if (font !== this.#font) this.#widths.clear();
		this.#font = font;
		const texts = tickTexts(times);
		while (this.#marks.length < times.length) this.#marks.push(element('span'));
		if (this.root.childElementCount !== times.length) this.root.replaceChildren(...this.#marks.slice(0, times.length));
		times.forEach((tick, index) => {
			const mark = this.#marks[index]!;
			const x = (width * (tick - fromMs)) / (toMs - fromMs);
			// A time that is cut off would be read as a different one.
			setText(mark, x + TEXT_INDENT + this.#widthOf(texts[index]!) > width ? '' : texts[index]!);
			mark.style.transform = `translateX(${x}px)`;
		});
	}

	/** In CSS pixels. Digits are all as wide as one another, so texts that differ only in them are measured once. */
	#widthOf(text: string): number {
		const shape = text.replaceAll(/\d/g, '0');
		let width = this.#widths.get(shape);
		if (width === undefined) {
			if (this.#measuring !== null) this.#measuring.font = this.#font;
			width = this.#measuring?.measureText(shape).width ?? 0;
			this.#widths.set(shape, width);
		}
		return width;
	}
}
