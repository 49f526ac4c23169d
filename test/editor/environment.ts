// Variables by which run.ts describes this run to the launcher and to the suite inside the extension host. run.ts sets
// them for the editor's process, and every part inherits them from there.

/** Folder of this window's results and logs. */
export const OUT_VARIABLE = 'WAITLINE_EDITOR_OUT';
/** Folder of this window's screenshots. */
export const SCREENSHOTS_VARIABLE = 'WAITLINE_EDITOR_SCREENSHOTS';
/** Names of the test files to load, separated by commas. */
export const FILES_VARIABLE = 'WAITLINE_EDITOR_FILES';
/** Only tests whose full title contains this text. */
export const GREP_VARIABLE = 'WAITLINE_EDITOR_GREP';
/** JSON: the Node versions to debug programs on, as test/support/nodes.ts has them. */
export const NODES_VARIABLE = 'WAITLINE_EDITOR_NODES';
/** `1`: every state is drawn in each theme and width; otherwise no picture is made but of a failure. */
export const PICTURES_VARIABLE = 'WAITLINE_EDITOR_PICTURES';
/** `1`: the launcher opens the folder with workspace trust, so untrusted. */
export const TRUST_VARIABLE = 'WAITLINE_EDITOR_TRUST';
/** The editor's user data; the extension's own storage is in it. */
export const USER_DATA_VARIABLE = 'WAITLINE_EDITOR_USER_DATA';
/** A recording of the workspace's copy of seed 3. */
export const RECORDING_VARIABLE = 'WAITLINE_EDITOR_RECORDING';
/** The packaged extension, a `.vsix`, for the suite that installs it. */
export const PACKAGE_VARIABLE = 'WAITLINE_EDITOR_PACKAGE';
/** `1`: the benchmark activates the extension when the editor is at rest, and from the disk. */
export const COLD_VARIABLE = 'WAITLINE_BENCH_COLD';
/** How many seconds the benchmark lets operations come in. */
export const BENCH_SECONDS_VARIABLE = 'WAITLINE_BENCH_SECONDS';
/** Folder of the benchmarks, `test/bench`. */
export const BENCH_FOLDER_VARIABLE = 'WAITLINE_BENCH_FOLDER';
/** How often a benchmark measures each of its cases. */
export const BENCH_ROUNDS_VARIABLE = 'WAITLINE_BENCH_ROUNDS';

/** What the window's tests print, one line a test; launch.ts shows it as it grows. */
export const OUTPUT_FILE = 'mocha.txt';
/** The window's counts and times, written when its tests ended. */
export const STATS_FILE = 'stats.json';

export interface Stats {
	passed: number;
	failed: number;
	skipped: number;
	/** Full titles of what failed: of tests and of hooks. */
	failures: string[];
	tests: Duration[];
}

/** How long a test took, with the hooks before and after it. */
export interface Duration {
	/** Its full title. */
	name: string;
	ms: number;
}
