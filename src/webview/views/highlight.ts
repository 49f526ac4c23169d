// Source code in colours, by highlight.js, since no API gives an editor's own tokens. Its result is read as text and names of scopes, and never becomes
// part of the page itself.
import hljs from 'highlight.js/lib/core';
import typescript from 'highlight.js/lib/languages/typescript';
import { visibleCode } from '../../protocol/visible-text.ts';
import { codePiece } from '../common/dom.ts';

/** JavaScript is TypeScript without types. */
const LANGUAGE = 'typescript';
const KNOWN = /\.[cm]?[jt]sx?$/i;
/** Larger files are bundles, and take longer than a person waits; in characters. */
const LARGEST = 300_000;
/** The scopes that have a colour in panel.css. */
const COLOURED = /^hljs-(?:keyword|literal|string|regexp|number|comment)$/;

hljs.registerLanguage(LANGUAGE, typescript);

/** One line of code: its tabs stay, and hidden characters are seen. */
export type CodeLine = (string | HTMLElement)[];

/** @param name the file's name @returns the lines in pieces; null where they have no colours */
export function highlighted(lines: readonly string[], name: string): CodeLine[] | null {
	const text = lines.join('\n');
	if (!KNOWN.test(name) || text.length > LARGEST) return null;
	const { value } = hljs.highlight(text, { language: LANGUAGE, ignoreIllegals: true });
	const { body } = new DOMParser().parseFromString(`<pre>${value}</pre>`, 'text/html');
	const made: CodeLine[] = [[]];
	// A line break after `<pre>` is no text.
	if (text.startsWith('\n')) made.push([]);
	for (const node of body.firstElementChild?.childNodes ?? []) take(node, null, made);
	const isWhole =
		made.length === lines.length && lines.every((line, index) => textOf(made[index]!) === visibleCode(line));
	return isWhole ? made : null;
}

function textOf(line: CodeLine): string {
	return line.map((piece) => (typeof piece === 'string' ? piece : piece.textContent)).join('');
}

function take(node: Node, scope: string | null, made: CodeLine[]): void {
	if (node instanceof Element) {
		const own =
			[...node.classList].find((each) => COLOURED.test(each)) ?? (node.classList.contains('hljs-subst') ? null : scope);
		for (const child of node.childNodes) take(child, own, made);
		return;
	}
	(node.textContent ?? '').split('\n').forEach((text, index) => {
		if (index > 0) made.push([]);
		if (text === '') return;
		if (scope === null) {
			made.at(-1)!.push(visibleCode(text));
			return;
		}
		made.at(-1)!.push(codePiece(text, scope));
	});
}
