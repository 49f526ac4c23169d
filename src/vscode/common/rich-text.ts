// A text with tables, lists and command links, before it is written as Markdown. It distinguishes our own words from
// what came out of a program: the first may contain markup, the second never becomes anything but text. Neither
// contains invisible characters.
import { visibleText } from '../../protocol/visible-text.ts';

/** Words of ours, something from a program, or a link that calls a command of the allow-list. */
export type Inline =
	| string
	| { data: string }
	| { strong: Inline }
	| { code: string }
	| { label: string; command: string; args: readonly (string | number)[] };

export type TextBlock =
	| { paragraph: Inline[] }
	/** The first row is the head; the first and the last column contain words, the others figures. */
	| { table: Inline[][][] }
	| { ordered: boolean; list: Inline[][] };

/** Puts values into the `{0}`, `{1}`… of a text of ours. */
export function fillInline(text: string, ...values: Inline[]): Inline[] {
	return text
		.split(/(\{\d+\})/)
		.filter((part) => part !== '')
		.map((part) => (/^\{\d+\}$/.test(part) ? (values[Number(part.slice(1, -1))] ?? part) : part));
}

/** Puts a separator between runs of text. */
export function joinInline(runs: readonly Inline[][], separator: string): Inline[] {
	return runs.flatMap((run, index) => (index === 0 ? run : [separator, ...run]));
}

/**
 * Escapes a text of one line so that Markdown shows it as it is, also in a table's cell and at the beginning of a line.
 */
function escapeMarkdown(text: string): string {
	return text
		.replace(/[\\`*_[\]|<>~]/g, '\\$&')
		.replace(/&(?=#?\w+;)/g, '\\&')
		.replace(/^[#+-]/, '\\$&')
		.replace(/^(\d+)\.(?=\s)/, '$1\\.')
		.replaceAll('\u00a0', '&nbsp;');
}

/**
 * How the two kinds of inline that need care are written, without invisible characters; the rest is the same
 * everywhere.
 */
export interface InlineWriter {
	data(text: string): void;
	link(label: string, command: string, args: readonly (string | number)[]): void;
	markdown(text: string): void;
}

/** Writes blocks as Markdown. */
export function writeBlocks(blocks: readonly TextBlock[], writer: InlineWriter): void {
	const inlines = (run: readonly Inline[]) => {
		for (const inline of run) writeInline(inline, writer);
	};
	for (const block of blocks) {
		if ('paragraph' in block) {
			inlines(block.paragraph);
			writer.markdown('\n\n');
		} else if ('list' in block) {
			for (const [index, item] of block.list.entries()) {
				writer.markdown(block.ordered ? `${index + 1}. ` : '- ');
				inlines(item);
				writer.markdown('\n');
			}
			writer.markdown('\n');
		} else {
			for (const [index, row] of block.table.entries()) {
				for (const cell of row) {
					writer.markdown('| ');
					inlines(cell);
					writer.markdown(' ');
				}
				writer.markdown('|\n');
				if (index === 0) writer.markdown(`|${row.map((_, column) => alignment(column, row.length)).join('')}\n`);
			}
			writer.markdown('\n');
		}
	}
}

function alignment(column: number, columns: number): string {
	return column === 0 || column === columns - 1 ? ' :-- |' : ' --: |';
}

function writeInline(inline: Inline, writer: InlineWriter): void {
	if (typeof inline === 'string') writer.markdown(escapeMarkdown(visibleText(inline)));
	else if ('data' in inline) writer.data(visibleText(inline.data));
	else if ('code' in inline) writer.markdown(`\`${visibleText(inline.code).replaceAll('`', '’')}\``);
	else if ('strong' in inline) {
		writer.markdown('**');
		writeInline(inline.strong, writer);
		writer.markdown('**');
	} else writer.link(visibleText(inline.label), inline.command, inline.args);
}

/** Plain Markdown, for the clipboard: a link is its label. */
export function plainMarkdown(blocks: readonly TextBlock[]): string {
	let text = '';
	writeBlocks(blocks, {
		data: (value) => {
			text += escapeMarkdown(value);
		},
		link: (label) => {
			text += escapeMarkdown(label);
		},
		markdown: (value) => {
			text += value;
		},
	});
	return text.trimEnd();
}
