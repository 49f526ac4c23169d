// Which test files run in which window of the editor. A window is one launch of VS Code with folders of its own, so windows can run side
// by side and in any order; the files of one window run one after the other, in the order given here.

/** One launch: the test files it loads and whether the workspace starts untrusted. */
export interface Suite {
	files: string[];
	restricted: boolean;
	/** The suite installs the packaged extension itself, and the editor starts without it. */
	packaged?: boolean;
	/** Whether an extension that asks the tools for language models is there too. */
	asking?: boolean;
	/** Whether its programs are debugged on each Node version. */
	everyNode?: boolean;
}

/**
 * The windows of the suite `main`, those with the most work first: the others fill the gaps. A file may count on what it says about its place in
 * its first lines, and on nothing else that another one does.
 */
const MAIN: Record<string, string[]> = {
	sessions: [
		'live.test',
		'sessions.test',
		'reload.test',
		'status-bar.test',
		'recording.test',
		'ends.test',
		'closing.test',
		'workspaces.test',
		'untraced.test',
		'failures.test',
	],
	debug: [
		'activation.test',
		'empty-states.test',
		'debug.test',
		'call-stack.test',
		'stepping.test',
		'terminal.test',
		'pauses.test',
		'attach.test',
		'async-stacks.test',
		'sampled-blocks.test',
	],
	lines: [
		'first-result.test',
		'annotations.test',
		'waits.test',
		'keyboard.test',
		'themes.test',
		'hostile-names.test',
		'settings.test',
		'palette.test',
		'walkthrough.test',
	],
	panel: ['panel.test', 'panel-themes.test', 'findings.test', 'finding-texts.test', 'budget.test'],
	languages: ['languages.test', 'tool-confirmation.test'],
};

function ofMain(files: string[]): Suite {
	return { files, restricted: false, asking: true, everyNode: true };
}

const SUITES: Record<string, Suite> = {
	restricted: { files: ['restricted.test', 'recording.test'], restricted: true },
	installed: { files: ['installed.test'], restricted: false, packaged: true },
	/** For test/bench/editor. */
	'activation-bench': { files: ['activation.bench'], restricted: false },
	'typing-bench': { files: ['typing.bench'], restricted: false },
	'debugger-bench': { files: ['debugger.bench'], restricted: false, everyNode: true },
	'ingest-bench': { files: ['ingest.bench'], restricted: false },
	/** For test/bench/messages. */
	'messages-bench': { files: ['messages.bench'], restricted: false },
	/** For readme-pictures.ts. */
	'readme-pictures': { files: ['readme-pictures'], restricted: false },
	/** A test that fails on purpose, for harness.test.ts. */
	planted: { files: ['planted.test'], restricted: false },
};

/** What `npm test` runs. */
export const DEFAULT_SUITES = ['main', 'restricted', 'installed'];

/** A window to open, with the name of its folder of results. */
export interface Window extends Suite {
	name: string;
}

/**
 * The windows of the named suites; `main-panel` is one window of `main`.
 * @param isSearch whether only a few tests are wanted: `main` is one window then, as opening one takes longer than most tests
 * @throws when there is no such suite
 */
export function windowsOf(names: readonly string[], isSearch: boolean): Window[] {
	return names.flatMap((name): Window[] => {
		if (name === 'main') {
			// Those of `debug` first: its first files want an editor in which nothing has happened yet.
			if (isSearch) return [{ name, ...ofMain([...new Set([...MAIN.debug!, ...Object.values(MAIN).flat()])]) }];
			return Object.entries(MAIN).map(([part, files]) => ({ name: `main-${part}`, ...ofMain(files) }));
		}
		const part = name.startsWith('main-') ? MAIN[name.slice('main-'.length)] : undefined;
		const suite = part === undefined ? SUITES[name] : ofMain(part);
		if (suite === undefined) throw new Error(`There is no suite "${name}". Suites: ${suiteNames().join(', ')}.`);
		return [{ name, ...suite }];
	});
}

function suiteNames(): string[] {
	return ['main', ...Object.keys(MAIN).map((part) => `main-${part}`), ...Object.keys(SUITES)];
}

/** Every file of a suite, without its ending. */
export function suiteFiles(): string[] {
	return [...Object.values(MAIN).flat(), ...Object.values(SUITES).flatMap(({ files }) => files)];
}
