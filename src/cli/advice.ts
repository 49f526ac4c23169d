// What helps against each finding: one or two sentences. The editor has longer ones, in its language.
import type { Finding, FindingCode } from '../protocol/report.ts';

const ADVICE: Record<FindingCode, string> = {
	'pool-saturated':
		'Files, dns.lookup, most of crypto and zlib share these threads. Run fewer or shorter jobs at once; where cores are idle, start the program with a larger UV_THREADPOOL_SIZE.',
	'dns-starved': 'Keep connections alive, cache names, or use dns.resolve, which needs no thread.',
	'loop-blocked': 'Split the work, move it to a Worker, or do less at once.',
	'pool-size-too-late': 'Set UV_THREADPOOL_SIZE in the environment that starts the program.',
	'sync-in-callback': 'Use the asynchronous form.',
	'requests-blocked':
		'Compute less for each request, cache results, move the work to a Worker, or serve from several processes.',
	'timers-late': 'Look for what keeps the event loop busy; the timers themselves are not the cause.',
	'leaked-connection':
		'Give a connection back on every path, after an error too (try … finally), read each response to its end or destroy it, and keep no connection while something else is awaited.',
	'too-few-connections':
		'Give each connection back as soon as its answer has arrived, on every path and after an error too, or allow more if the server can serve them.',
	'agent-starved':
		'Read each response to its end, raise the agent’s maxSockets if the server can serve more, or send fewer requests.',
	'earlier-command':
		'Give commands that block, and slow queries, a connection of their own; use a pool where one client runs one query after the other.',
	'n-plus-one': 'Ask for all of them at once: a join, a list of ids, a batch.',
	'awaits-together': 'Start all of them, then await them together: await Promise.all([…]).',
	'serial-loop': 'Start the calls for several items at a time: await Promise.all(items.map(…)).',
	'slow-reader': 'Send less, let the reader do less between its reads, and keep no lock or connection while you write.',
	'unbounded-concurrency': 'Limit how many are under way at once.',
};
const LESS_ALIVE =
	'The more objects are alive, the longer a collection takes. Keep fewer, or keep data in Buffers, typed arrays, a Worker or another process.';
const IN_WORKER = 'Split the work, do less at once, or share it between several Workers.';
const OUTSIDE =
	'The stack samples show no function that is in a file. What ran was native code of Node, of V8 (such as garbage collection) or of an add-on, or code that is in no file, such as that of eval; or nothing ran, since no processor was free.';
const SAMPLE = "Profile with 'waitline run --sample' to see which function it was.";

/** What a person can do about a finding. @param isSampled whether stack samples were taken, though perhaps not of this block */
export function adviceFor(finding: Finding, isSampled: boolean): string {
	if (finding.code !== 'loop-blocked') return ADVICE[finding.code];
	const { byGc, blocks, sampled, inWorkers } = finding.evidence;
	if (byGc * 2 > blocks) return LESS_ALIVE;
	if (sampled === blocks && finding.cause === null) return OUTSIDE;
	const advice = inWorkers < blocks ? ADVICE[finding.code] : IN_WORKER;
	return sampled === 0 && !isSampled ? `${advice} ${SAMPLE}` : advice;
}
