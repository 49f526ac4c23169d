// The field in which a person says which lines and requests to show, in the language of query.ts.
import { fill, type ViewStrings } from '../../protocol/webview.ts';
import { element, setText } from '../common/dom.ts';
import { completions, type Matches, parseQuery, type TextKey } from '../common/query.ts';

/** More than a person looks through. */
const MOST_OFFERED = 50;

export class FilterBox {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #field = element('input', { id: 'filter' });
	readonly #offered = element('datalist', { id: 'filter-offered' });
	readonly #fault = element('p', { className: 'fault', id: 'filter-fault' });
	#values: Readonly<Record<TextKey, readonly string[]>> = { class: [], file: [], op: [], during: [] };

	/**
	 * @param text what was in the field when the panel was hidden
	 * @param onChange is called with the text when it has changed
	 */
	constructor(words: ViewStrings, text: string, onChange: (text: string) => void) {
		this.#words = words;
		this.#field.type = 'search';
		this.#field.placeholder = 'class:threadpool p95>50ms file:src/** op:fs.*';
		this.#field.spellcheck = false;
		this.#field.value = text;
		this.#field.setAttribute('list', this.#offered.id);
		this.#field.setAttribute('aria-describedby', this.#fault.id);
		this.#fault.setAttribute('role', 'status');
		this.#field.addEventListener('input', () => {
			this.#offer();
			onChange(this.#field.value);
		});
		const label = element('label', {}, words.filter);
		label.htmlFor = this.#field.id;
		this.root = element('div', { className: 'filter' }, label, this.#field, this.#offered, this.#fault);
	}

	/** What the text demands; everything passes while it makes no sense, which is then said below the field. */
	get matches(): Matches {
		const parsed = parseQuery(this.#field.value);
		const isQuery = typeof parsed === 'function';
		this.#field.setAttribute('aria-invalid', String(!isQuery));
		setText(this.#fault, isQuery ? '' : fill(this.#words[`filter.${parsed.wrong}`], parsed.term));
		return isQuery ? parsed : () => true;
	}

	get isEmpty(): boolean {
		return this.#field.value.trim() === '';
	}

	/** What occurs in the report, to be offered. */
	setValues(values: Readonly<Record<TextKey, readonly string[]>>): void {
		this.#values = values;
		this.#offer();
	}

	#offer(): void {
		const texts = completions(this.#field.value, this.#values).slice(0, MOST_OFFERED);
		const present = [...this.#offered.children].map((option) => (option as HTMLOptionElement).value);
		if (texts.length === present.length && texts.every((text, index) => text === present[index])) return;
		this.#offered.replaceChildren(
			...texts.map((text) => {
				const option = element('option');
				option.value = text;
				return option;
			}),
		);
	}
}
