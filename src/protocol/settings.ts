// The extension's settings: key, type, default and limits in one table; package.json is checked against it by a test.
import { DEFAULT_TEMPLATE } from './annotation.ts';

/** Settings under the prefix `waitline.`. */
export const SETTINGS = {
	/** Profile every Node debug session, not only those started through the command. */
	profileEveryNodeSession: { type: 'boolean', default: false },
	/** How many sessions are kept after their end. */
	keptSessions: { type: 'number', default: 10, minimum: 1 },
	/** What the tracer may cost, in percent of the program's time, before it records less; 0 for no limit. */
	budgetPercent: { type: 'number', default: 2, minimum: 0 },
	/** Have the debugger collect asynchronous call stacks only once a breakpoint is set, where launch.json does not say. */
	lazyAsyncStacks: { type: 'boolean', default: true },
	/** Sample stacks in debug sessions, which show what computed while the loop was blocked. */
	sampleBlocks: { type: 'boolean', default: true },
	/** Show what functions waited for above them. */
	codeLens: { type: 'boolean', default: false },
	/** Show findings in the Problems panel. */
	'findings.inProblems': { type: 'boolean', default: false },
	/** Show waits on the source lines; may differ per language. */
	'annotations.enabled': { type: 'boolean', default: true, scope: 'language-overridable' },
	/** The text behind a line, with the placeholders of annotation-template.ts. */
	'annotations.template': { type: 'string', default: DEFAULT_TEMPLATE },
	/** Durations, shares of the recording, or both. */
	'annotations.figures': { type: 'string', default: 'absolute', enum: ['absolute', 'percent', 'both'] },
	/** Lines whose figures are all below this many ms are left out: by default those that nobody would act on. */
	'annotations.thresholdMs': { type: 'number', default: 1, minimum: 0 },
	/** Which lines have their text behind them. */
	'annotations.followCursor': {
		type: 'string',
		default: 'allLines',
		enum: ['allLines', 'activeLine', 'allLinesExceptActive'],
	},
	/** What the gutter shows: nothing, the class of the wait, or how hot the line is. */
	'annotations.gutter': { type: 'string', default: 'icon', enum: ['off', 'icon', 'heat'] },
	/** Mark annotated lines beside the scroll bar. */
	'annotations.overviewRuler': { type: 'boolean', default: true },
	/** Tint the whole line by how hot it is. */
	'annotations.lineBackground': { type: 'boolean', default: false },
	/** How long figures stay before new ones replace them, so that they can be read, in ms. */
	'annotations.updateDelayMs': { type: 'number', default: 500, minimum: 100 },
} as const satisfies Record<string, SettingSchema>;

/** The form of one setting in the table and in package.json. */
export type SettingSchema =
	| { type: 'boolean'; default: boolean; scope?: string }
	| { type: 'number'; default: number; minimum: number }
	| { type: 'string'; default: string; enum?: readonly string[] };

export const SETTINGS_PREFIX = 'waitline';
export type SettingKey = keyof typeof SETTINGS;

/** The type of a setting's value: one of its choices where it has some, else anything of its type. */
export type SettingValue<Key extends SettingKey> = (typeof SETTINGS)[Key] extends { enum: readonly (infer Choice)[] }
	? Choice
	: { boolean: boolean; number: number; string: string }[(typeof SETTINGS)[Key]['type']];
