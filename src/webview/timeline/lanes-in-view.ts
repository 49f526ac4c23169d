// Where the timeline's lanes are on the screen. All of them may be many screens high: a canvas covers those in view, and over it lies one with the
// pinned lanes that have room to stay.
import { element } from '../common/dom.ts';
import type { Places } from './timeline-drawing.ts';
import { type Lane, laneAt, NONE_STUCK, stuckIn, tops } from './timeline-lanes.ts';

/** How much is drawn above and below the view, so that scrolling shows something at once, in CSS pixels. */
const BEYOND = 100;
/** The share of the view that pinned lanes may keep, however low it is. */
const STUCK_SHARE = 0.5;

export class LanesInView {
	readonly canvases = { scrolled: element('canvas'), stuck: element('canvas', { className: 'stuck' }) };
	/** As high as all lanes. */
	readonly chart = element('div', { className: 'chart' }, this.canvases.scrolled, this.canvases.stuck);
	/** What scrolls over the lanes and is always in view. */
	readonly #axis: HTMLElement;
	/** The pinned lanes that stay in view, as they were drawn last. */
	#stuck = NONE_STUCK;

	constructor(axis: HTMLElement) {
		this.#axis = axis;
	}

	/** How many lanes stay in view. */
	get stuckCount(): number {
		return this.#stuck.count;
	}

	/** The lane at a height of the chart, in CSS pixels. */
	at(lanes: readonly Lane[], y: number): Lane | undefined {
		return laneAt(lanes, this.#stuck, y);
	}

	/** Puts the canvases where the chart is in view. @param scroll the element in which it scrolls */
	place(lanes: readonly Lane[], scroll: HTMLElement): Places {
		const { chart: root, canvases } = this;
		const { height } = tops(lanes);
		const heightText = `${height}px`;
		if (root.style.height !== heightText) root.style.height = heightText;
		const chart = root.getBoundingClientRect();
		const view = scroll.getBoundingClientRect();
		const axisHeight = this.#axis.offsetHeight;
		const offset = Math.max(0, Math.min(height, view.top - chart.top) - BEYOND);
		const bottom = Math.min(height, Math.max(0, view.bottom - chart.top) + BEYOND);
		const fits = stuckIn(lanes, (view.height - axisHeight) * STUCK_SHARE);
		const under = Math.max(0, view.top + axisHeight - chart.top);
		this.#stuck = { ...fits, top: Math.min(under, height - fits.height) };
		canvases.scrolled.style.top = `${offset}px`;
		canvases.scrolled.style.height = `${Math.max(1, bottom - offset)}px`;
		canvases.stuck.hidden = fits.count === 0;
		canvases.stuck.style.height = `${fits.height}px`;
		// What the Tab key reaches must not stop under them.
		scroll.style.scrollPaddingTop = `${axisHeight + fits.height}px`;
		return { offset, stuck: this.#stuck };
	}

	/** Scrolls to a lane that is not all in view. */
	bring(lanes: readonly Lane[], lane: Lane, scroll: HTMLElement): void {
		const at = lanes.indexOf(lane);
		// Those that stay are always in view.
		if (at < this.#stuck.count) return;
		const chart = this.chart.getBoundingClientRect();
		const view = scroll.getBoundingClientRect();
		const top = chart.top + tops(lanes).tops[at]!;
		const bottom = top + lane.height;
		// The axis and pinned lanes lie over what scrolls under them.
		const first = view.top + this.#axis.offsetHeight + this.#stuck.height;
		if (top < first) scroll.scrollTop -= first - top;
		else if (bottom > view.bottom) scroll.scrollTop += Math.min(bottom - view.bottom, top - first);
	}
}
