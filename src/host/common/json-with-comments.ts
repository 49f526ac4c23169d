// Reads and edits JSON that a person writes, such as launch.json: with comments, and in the person's own layout.
import { type Edit, modify, parse } from 'jsonc-parser';

/** The value of the text; undefined when it has none. Syntax errors are skipped. */
export function read(text: string): unknown {
	return parse(text);
}

/**
 * The smallest edits that set a value; offsets and lengths in UTF-16 code units of the text.
 * @param path names and indices from the root on; what is missing on the way is made
 */
export function editsToSet(text: string, path: (string | number)[], value: unknown): Edit[] {
	const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
	const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length };
	return modify(text, path, value, { formattingOptions });
}
