// The labels of the timeline's lanes, beside the chart: a line's leads to it, a heading's folds what is below it, and each lane can be kept at the top.
// The buttons that keep lanes there are one stop for the Tab key; up and down arrows, Home and End go from one to another.
import { fill, type ViewStrings } from '../../protocol/webview.ts';
import { element, setLabel, setTitle } from '../common/dom.ts';
import { type Lane, type LineLane, tops } from './timeline-lanes.ts';

export interface LabelEvents {
	open(lane: LineLane): void;
	fold(lane: Lane): void;
	pin(lane: Lane): void;
}

export class LaneLabels {
	readonly root = element('div', { className: 'lane-labels' });
	readonly #words: ViewStrings;
	readonly #events: LabelEvents;
	/** What the labels show now. */
	#shown = '';
	/** How many of the first ones stay in view. */
	#stuck = 0;
	/** The key of the lane whose button the Tab key reaches; undefined for the first one's. */
	#reached: string | undefined;

	constructor(words: ViewStrings, events: LabelEvents) {
		this.#words = words;
		this.#events = events;
		this.root.addEventListener('keydown', (event) => this.#goTo(event));
		this.root.addEventListener('focusin', ({ target }) => {
			const pins = this.#pins;
			if (pins.includes(target as HTMLElement)) this.#reach(pins, target as HTMLElement);
		});
	}

	get #pins(): HTMLElement[] {
		return [...this.root.querySelectorAll<HTMLElement>('.pin')];
	}

	/** The Tab key reaches this one of them, and no other. */
	#reach(pins: readonly HTMLElement[], reached: HTMLElement | undefined): void {
		this.#reached = reached?.dataset.key;
		for (const pin of pins) pin.tabIndex = pin === reached ? 0 : -1;
	}

	#goTo(event: KeyboardEvent): void {
		const pins = this.#pins;
		const at = pins.indexOf(event.target as HTMLElement);
		if (at < 0) return;
		const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: pins.length - 1 }[event.key];
		if (next === undefined) return;
		event.preventDefault();
		pins[next]?.focus();
	}

	/**
	 * Shows the labels of these lanes; where nothing has changed, the elements stay, with the focus and the pointer on them.
	 * @param operationOf the part at the end of a text that gives way first where there is no room; empty for none
	 */
	set(lanes: readonly Lane[], textOf: (lane: Lane) => string, operationOf: (lane: Lane) => string): void {
		const shown = lanes
			.map((lane) =>
				[lane.key, textOf(lane), lane.height, lane.isPinned, lane.kind === 'heading' && lane.isFolded].join(),
			)
			.join('\n');
		if (shown === this.#shown) return;
		this.#shown = shown;
		const focused = document.activeElement?.getAttribute('data-key');
		const { tops: all } = tops(lanes);
		this.root.replaceChildren(
			...lanes.map((lane, index) => this.#label(lane, all[index]!, textOf(lane), operationOf(lane))),
		);
		this.#markStuck();
		const pins = this.#pins;
		this.#reach(pins, pins.find(({ dataset }) => dataset.key === this.#reached) ?? pins[0]);
		if (focused)
			[...this.root.querySelectorAll<HTMLElement>('[data-key]')]
				.find(({ dataset }) => dataset.key === focused)
				?.focus();
	}

	/** The labels of the first lanes stay in view while the others scroll under them. */
	stick(count: number): void {
		if (count === this.#stuck) return;
		this.#stuck = count;
		this.#markStuck();
	}

	#markStuck(): void {
		[...this.root.children].forEach((label, index) => {
			label.classList.toggle('stuck', index < this.#stuck);
			label.classList.toggle('last-stuck', index === this.#stuck - 1);
		});
	}

	#label(lane: Lane, top: number, text: string, operation: string): HTMLElement {
		const name = this.#name(lane, text, operation);
		const label = element('div', { className: `lane-label ${lane.kind}`, title: text }, name);
		label.style.height = `${lane.height}px`;
		label.style.setProperty('--top', `${top}px`);
		if (lane.kind !== 'heading') label.append(this.#pin(lane, text));
		return label;
	}

	#name(lane: Lane, text: string, operation: string): HTMLElement {
		if (lane.kind === 'line') {
			const place = text.slice(0, text.length - operation.length).trimEnd();
			const parts = [shortened('lane-place', place), ' ', shortened('lane-operation', operation)];
			const open = element('button', { className: 'link lane-name' }, ...parts);
			open.addEventListener('click', () => this.#events.open(lane));
			return open;
		}
		const name = shortened('lane-text', text);
		if (lane.kind !== 'heading') return element('span', { className: 'lane-name' }, name);
		const fold = element('button', { className: 'fold lane-name' }, name);
		fold.setAttribute('aria-expanded', String(!lane.isFolded));
		setLabel(fold, fill(lane.isFolded ? this.#words.unfoldLanes : this.#words.foldLanes, text));
		fold.dataset.key = lane.key;
		fold.addEventListener('click', () => this.#events.fold(lane));
		return fold;
	}

	#pin(lane: Lane, text: string): HTMLElement {
		const pin = element('button', { className: 'pin' });
		const help = fill(lane.isPinned ? this.#words.unpinLane : this.#words.pinLane, text);
		setLabel(pin, help);
		setTitle(pin, help);
		pin.setAttribute('aria-pressed', String(lane.isPinned));
		pin.dataset.key = `pin ${lane.key}`;
		pin.addEventListener('click', () => this.#events.pin(lane));
		return pin;
	}
}

/** Loses an end where there is no room: which one is in the style sheet. */
function shortened(className: string, text: string): HTMLElement {
	return element('span', { className }, element('bdi', { dir: 'ltr' }, text));
}
