// The only file that imports `@vscode/webview-ui-toolkit`. Its maintainers have archived it; when it must go, this file and its
// tags must be replaced. Its data grid is not used: it has no sorting and no header buttons.
import {
	provideVSCodeDesignSystem,
	vsCodeButton,
	vsCodeDropdown,
	vsCodeOption,
	vsCodePanels,
	vsCodePanelTab,
	vsCodePanelView,
	vsCodeTag,
} from '@vscode/webview-ui-toolkit';
import { element, setLabel } from './dom.ts';

/** Makes the elements known to the document; before the first of them is created. */
export function registerToolkit(): void {
	provideVSCodeDesignSystem().register(
		vsCodeButton(),
		vsCodeDropdown(),
		vsCodeOption(),
		vsCodePanels(),
		vsCodePanelTab(),
		vsCodePanelView(),
		vsCodeTag(),
	);
}

export function tag(text: string, className: string): HTMLElement {
	return element('vscode-tag', { className }, text);
}

export function button(text: string, onClick: () => void): HTMLElement {
	const made = element('vscode-button', {}, text);
	made.setAttribute('appearance', 'secondary');
	made.addEventListener('click', onClick);
	return made;
}

/** Tabs over views; `id`s must be unique in the document. */
export class Tabs<Id extends string> {
	readonly root: HTMLElement & { activeid?: string };

	readonly #views = new Map<Id, HTMLElement>();

	constructor(tabs: Record<Id, { label: string; view: HTMLElement }>, onChange: (id: Id) => void) {
		const all = Object.entries(tabs) as [Id, (typeof tabs)[Id]][];
		this.root = element('vscode-panels', { className: 'tabs' });
		for (const [id, { label }] of all) this.root.append(element('vscode-panel-tab', { id }, label));
		for (const [id, { view }] of all) {
			const host = element('vscode-panel-view', { id: `view-${id}` });
			host.append(view);
			this.#views.set(id, view);
			this.root.append(host);
		}
		this.root.addEventListener('change', () => {
			const active = all.find(([id]) => id === this.root.activeid);
			if (active !== undefined) onChange(active[0]);
		});
	}

	/** Puts an element above a view, where it was above another one. */
	putAbove(id: Id, head: HTMLElement): void {
		const view = this.#views.get(id);
		if (view?.previousElementSibling !== head) view?.before(head);
	}

	select(id: Id): void {
		this.root.setAttribute('activeid', id);
	}
}

/** A labelled choice among texts with values. */
export class Choice {
	readonly root: HTMLElement;
	readonly #dropdown: HTMLElement & { value?: string };
	#shown = '';

	/** @param id of its own in the document */
	constructor(id: string, label: string, onChange: (value: string) => void) {
		this.#dropdown = element('vscode-dropdown', { id });
		setLabel(this.#dropdown, label);
		this.#dropdown.addEventListener('change', () => onChange(this.#dropdown.value ?? ''));
		this.root = element('div', { className: 'choice' }, element('span', {}, label), this.#dropdown);
	}

	/** Replaces the options if they changed, so that an open list stays open while figures arrive. */
	set(options: readonly { value: string; text: string }[], selected: string): void {
		const wanted = JSON.stringify(options);
		if (wanted !== this.#shown) {
			this.#shown = wanted;
			this.#dropdown.replaceChildren(
				...options.map(({ value, text }) => {
					const option = element('vscode-option', {}, text);
					option.setAttribute('value', value);
					return option;
				}),
			);
		}
		if (this.#dropdown.value !== selected) this.#dropdown.value = selected;
	}
}
