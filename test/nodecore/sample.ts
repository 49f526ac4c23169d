// The sample of Node's tests that `npm test` runs: the same files each time, some of every family, none that takes seconds, and those that once
// differed under the tracer or see such a fault.
import type { TestFile } from './choose-files.ts';

export const SAMPLE_SIZE = 150;

/** Files that failed under some tracer of ours, or fail under a preload that wraps `setTimeout` naively. */
const revealing = [
	'async-hooks/test-async-await.js',
	'async-hooks/test-filehandle-no-reuse.js',
	'async-hooks/test-graph.http.js',
	'async-hooks/test-graph.pipe.js',
	'async-hooks/test-graph.pipeconnect.js',
	'async-hooks/test-graph.signal.js',
	'async-hooks/test-graph.timeouts.js',
	'async-hooks/test-graph.tls-write-12.js',
	'async-hooks/test-graph.tls-write.js',
	'async-hooks/test-http-agent-handle-reuse-parallel.js',
	'async-hooks/test-http-agent-handle-reuse-serial.js',
	'async-hooks/test-pipeconnectwrap.js',
	'async-hooks/test-pipewrap.js',
	'async-hooks/test-querywrap.js',
	'async-hooks/test-signalwrap.js',
	'async-hooks/test-statwatcher.js',
	'async-hooks/test-tcpwrap.js',
	'async-hooks/test-timers.setInterval.js',
	'async-hooks/test-timers.setTimeout.js',
	'async-hooks/test-tlswrap.js',
	'async-hooks/test-writewrap.js',
	'parallel/test-async-hooks-execution-async-resource-await.js',
	'parallel/test-crypto-keygen.js',
	'parallel/test-domain-dep0097.js',
	'parallel/test-fs-promises-readfile.js',
	'parallel/test-heapdump-async-hooks-init-promise.js',
	'parallel/test-inspector-async-call-stack.js',
	'parallel/test-inspector-has-idle.js',
	'parallel/test-performance-gc.js',
	'parallel/test-performanceobserver.js',
	'parallel/test-primordials-regexp.js',
	'parallel/test-promise-hook-create-hook.js',
	'parallel/test-promise-hook-exceptions.js',
	'parallel/test-promise-unhandled-error.js',
	'parallel/test-repl-autocomplete.js',
	'parallel/test-repl-history-navigation.js',
	'parallel/test-repl-let-process.js',
	'parallel/test-tls-handshake-exception.js',
	'parallel/test-worker-no-atomics.js',
	'parallel/test-worker-no-sab.js',
	'parallel/test-worker-terminate-source-map.js',
	'sequential/test-worker-fshandles-error-on-termination.js',
];

/** By name, what waits for seconds, works for seconds, or fails now and then on a busy machine without us. */
const unfit =
	/timeout|keep-?alive|throttle|delay|stress|large|big|memory|heap|leak|gc|debugger|inspector|watch|sigint|benchmark|wpt|cpu-prof|flood|many|max|child-process-fork-exec|http-imports|wasm-web-api|fetch|loop|rsa|dh|keygen|scrypt/;

/**
 * A part of the suite, spread over the families by their size and over each by name, in the order of the suite.
 * @param leaveOut paths that are known to differ
 */
export function sampleOf(files: TestFile[], leaveOut: readonly string[]): TestFile[] {
	const free = files.filter(({ path }) => !leaveOut.includes(path));
	const chosen = new Set(free.filter(({ path }) => revealing.includes(path)));
	const fit = free.filter((file) => !chosen.has(file) && !file.alone && !unfit.test(file.path));
	const families = [...new Set(fit.map(({ family }) => family))];
	const share = (SAMPLE_SIZE - chosen.size) / fit.length;
	for (const name of families) {
		const members = fit.filter(({ family }) => family === name);
		const wanted = Math.max(1, Math.round(members.length * share));
		for (let at = 0; at < wanted; at++) chosen.add(members[Math.floor((at * members.length) / wanted)]!);
	}
	return files.filter((file) => chosen.has(file));
}
