// What the parts of the report in a terminal share: widths, wrapping, colours, names of files, and what fits.
import { shortPath } from '../host/common/file-paths.ts';
import { visibleText } from '../protocol/visible-text.ts';

const COLOURS = {
	bold: '\u001b[1m',
	dim: '\u001b[2m',
	queue: '\u001b[33m',
	execute: '\u001b[36m',
	lag: '\u001b[31m',
	warning: '\u001b[35m',
} as const;
export type Colour = keyof typeof COLOURS;

/** A text in a colour; as it is where the terminal has none. */
export type Paint = (text: string, colour: Colour) => string;

export function painter(hasColours: boolean): Paint {
	return (text, colour) => (hasColours ? `${COLOURS[colour]}${text}\u001b[0m` : text);
}

/** The lines of a sentence or two, indented. */
export function paragraph(text: string, columns: number, margin = '  '): string[] {
	return wrap(visibleText(text).split(' '), ' ', margin, columns);
}

/** Distributes parts over as few lines as possible. */
export function wrap(parts: string[], separator: string, margin: string, columns: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const part of parts) {
		const next = line === '' ? margin + part : line + separator + part;
		if (line !== '' && next.length > columns) {
			lines.push(line);
			line = cut(margin + part, columns);
		} else {
			line = cut(next, columns);
		}
	}
	return line === '' ? lines : [...lines, line];
}

/**
 * The first of several groups of lines, as many as have room together, and how many are left out; at least one.
 * @param room in lines
 */
export function fitting(groups: readonly string[][], room: number): { shown: string[]; left: number } {
	const shown: string[] = [];
	let taken = 0;
	for (const [i, group] of groups.entries()) {
		// What is left out needs a line too.
		const isLast = i === groups.length - 1;
		if (taken > 0 && shown.length + group.length > (isLast ? room : room - 1)) break;
		shown.push(...group);
		taken++;
	}
	return { shown, left: groups.length - taken };
}

/** Relative to the current directory when that is shorter. */
export function short(file: string): string {
	return shortPath(file, process.cwd());
}

export function cut(text: string, columns: number): string {
	if (text.length <= columns) return text;
	// Neither half a character may be left at the end, nor what would have joined it to the next.
	return `${text.slice(0, columns - 1).replace(/(?:[\ud800-\udbff]|\u200c|\u200d)+$/, '')}…`;
}
