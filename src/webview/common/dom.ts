// Makes elements whose content is text or other elements: the panel has no other way to put something on the page, so
// that nothing from a program can become markup, or contain invisible characters.
import { visibleCode, visibleText } from '../../protocol/visible-text.ts';

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

/** A piece of a line of source code, with a colour of its own. */
export function codePiece(text: string, className: string): HTMLElement {
	const made = element('span', { className });
	made.textContent = visibleCode(text);
	return made;
}

/** A line of source code, with its tabs. @param pieces the same in colours, without hidden characters */
export function codeLine(text: string, pieces?: readonly (string | HTMLElement)[]): HTMLElement {
	const made = element('span', { className: 'text' });
	if (pieces === undefined) made.textContent = visibleCode(text);
	else made.append(...pieces);
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

/** A text that the style sheet shows (`attr(data-text)`) where it is needed, and that is not part of the content. */
export function setTextOfStyle(node: HTMLElement, text: string): void {
	node.dataset.text = visibleText(text);
}

/** Sets the text if it has changed: otherwise a person's selection in it would be lost. */
export function setText(node: HTMLElement, text: string): void {
	const visible = visibleText(text);
	if (node.textContent !== visible) node.textContent = visible;
}

/** Draws a text on a canvas, cut to a number of characters. */
export function drawText(context: CanvasRenderingContext2D, text: string, most: number, x: number, y: number): void {
	const visible = visibleText(text);
	context.fillText(visible.length <= most ? visible : `${visible.slice(0, most - 1)}…`, x, y);
}
