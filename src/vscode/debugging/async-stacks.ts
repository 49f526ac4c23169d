// The debugger's asynchronous call stacks. js-debug asks V8 for them in every session, 32 deep and from the start,
// unless the configuration's `showAsyncStacks` prevents that. Each `await` then takes 5 to 11 µs instead of 0.07, and a
// profile mostly shows this cost (test/bench/RESULTS.md). Its lazy form collects none before a breakpoint is resolved
// or the program stops.
import * as vscode from 'vscode';

/** js-debug's `showAsyncStacks`, as a configuration may contain it (js-debug's OPTIONS.md). */
type ShowAsyncStacks = boolean | { onAttach: number } | { onceBreakpointResolved: number };

/** Depth in frames, as in js-debug's own JavaScript Debug Terminal (js-debug's configuration.ts). */
export const LAZY_DEPTH = 16;
const LAZY: ShowAsyncStacks = { onceBreakpointResolved: LAZY_DEPTH };

/** js-debug's default, which it fills in before a configuration's variables are substituted. */
const DEFAULT: ShowAsyncStacks = true;
const DEFAULT_DEPTH = 32;

/** The configuration with the lazy form, unless the user has chosen a form. */
export function withLazyAsyncStacks(
	folder: vscode.WorkspaceFolder | undefined,
	config: vscode.DebugConfiguration,
): vscode.DebugConfiguration {
	return isChosen(folder, config) ? config : { ...config, showAsyncStacks: LAZY };
}

/** Whether the user has chosen the form that a configuration contains. */
export function isChosen(folder: vscode.WorkspaceFolder | undefined, config: vscode.DebugConfiguration): boolean {
	return askedIn(config) !== DEFAULT || isInLaunchJson(folder, config.name);
}

/** Whether js-debug waits for a breakpoint or a stop. */
export function isLazy(config: vscode.DebugConfiguration): boolean {
	const asked = askedIn(config);
	return typeof asked === 'object' && 'onceBreakpointResolved' in asked;
}

/** How many frames js-debug has V8 collect once it does; 0 for never. */
export function depthOf(config: vscode.DebugConfiguration): number {
	const asked = askedIn(config);
	if (typeof asked !== 'object') return asked ? DEFAULT_DEPTH : 0;
	return 'onAttach' in asked ? asked.onAttach : asked.onceBreakpointResolved;
}

function askedIn(config: vscode.DebugConfiguration): ShowAsyncStacks {
	const asked = config.showAsyncStacks as ShowAsyncStacks | null | undefined;
	if (asked !== undefined && asked !== null) return asked;
	// A terminal's configuration without the setting is lazy (js-debug's configuration.ts).
	return config.type === 'node-terminal' ? LAZY : DEFAULT;
}

/** Whether the user's configuration of that name has `showAsyncStacks`, perhaps for this platform only. */
function isInLaunchJson(folder: vscode.WorkspaceFolder | undefined, name: string): boolean {
	const configured = vscode.workspace.getConfiguration('launch', folder).inspect<unknown>('configurations');
	return [configured?.workspaceFolderValue, configured?.workspaceValue, configured?.globalValue]
		.flatMap((list) => (Array.isArray(list) ? (list as (Configured | null)[]) : []))
		.some((each) => each?.name === name && [each, each.windows, each.osx, each.linux].some(hasChoice));
}

/** A configuration as a person wrote it into a file. */
interface Configured {
	name?: unknown;
	windows?: unknown;
	osx?: unknown;
	linux?: unknown;
}

function hasChoice(part: unknown): boolean {
	return typeof part === 'object' && part !== null && 'showAsyncStacks' in part;
}
