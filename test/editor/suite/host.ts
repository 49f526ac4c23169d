// What the editor loads as its test suite: runs mocha inside the extension host. The host's console is mixed with VS Code's
// own log, so mocha writes to a file that run.ts shows.
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { failure } from '../../support/counts.ts';
import {
	type Duration,
	FILES_VARIABLE,
	GREP_VARIABLE,
	OUT_VARIABLE,
	OUTPUT_FILE,
	STATS_FILE,
	type Stats,
} from '../environment.ts';
import { capture, closeWindow, sayHello, seesWindow } from './window.ts';

/** A test waits for conditions of its own, each with its limit; this one is for a test that forgot to. */
const TEST_LIMIT_MS = 20 * 60_000;

/** @returns when every test passed; throws otherwise, which the editor turns into its exit code */
export async function run(): Promise<void> {
	const out = process.env[OUT_VARIABLE];
	if (out === undefined) throw new Error(`${OUT_VARIABLE} is not set: start the suite with test/editor/run.ts`);
	await sayHello();
	// mocha is an ES module, this bundle is not: only a dynamic import reaches it on every host.
	const { default: Mocha } = await import('mocha');
	const say = (...values: unknown[]) => appendFileSync(path.join(out, OUTPUT_FILE), `${format(...values)}\n`);
	Mocha.reporters.Base.consoleLog = say;
	const grep = process.env[GREP_VARIABLE];
	const mocha = new Mocha({ ui: 'bdd', color: false, timeout: TEST_LIMIT_MS, reporter: 'spec' });
	if (grep) mocha.fgrep(grep);
	mocha.rootHooks({
		async afterEach(this: Mocha.Context) {
			if (this.currentTest?.state === 'failed') await capture(`failed-${this.currentTest.fullTitle()}`);
			// The second one, if the test opened it.
			if (seesWindow) await closeWindow();
		},
	});
	for (const name of (process.env[FILES_VARIABLE] ?? '').split(',')) mocha.addFile(path.join(__dirname, `${name}.cjs`));

	const failures = await new Promise<number>((resolve) => {
		const runner = runWithoutForeignErrors(() => mocha.run(resolve), say);
		const tests = durationsOf(runner);
		const failures: string[] = [];
		runner.on('fail', (test, error) => failures.push(failure(test.fullTitle(), error)));
		runner.once('end', () => {
			const { passes: passed, failures: failed, pending: skipped } = runner.stats!;
			writeFileSync(
				path.join(out, STATS_FILE),
				JSON.stringify({ passed, failed, skipped, failures, tests } satisfies Stats),
			);
		});
	});
	if (failures > 0) throw new Error(`${failures} tests failed`);
}

/**
 * How long each test takes, filled while they run. A test's time goes from the end of the test before to its own, so that what the hooks do
 * counts too: profiling a program in a \`before\` is most of what some tests take.
 */
function durationsOf(runner: Mocha.Runner): Duration[] {
	const tests: Duration[] = [];
	let began = performance.now();
	runner.on('test end', (test) => {
		const now = performance.now();
		tests.push({ name: test.fullTitle(), ms: now - began });
		began = now;
	});
	return tests;
}

/** `process` has its events' types apart; here they are the same. */
const host: NodeJS.EventEmitter = process;
const ERROR_EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * mocha fails the running test on any uncaught error of the process. The process is the extension host, where other
 * extensions run too: only what our own files threw is a failure.
 */
function runWithoutForeignErrors(start: () => Mocha.Runner, say: (...values: unknown[]) => void): Mocha.Runner {
	const project = path.resolve(__dirname, '../../../..');
	// The editor itself may be installed below the project, and is foreign all the same.
	const isOurs = (line: string) => line.includes(project) && !line.includes('node_modules');
	const before = new Set<unknown>(ERROR_EVENTS.flatMap((event) => host.listeners(event)));
	const runner = start();
	const internals = runner as unknown as { uncaught(error: unknown): void };
	const filtered = (error: unknown) => {
		const stack = error instanceof Error ? error.stack : undefined;
		// Not by mocha's `unhandled`: that emits the event again, without the promise that the editor's own listener
		// needs.
		if (stack?.split('\n').some(isOurs)) internals.uncaught.call(runner, error);
		else say('  (an error that is not ours: %s)', error instanceof Error ? error.message : error);
	};
	for (const event of ERROR_EVENTS) {
		// The editor's `process.on` wraps listeners, so mocha's are known by their being new; `addListener` wraps none.
		for (const listener of host.listeners(event)) {
			if (!before.has(listener)) host.removeListener(event, listener as (error: unknown) => void);
		}
		host.addListener(event, filtered);
		runner.once('end', () => host.removeListener(event, filtered));
	}
	return runner;
}
