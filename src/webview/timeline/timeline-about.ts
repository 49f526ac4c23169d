// What is said of the selected operation, below the chart, which stays where it is whatever that is.
import { element, setLabel, setText } from '../common/dom.ts';
import type { CauseText } from './timeline-texts.ts';

export class AboutOperation {
	readonly #details = element('p', { className: 'details' });
	readonly #causes = element('p', { className: 'causes' });
	readonly root = element('div', { className: 'about-operation' }, this.#details, this.#causes);
	readonly #goTo: (operation: number) => void;

	/** @param label its name for screen readers @param goTo leads to an operation that a cause names, by its index in the answer that is drawn */
	constructor(label: string, goTo: (operation: number) => void) {
		this.#goTo = goTo;
		this.root.tabIndex = 0;
		this.root.setAttribute('role', 'region');
		setLabel(this.root, label);
		this.#details.setAttribute('role', 'status');
	}

	/** @param causes why the operation waited: each part leads to the operation that it names */
	show(details: string, causes: readonly CauseText[]): void {
		setText(this.#details, details);
		const shown = [...this.#causes.children].map((each) => each.textContent).join();
		if (causes.map(({ text }) => text).join() === shown) return;
		this.#causes.replaceChildren(
			...causes.map(({ text, operation }) => {
				if (operation < 0) return element('span', {}, text);
				const link = element('button', { className: 'link' }, text);
				link.addEventListener('click', () => this.#goTo(operation));
				return link;
			}),
		);
	}
}
