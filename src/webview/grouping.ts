// By what the rows of the tables can be grouped.
import type { ViewStringKey, ViewStrings } from '../protocol/webview.ts';
import type { LineItem } from './columns.ts';

export const GROUPINGS = ['none', 'file', 'class', 'operation', 'package'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const GROUPING_LABEL: Record<Grouping, ViewStringKey> = {
	none: 'groupNone',
	file: 'chooseFile',
	class: 'columnClass',
	operation: 'columnOperation',
	package: 'groupPackage',
};

/** The label of a line's group; null for no groups. */
export function groupOfLine(grouping: Grouping, words: ViewStrings): ((item: LineItem) => string) | null {
	switch (grouping) {
		case 'none':
			return null;
		case 'file':
			return ({ label }) => label;
		case 'class':
			return ({ entry }) => words[`class.${entry.class}`];
		case 'operation':
			return ({ entry }) => entry.op;
		case 'package':
			return ({ entry }) => packageOf([...entry.libraries.map(({ file }) => file), entry.file]) ?? words.ownCode;
	}
}

/** The package that the first of these files belongs to that belongs to one: the innermost, as `a/node_modules/@b/c/d.js` belongs to `@b/c`. */
export function packageOf(files: readonly string[]): string | undefined {
	for (const file of files) {
		const [, scope, name] = /^.*[\\/]node_modules[\\/](?:(@[^\\/]+)[\\/])?([^\\/]+)/.exec(file) ?? [];
		if (name !== undefined) return scope === undefined ? name : `${scope}/${name}`;
	}
	return undefined;
}
