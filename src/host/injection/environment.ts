// The environment that brings the tracer into a program: merged with what the user has, never in its place.

/** Where the tracer finds its journal folder. Inherited by children, so that each of them writes there too. */
export const FOLDER_VARIABLE = 'WAITLINE_FOLDER';

/** What the tracer may cost, in percent of the program's time; unset means the default, 0 any (tracer/run/governor.ts). */
const BUDGET_VARIABLE = 'WAITLINE_BUDGET';

/**
 * The path of the sampler, which records what computed while a loop was blocked; unset means that nothing is sampled
 * (tracer/stacks/load-sampler.ts).
 */
const SAMPLER_VARIABLE = 'WAITLINE_SAMPLER';

/** Set where a debugger would learn of each window that the sampler reads: it waits for the host's word (tracer/stacks/cpu-profile.ts). */
const SAMPLER_WAITS_VARIABLE = 'WAITLINE_SAMPLER_WAITS';

export interface Injection {
	/** Absolute path of the tracer file; it must outlive the program and every process that inherits the variable. */
	tracer: string;
	/** Absolute path of the session's journal folder. */
	folder: string;
	/**
	 * What the tracer may cost, in percent of the program's time, 0 for any; if absent, the value of the environment,
	 * or the default.
	 */
	budgetPercent?: number | undefined;
	/** Absolute path of the sampler file, which must outlive the program too; if absent, nothing is sampled. */
	sampler?: string | undefined;
	/** Whether the program runs under a debugger. */
	isDebugged?: boolean;
}

/**
 * The variables to set so that `node`, and every `node` below it, starts with the tracer. The user's own NODE_OPTIONS
 * stay and follow ours. Node's parser undoes JSON quoting: double quotes protect spaces, a backslash escapes a quote or
 * a backslash.
 */
export function tracedEnvironment(
	env: Readonly<Record<string, string | null | undefined>>,
	injection: Injection,
): Record<string, string> {
	const require = `--require ${JSON.stringify(injection.tracer)}`;
	const own = env.NODE_OPTIONS?.trim();
	return {
		NODE_OPTIONS: own ? `${require} ${own}` : require,
		[FOLDER_VARIABLE]: injection.folder,
		...(injection.sampler === undefined ? {} : { [SAMPLER_VARIABLE]: injection.sampler }),
		...(injection.isDebugged === true ? { [SAMPLER_WAITS_VARIABLE]: '1' } : {}),
		...(injection.budgetPercent === undefined ? {} : { [BUDGET_VARIABLE]: String(injection.budgetPercent) }),
	};
}
