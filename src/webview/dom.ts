// Makes elements whose content is text or other elements: the panel has no other way to put something on the page, so
// that nothing from a program can become markup.

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
	made.append(...children);
	return made;
}

/** Sets the text if it is another one: a person's selection in it survives. */
export function setText(node: HTMLElement, text: string): void {
	if (node.textContent !== text) node.textContent = text;
}
