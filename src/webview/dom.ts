// Makes elements whose content is text or other elements: the panel has no other way to put something on the page, so
// that nothing from a program can become markup, or contain invisible characters.
import { visibleCode, visibleText } from '../protocol/visible-text.ts';

/** Properties that take no markup. */
interface Properties {
	id?: string;
	className?: string;
	title?: string;
	dir?: 'ltr';
}

export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	properties?: Properties,
	...children: (Node | string)[]
): HTMLElementTagNameMap[Name];
export function element(name: string, properties?: Properties, ...children: (Node | string)[]): HTMLElement;
export function element(name: string, properties: Properties = {}, ...children: (Node | string)[]): HTMLElement {
	const made = document.createElement(name);
	Object.assign(made, properties);
	if (properties.title !== undefined) setTitle(made, properties.title);
	made.append(...children.map((child) => (typeof child === 'string' ? visibleText(child) : child)));
	return made;
}

/** A line of source code, with its tabs. */
export function codeLine(text: string): HTMLElement {
	const made = element('span', { className: 'text' });
	made.textContent = visibleCode(text);
	return made;
}

/** The tooltip. */
export function setTitle(node: HTMLElement, title: string): void {
	node.title = visibleText(title);
}

/** The text that a screen reader reads instead of the content. */
export function setLabel(node: HTMLElement, label: string): void {
	node.setAttribute('aria-label', visibleText(label));
}

/** Sets the text if it has changed: otherwise a person's selection in it would be lost. */
export function setText(node: HTMLElement, text: string): void {
	const visible = visibleText(text);
	if (node.textContent !== visible) node.textContent = visible;
}
