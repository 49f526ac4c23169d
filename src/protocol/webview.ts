// Messages between the extension host and the panel. One union per direction; the host issues every file id, so that
// the panel can only name files that it was shown.
import type { Report } from './report.ts';

/** A file of the report, as the host issued it. */
export interface ViewFile {
	id: number;
	/** Absolute path as in the report's lines. */
	path: string;
	/** Short name to show (relative to the workspace where possible). */
	label: string;
}

/** One source file's text for the annotated-source view. */
export interface ViewSource {
	fileId: number;
	/** Lines without their terminators; empty when `error` is set. */
	lines: string[];
	/** Why the text cannot be shown, in the user's language, or null. */
	error: string | null;
}

/** Everything the panel draws. */
export interface ViewState {
	sessionName: string;
	live: boolean;
	report: Report;
	files: ViewFile[];
}

/** The panel's texts in the user's language, by key. */
export type ViewStrings = Record<ViewStringKey, string>;

/** Texts the panel needs; the host translates them. */
export const VIEW_STRING_KEYS = [
	'tabLines',
	'tabSource',
	'columnLocation',
	'columnOperation',
	'columnClass',
	'columnCount',
	'columnPending',
	'columnWait',
	'columnQueue',
	'columnExecute',
	'columnLag',
	'columnRun',
	'empty',
	'live',
	'ended',
	'pool',
	'saturated',
	'loop',
	'blocks',
	'openInEditor',
	'chooseFile',
	'estimated',
	'unknown',
	'lossNotice',
] as const;
export type ViewStringKey = (typeof VIEW_STRING_KEYS)[number];

export type HostToView =
	| { type: 'strings'; strings: ViewStrings }
	| { type: 'state'; state: ViewState }
	| { type: 'source'; source: ViewSource }
	/** Show a line in the annotated source (the editor's half of the jump). */
	| { type: 'reveal'; fileId: number; line: number };

export type ViewToHost =
	| { type: 'ready' }
	| { type: 'requestSource'; fileId: number }
	| { type: 'openLine'; fileId: number; line: number };
