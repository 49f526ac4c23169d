// The debugger's asynchronous call stacks. js-debug asks V8 for them in every session, 32 deep and from the start, unless the configuration
// says otherwise (its `showAsyncStacks`): then each `await` takes 5 to 11 µs instead of 0.07, and what a profile shows is mostly that
// (test/bench/RESULTS.md). Its lazy form collects none before a breakpoint is resolved or the program stops.
import * as vscode from 'vscode';

/** js-debug's `showAsyncStacks`, where a configuration has it (js-debug's OPTIONS.md). */
export type ShowAsyncStacks = boolean | { onAttach: number } | { onceBreakpointResolved: number };

/** Frames deep: that of js-debug's own JavaScript Debug Terminal (its configuration.ts). */
const LAZY: ShowAsyncStacks = { onceBreakpointResolved: 16 };

/** js-debug's default, which it has filled in before a configuration's variables are substituted. */
const DEFAULT: ShowAsyncStacks = true;

/** The configuration with the lazy form, unless the user has chosen something. */
export function withLazyAsyncStacks(
	folder: vscode.WorkspaceFolder | undefined,
	config: vscode.DebugConfiguration,
): vscode.DebugConfiguration {
	const asked: unknown = config.showAsyncStacks ?? DEFAULT;
	if (asked !== DEFAULT || isInLaunchJson(folder, config.name)) return config;
	return { ...config, showAsyncStacks: LAZY };
}

/** Whether the user's configuration of that name has `showAsyncStacks`, perhaps for this platform alone. */
function isInLaunchJson(folder: vscode.WorkspaceFolder | undefined, name: string): boolean {
	const configured = vscode.workspace.getConfiguration('launch', folder).inspect<unknown>('configurations');
	return [configured?.workspaceFolderValue, configured?.workspaceValue, configured?.globalValue]
		.flatMap((list) => (Array.isArray(list) ? (list as (Configured | null)[]) : []))
		.some((each) => each?.name === name && [each, each.windows, each.osx, each.linux].some(hasChoice));
}

/** Of what somebody wrote into a file. */
interface Configured {
	name?: unknown;
	windows?: unknown;
	osx?: unknown;
	linux?: unknown;
}

function hasChoice(part: unknown): boolean {
	return typeof part === 'object' && part !== null && 'showAsyncStacks' in part;
}
