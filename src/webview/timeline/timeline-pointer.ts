// The line that follows the pointer over the timeline, with the time and what the pointer is on.
import { element, setText } from '../common/dom.ts';

/** Of the text from the pointer, in CSS pixels. */
const POINTER_DISTANCE = 14;
/** Between the pointer, its text with its edges, and the end of the view, in CSS pixels. */
const POINTER_MARGIN = 24;

export class TimelinePointer {
	readonly #text = element('span');
	readonly root = element('div', { className: 'pointer' }, this.#text);
	/** Where it is, in CSS pixels of the chart; null while it is elsewhere. */
	at: { x: number; y: number } | null = null;

	constructor() {
		this.root.hidden = true;
		this.root.setAttribute('aria-hidden', 'true');
	}

	/** @param chart below the pointer @param view the part of it that is in view */
	point(x: number, y: number, chart: HTMLElement, view: HTMLElement): void {
		this.at = { x, y };
		this.root.style.left = `${x}px`;
		this.#text.style.top = `${y + POINTER_DISTANCE}px`;
		this.#place(x, chart.getBoundingClientRect(), view.getBoundingClientRect());
		this.root.hidden = false;
	}

	away(): void {
		this.at = null;
		this.root.hidden = true;
	}

	/** @param parts of the text; empty ones are left out */
	say(...parts: string[]): void {
		setText(this.#text, parts.filter((text) => text !== '').join(' · '));
	}

	/** On the side of the pointer that has more room, over the labels too, and no wider than that: what is beyond is cut off. */
	#place(x: number, chart: DOMRect, view: DOMRect): void {
		const left = chart.left + x - view.left;
		const right = Math.min(chart.right, view.right) - chart.left - x;
		this.root.classList.toggle('left', left > right);
		this.#text.style.maxWidth = `min(50ch, ${Math.max(left, right) - POINTER_MARGIN}px)`;
	}
}
