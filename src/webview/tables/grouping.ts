// By what the rows of the tables can be grouped.
import { packageOf } from '../../protocol/blame.ts';
import type { Line } from '../../protocol/report.ts';
import type { ViewStringKey, ViewStrings } from '../../protocol/webview.ts';
import type { LineItem } from './columns.ts';
import type { RouteItem } from './route-columns.ts';

export const GROUPINGS = ['none', 'file', 'class', 'operation', 'package'] as const;
export type TableGrouping = (typeof GROUPINGS)[number];

export const GROUPING_LABEL: Record<TableGrouping, ViewStringKey> = {
	none: 'groupNone',
	file: 'chooseFile',
	class: 'columnClass',
	operation: 'columnOperation',
	package: 'groupPackage',
};

/** The label of a line's group; null for no groups. */
export function groupOfLine(grouping: TableGrouping, words: ViewStrings): ((item: LineItem) => string) | null {
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
			return ({ entry }) => packageOfLine(entry) || words.ownCode;
	}
}

/** The same for requests. */
export const ROUTE_GROUPINGS = ['none', 'file', 'operation', 'package'] as const satisfies readonly TableGrouping[];

/** The label of a route's group; null for no groups. */
export function groupOfRoute(grouping: TableGrouping, words: ViewStrings): ((item: RouteItem) => string) | null {
	switch (grouping) {
		case 'file':
			return ({ label }) => label;
		case 'operation':
			return ({ open }) => open.op;
		case 'package':
			return ({ open }) => packageOf(open.file) || words.ownCode;
		default:
			return null;
	}
}

/** The package that called Node for the line, or whose code it is; empty where there is none. */
export function packageOfLine({ libraries, file }: Pick<Line, 'libraries' | 'file'>): string {
	const files = [...libraries.map((library) => library.file), file];
	return files.map(packageOf).find((name) => name !== '') ?? '';
}
