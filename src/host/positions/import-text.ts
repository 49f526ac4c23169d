// Where a script's text imports other modules: V8's stacks do not show that, since it runs modules one after the other, each
// outside of the one that imports it.
import { codeOf } from './function-text.ts';

export interface Import {
	/** 1-based. */
	line: number;
	/** What it imports, as the text names it. */
	named: string;
	/** `static`: run before the script's own code; `dynamic`: by `import()`; `required`: by `require`, where a stack shows who did it. */
	kind: 'static' | 'dynamic' | 'required';
}

/** The text of a module's name, with the quotes around it, from some position on. */
const NAME = /\s*(['"])((?:(?!\1)[^\\\n])+)\1/y;
/** What may lead to another module. A declaration of types alone imports nothing. */
const KEYWORD = /(?<![\p{ID_Continue}$.#])(import|export|require)\b(?!\s+type\s+(?!from\b)[\p{ID_Start}{*$])/gu;
/** What comes between `import` or `export` and the name of the module. */
const CLAUSE = /\s*(?:[\p{ID_Continue}$]+\s*,?\s*)?(?:\*\s*(?:as\s+[\p{ID_Continue}$]+\s*)?|\{[^{}]*\}\s*)?from\b/uy;

/** In the order of the text. */
export function importsIn(text: string): Import[] {
	const code = codeOf(text);
	const found: Import[] = [];
	let line = 1;
	let at = 0;
	for (const { 1: keyword, index } of code.matchAll(KEYWORD)) {
		for (; at < index; at++) if (text[at] === '\n') line++;
		const end = index + keyword!.length;
		const call = /\s*\(/y;
		call.lastIndex = end;
		if (call.test(code)) {
			const named = keyword === 'export' ? null : nameAt(text, call.lastIndex);
			if (named !== null) found.push({ line, named, kind: keyword === 'import' ? 'dynamic' : 'required' });
			continue;
		}
		if (keyword === 'require') continue;
		CLAUSE.lastIndex = end;
		const named =
			(keyword === 'import' ? nameAt(text, end) : null) ?? (CLAUSE.test(code) ? nameAt(text, CLAUSE.lastIndex) : null);
		if (named !== null) found.push({ line, named, kind: 'static' });
	}
	return found;
}

function nameAt(text: string, from: number): string | null {
	NAME.lastIndex = from;
	return NAME.exec(text)?.[2] ?? null;
}
