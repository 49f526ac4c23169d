// What the findings of a report mean, in the user's language: a title, a sentence with the numbers that led to it, and what to
// do about it. The walkthrough's step "findings" explains each at length.
import { l10n } from 'vscode';
import { inPercent, place, timeWithin } from '../../engine/findings/rule.ts';
import type { Evidence, Finding, FindingCode, Severity } from '../../protocol/report.ts';
import { BASIS_MARK, formatCount, formatMs } from '../../protocol/units.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import type { FindingText } from '../details/finding-text.ts';

/** A time of the evidence, between its limits where it is only known within such, in words. */
type Time<Code extends FindingCode = FindingCode> = (figure: Extract<keyof Evidence[Code], string>) => string;

/**
 * A finding with its optional parts, empty where there are none, and the program's names without invisible characters.
 */
type About<Code extends FindingCode> = Evidence[Code] & {
	/** Public API name that the finding is about. */
	op: string;
	/** The operation that had to wait most because of it, with its line. */
	victim: string;
	/** What made it wait, with its line. */
	cause: string;
	/** Whether its times are measured. */
	isMeasured: boolean;
};

const TEXTS: { [Code in FindingCode]: (about: About<Code>, time: Time<Code>) => Omit<FindingText, 'weight'> } = {
	'pool-saturated': (about, time) => ({
		title: l10n.t('Thread pool saturated'),
		evidence: sentences(
			about.poolSize === 1
				? l10n.t(
						'The pool’s only thread was busy for {0} ({1} % of the time).',
						time('saturatedMs'),
						inPercent(about.saturatedShare, about.saturatedMostShare),
					)
				: l10n.t(
						'All {0} threads of the pool were busy for {1} ({2} % of the time).',
						formatCount(about.poolSize),
						time('saturatedMs'),
						inPercent(about.saturatedShare, about.saturatedMostShare),
					),
			l10n.t(
				'Operations queued for {0} in total (longest {1}), up to {2} at a time.',
				time('queuedMs'),
				time('longestQueueMs'),
				formatCount(about.maxQueued),
			),
			about.holderMs === null ? l10n.t('It is not known what used the threads.') : '',
			l10n.t('Jobs took {0} % of the threads’ time.', inPercent(about.occupiedShare, about.occupiedMostShare)),
		),
		explanation: l10n.t(
			'Files, dns.lookup, most of crypto and zlib share these threads. Run fewer or shorter jobs. If cores are idle, add threads.',
		),
	}),
	'dns-starved': (about, time) => ({
		title: l10n.t('Name lookups starved'),
		evidence: sentences(
			about.count === 1
				? l10n.t('{0} queued for {1}, then took {2}.', about.op, time('queueMs'), time('executeMs'))
				: l10n.t(
						'{0} calls of {1} queued for {2} in total, then took {3}.',
						formatCount(about.count),
						about.op,
						time('queueMs'),
						time('executeMs'),
					),
			l10n.t(
				'Threads that may look up names: {0} of {1}.',
				formatCount(about.lookupThreads),
				formatCount(about.poolSize),
			),
			about.idleMs < 100
				? ''
				: l10n.t('Lookups queued for at least {0} though another thread was idle.', formatMs(about.idleMs)),
			about.cause === '' ? '' : l10n.t('Meanwhile {0} used the pool for {1}.', about.cause, time('holderMs')),
		),
		explanation: l10n.t(
			'dns.lookup, which fetch, http and net.connect use, needs a pool thread, and at most half of the threads may look up names at once. Keep connections alive, cache names, or use dns.resolve.',
		),
	}),
	'loop-blocked': (about, time) => ({
		title: l10n.t('Event loop blocked'),
		evidence: sentences(
			about.cause === '' ? '' : l10n.t('Code that ran longest: {0}.', about.cause),
			delaying(
				about.blocks === 1
					? l10n.t('Blocked the event loop once, for {0}', formatMs(about.longestMs))
					: about.threads > 1
						? l10n.t(
								'Blocked the event loops of {0} threads {1} times for {2} in total (each up to {3} % of the time; longest {4})',
								formatCount(about.threads),
								formatCount(about.blocks),
								formatMs(about.blockedMs),
								Math.round(about.share * 100),
								formatMs(about.longestMs),
							)
						: l10n.t(
								'Blocked the event loop {0} times for {1} in total ({2} % of the time; longest {3})',
								formatCount(about.blocks),
								formatMs(about.blockedMs),
								Math.round(about.share * 100),
								formatMs(about.longestMs),
							),
				about,
				time,
			),
			about.victim === ''
				? ''
				: about.surelyDelayed === 0
					? l10n.t('Perhaps most affected: {0}.', about.victim)
					: about.isMeasured
						? l10n.t('Most affected: {0}.', about.victim)
						: l10n.t('Most affected, as far as is certain: {0}.', about.victim),
			about.cause !== ''
				? ''
				: about.sampled < about.blocks
					? l10n.t('No stack sample shows what ran after this wait.')
					: l10n.t(
							'The stack samples show no function that is in a file. What ran was native code of Node, of V8 (such as garbage collection) or of an add-on, or code that is in no file, such as that of eval; or nothing ran, since no processor was free.',
						),
			byGarbage(about),
		),
		explanation:
			about.byGc * 2 > about.blocks
				? l10n.t(
						'The more objects are alive, the longer a collection takes. Keep fewer of them, keep data in Buffers and typed arrays, or move it to a Worker or a process of its own.',
					)
				: l10n.t(
						'Results that are ready must wait until the running code returns to the event loop. Split the work, move it to a Worker, or do less at once.',
					),
	}),
	'pool-size-too-late': (about) => ({
		title: l10n.t('Pool size set too late'),
		evidence: l10n.t(
			'UV_THREADPOOL_SIZE was set to {0} too late: the pool keeps its size of {1}.',
			about.wanted,
			about.effective,
		),
		explanation: l10n.t(
			'libuv reads UV_THREADPOOL_SIZE once, when the pool is first used; before version 1.52 it reads on Windows what was set when the program started. Set it in the environment that starts the program.',
		),
	}),
	'sync-in-callback': (about) => ({
		title: l10n.t('Synchronous call in a callback'),
		evidence:
			about.callbacks === 1
				? l10n.t('Calls {0}. The callbacks of the operation around it ran for {1}.', about.op, formatMs(about.runMs))
				: l10n.t(
						'Calls {0}. The callbacks of the {1} operations around it ran for {2} in total (at most {3} for one operation).',
						about.op,
						formatCount(about.callbacks),
						formatMs(about.runMs),
						formatMs(about.longestRunMs),
					),
		explanation: l10n.t('It blocks the event loop until it is done. Use the asynchronous form.'),
	}),
	'requests-blocked': (about, time) => ({
		title: l10n.t('Requests that wait for callbacks'),
		evidence: sentences(
			l10n.t(
				'{0} requests waited at least {1} in total, {2} % of their time, for callbacks of {3} that were each too short to count as a block.',
				formatCount(about.requests),
				time('blockedMs'),
				Math.round(about.share * 100),
				about.op,
			),
			l10n.t('Half of these ran for {0} or less.', formatMs(about.runP50Ms)),
			about.victim === '' ? '' : l10n.t('Most affected: {0}.', about.victim),
		),
		explanation: l10n.t(
			'The event loop runs one callback at a time, so what each computes adds up for requests that arrive together. Compute less for each request, cache results, move the work to a Worker, or serve from several processes.',
		),
	}),
	'timers-late': (about, time) => ({
		title: l10n.t('Late timers'),
		evidence: sentences(
			l10n.t(
				'{0} timers fired {1} late on average ({2} at most). Blocks of the event loop account for {3} of {4}.',
				formatCount(about.count),
				time('meanLateMs'),
				time('maxLateMs'),
				time('byBlocksMs'),
				time('lateMs'),
			),
			about.ownRunMs === null ? '' : l10n.t('Their own callbacks ran for {0}, one after the other.', time('ownRunMs')),
			about.cause === ''
				? ''
				: about.byBlocksMs < about.lateMs / 2
					? l10n.t('The callbacks of {0} kept the event loop busy, each too briefly to count as a block.', about.cause)
					: l10n.t('Most of it: {0}.', about.cause),
		),
		explanation: l10n.t('The event loop was busy when they were due. Look for the lines that blocked it.'),
	}),
	'leaked-connection': (about, time) => ({
		title: l10n.t('Connections that are not given back'),
		evidence: sentences(
			l10n.t(
				'Waiting: {0}, the first of them for {1}; no connection was given back meanwhile.',
				formatCount(about.waiting),
				time('waitedMs'),
			),
			about.unread === 0
				? l10n.t('Idle connections: {0}. Last used: {1}.', formatCount(about.quiet), about.cause)
				: l10n.t(
						'Responses that have not been read to their end: {0}. Requested: {1}.',
						formatCount(about.unread),
						about.cause,
					),
		),
		explanation: l10n.t(
			'A connection that was taken must be given back on every path, after an error too (try … finally), and should not be kept while something else is awaited. A request has its connection until its response is read to the end or destroyed.',
		),
	}),
	'too-few-connections': (about, time) => ({
		title: l10n.t('Too few connections'),
		evidence: sentences(
			about.count === 1
				? l10n.t('Waited once for a free connection, for {0}.', time('waitMs'))
				: l10n.t(
						'Waited {0} times for a free connection, {1} in total, up to {2} at a time. One wait in twenty took {3} or longer.',
						...waitNumbers(about, time),
					),
			...askedAndWaiting(about, time),
			whoHadConnections(about),
		),
		explanation: l10n.t(
			'Every connection of the pool was in use. Return each one as soon as its answer has arrived, on every path and after an error too, keep none while waiting for something else, and allow more if the server can serve them.',
		),
	}),
	'agent-starved': (about, time) => ({
		title: l10n.t('HTTP agent without a free socket'),
		evidence: sentences(
			about.count === 1
				? l10n.t('Waited once for a socket of the HTTP agent, for {0}.', time('waitMs'))
				: l10n.t(
						'Waited {0} times for a socket of the HTTP agent, {1} in total, up to {2} at a time. One wait in twenty took {3} or longer.',
						...waitNumbers(about, time),
					),
			...askedAndWaiting(about, time),
			about.aheadMs === null ? '' : aheadText(about, time),
		),
		explanation: l10n.t(
			'All sockets that the agent may open to this server (maxSockets) were in use. Read each response to its end, allow more sockets if the server can serve them, or send fewer requests.',
		),
	}),
	'earlier-command': (about, time) => ({
		title: l10n.t('Requests behind an earlier one'),
		evidence:
			about.unansweredMs > 0
				? l10n.t(
						'Waiting for their turn on a connection: {0}, the first of them for {1}. Ahead of them, {2}, sent {3} ago, has no answer yet.',
						formatCount(about.pending),
						time('waitP95Ms'),
						about.cause,
						time('unansweredMs'),
					)
				: sentences(
						about.count === 1
							? l10n.t('Waited once for its turn on a connection, for {0}.', time('waitMs'))
							: l10n.t(
									'Waited {0} times for its turn on a connection, {1} in total. One wait in twenty took {2} or longer.',
									formatCount(about.count),
									time('waitMs'),
									time('waitP95Ms'),
								),
						aheadText(about, time),
						about.pending === 0 ? '' : l10n.t('Still waiting: {0}.', formatCount(about.pending)),
					),
		explanation: l10n.t(
			'Over a connection that answers in order, each answer comes only after the one before it. Give commands that block (such as blpop) and slow queries a connection of their own, and use a pool where one client runs one query after the other.',
		),
	}),
	'n-plus-one': (about, time) => ({
		title: l10n.t('Many queries for one request'),
		evidence: sentences(
			l10n.t(
				'On average, each request waited {1} times for {0}, one after the other.',
				about.op,
				formatCount(Math.round(about.perRequest)),
			),
			l10n.t(
				'That took {2} in total, {0} % of the time of {1} (requests: {3}).',
				Math.round(about.share * 100),
				about.victim,
				time('waitMs'),
				formatCount(about.requests),
			),
		),
		explanation: l10n.t(
			'Often one query returns a list, and one more query follows for each of its items (“N+1”). Ask for all of them at once: a join, a list of ids, a batch. The saving assumes that this takes as long as one of those queries.',
		),
	}),
	'awaits-together': (about, time) => ({
		title: l10n.t('Awaits that could run together'),
		evidence:
			about.count === 1
				? l10n.t(
						'{0} awaits, from {1} on, ran one after the other, though none uses another’s result: {2} in total, {3} of it for the longest.',
						formatCount(about.awaits),
						about.op,
						time('waitMs'),
						time('longestMs'),
					)
				: l10n.t(
						'{0} awaits, from {1} on, ran {2} times one after the other, though none uses another’s result: {3} in total, {4} of it for the longest.',
						formatCount(about.awaits),
						about.op,
						formatCount(about.count),
						time('waitMs'),
						time('longestMs'),
					),
		explanation: l10n.t(
			'Start all of them and then await them together: await Promise.all([…]). Going by the program’s text, they only read.',
		),
	}),
	'serial-loop': (about, time) => ({
		title: l10n.t('Loop that waits for each item'),
		evidence:
			about.lines === 1
				? l10n.t(
						'A loop waited for {0} calls of {1} one after the other, {2} in total, though no item depends on another. Such loops: {3}.',
						formatCount(about.items),
						about.op,
						time('waitMs'),
						formatCount(about.loops),
					)
				: l10n.t(
						'A loop waited for {0} calls of {1}, and of other lines, one after the other, {2} in total, though no item depends on another. Such loops: {3}.',
						formatCount(about.items),
						about.op,
						time('waitMs'),
						formatCount(about.loops),
					),
		explanation: l10n.t(
			'Start the calls for all items, or for several at a time where there are many, and await them together: await Promise.all(items.map(…)). Going by the program’s text, they only read.',
		),
	}),
	'slow-reader': (about, time) => ({
		title: l10n.t('Slow reader'),
		evidence: sentences(
			about.count === 1
				? l10n.t('A write waited {0} until the other end had read what was sent before.', time('waitMs'))
				: l10n.t(
						'{0} writes waited {1} in total until the other end had read what was sent before. One in twenty took {2} or longer.',
						formatCount(about.count),
						time('waitMs'),
						time('waitP95Ms'),
					),
			l10n.t('For {0} % of the time, at least one was waiting.', Math.round(about.share * 100)),
			about.pending === 0 ? '' : l10n.t('Still waiting: {0}.', formatCount(about.pending)),
		),
		explanation: l10n.t(
			'The reader takes the data more slowly than you write it. Send less (compress, page, filter), let the reader do less between its reads, and keep no lock or connection while you write.',
		),
	}),
	'unbounded-concurrency': (about, time) => ({
		title: l10n.t('Unbounded concurrency'),
		evidence: l10n.t(
			'{0} operations were under way at once. One in twenty waited {1} or longer.',
			formatCount(about.maxInFlight),
			time('waitP95Ms'),
		),
		explanation: l10n.t('They only make one another wait. Limit how many are under way at once.'),
	}),
};

/** What findings about waits for a connection or socket have in common. */
type WaitCode = 'too-few-connections' | 'agent-starved';

/** How many waits there were, their time in total, the most at a time, and what one in twenty took. */
function waitNumbers(about: Evidence[WaitCode], time: Time<WaitCode>): string[] {
	return [formatCount(about.count), time('waitMs'), formatCount(about.maxWaiting), time('waitP95Ms')];
}

/** What the requests took that had waited, and how many still wait. */
function askedAndWaiting({ askedMs, pending }: Evidence[WaitCode], time: Time<WaitCode>): string[] {
	return [
		askedMs === 0 ? '' : l10n.t('The requests themselves took {0}.', time('askedMs')),
		pending === 0 ? '' : l10n.t('Still waiting: {0}.', formatCount(pending)),
	];
}

/** Whose commands had the connection for most of that time. */
function aheadText({ cause }: { cause: string }, time: (figure: 'aheadMs' | 'longestMs') => string): string {
	return cause === ''
		? l10n.t(
				'For {0} of that time, other commands of this line had the connection, up to {1} each.',
				time('aheadMs'),
				time('longestMs'),
			)
		: l10n.t(
				'For {0} of that time, {1} had the connection, up to {2} at a time.',
				time('aheadMs'),
				cause,
				time('longestMs'),
			);
}

/** Whose requests had the pool's connections meanwhile; empty where that is no line's in particular, or not known. */
function whoHadConnections({
	cause,
	usedShare,
	keptShare,
}: Evidence['too-few-connections'] & { cause: string }): string {
	if (usedShare === null || keptShare === null) return '';
	const [used, kept] = [Math.round(usedShare * 100), Math.round(keptShare * 100)];
	if (usedShare >= keptShare)
		return cause === ''
			? l10n.t('Meanwhile, other requests of this line took {0} % of the connections’ time.', used)
			: l10n.t('Meanwhile, {0} took {1} % of the connections’ time.', cause, used);
	return cause === ''
		? l10n.t(
				'Meanwhile, connections that this line had used last were kept without a request for {0} % of their time.',
				kept,
			)
		: l10n.t(
				'Meanwhile, connections that {0} had used last were kept without a request for {1} % of their time.',
				cause,
				kept,
			);
}

/**
 * "At least", since not everything that waits can be seen.
 * @param said the sentence about the blocks, without its end
 */
function delaying(
	said: string,
	{ blocks, delayed, surelyDelayed, delayedMs, inWorkers }: Evidence['loop-blocked'],
	time: Time<'loop-blocked'>,
): string {
	// Shorter delays are not mentioned: the figures are no finer.
	const isNone = delayed === 0 || delayedMs < 1;
	if (isNone && inWorkers > 0)
		return l10n.t(
			'{0}, in a Worker. The waits of messages sent with worker.postMessage are on the lines that sent them; those of messages from other ports are not recorded.',
			said,
		);
	if (isNone) return l10n.t('{0}. Nothing that was recorded in this thread had to wait meanwhile.', said);
	const delay = time('delayedMs');
	// It is not known of any of them whether it had to wait.
	if (surelyDelayed === 0)
		return l10n.t(
			'{0}. Operations that this may have delayed: {1}, by {2} in total.',
			said,
			formatCount(delayed),
			delay,
		);
	if (delayed === 1) return l10n.t('{0}, delaying at least 1 operation by {1}.', said, delay);
	// Several blocks may delay the same operation, one after the other.
	return blocks === 1
		? l10n.t(
				'{0}. Operations that this delayed: at least {1}, by {2} in total.',
				said,
				formatCount(surelyDelayed),
				delay,
			)
		: l10n.t('{0}, delaying operations at least {1} times, by {2} in total.', said, formatCount(surelyDelayed), delay);
}

/** How much garbage collection there was; empty where it was little. */
function byGarbage({ byGc, blocks, collectionMs, blockedMs }: Evidence['loop-blocked']): string {
	if (byGc === blocks) return l10n.t('Garbage collection caused it.');
	if (collectionMs < 0.2 * blockedMs) return '';
	return l10n.t('Garbage collection took {0} of it.', formatMs(collectionMs));
}

/** The program's names appear in it without invisible characters. */
export function findingText(finding: Finding): FindingText {
	const { code, evidence, op, victim, cause, computed } = finding;
	const about = {
		...evidence,
		op: visibleText(op ?? ''),
		victim: victim === null ? '' : visibleText(`${victim.op} ${place(victim)}`),
		cause: visibleText(
			computed.length > 0 ? computed.map(computedText).join(', ') : cause === null ? '' : causeText(cause),
		),
		isMeasured: finding.basis === 'measured',
	};
	// The code determines the type of the evidence; its figures are numbers where its text names them.
	const text = TEXTS[code] as (about: object, time: (figure: string) => string) => Omit<FindingText, 'weight'>;
	const figures: Record<string, number | null> = { ...evidence };
	const time = (figure: string) => timeOf(finding, figure, figures[figure]!);
	return { ...text(about, time), weight: weightOf(finding) };
}

/** @param ms the figure of that name */
function timeOf({ ranges, basis }: Finding, figure: string, ms: number): string {
	const limits = ranges.find((range) => range.figure === figure);
	return timeWithin(ms, limits === undefined ? null : { low: limits.lowMs, high: limits.highMs }, basis);
}

function weightOf(finding: Finding): string {
	const { code, evidence, severity, lostMs, savesMs, isPast } = finding;
	const words: Record<Severity, string> = {
		high: l10n.t('Severity: high.'),
		medium: l10n.t('Severity: medium.'),
		low: l10n.t('Severity: low.'),
	};
	return sentences(
		words[severity],
		lostMs === 0
			? ''
			: code === 'unbounded-concurrency' || (code === 'loop-blocked' && evidence.blockedMs === lostMs)
				? l10n.t('It cost {0}.', formatMs(lostMs))
				: l10n.t('It cost {0}, added up over all operations.', timeOf(finding, 'lostMs', lostMs)),
		savesMs === null ? '' : l10n.t('A change could save up to {0}.', timeOf(finding, 'savesMs', savesMs)),
		isPast ? l10n.t('This was the case earlier; the latest figures no longer show it.') : '',
	);
}

function causeText(cause: NonNullable<Finding['cause']>): string {
	const name = cause.name === '' ? '' : `${cause.name} `;
	return `${name}${place(cause)}${cause.api === null ? '' : ` → ${cause.api}`}`;
}

function computedText({ ms, ...part }: Finding['computed'][number]): string {
	return `${causeText(part)} (${BASIS_MARK.estimated}${formatMs(ms)})`;
}

/** The sentences that are not empty, one after the other. */
function sentences(...all: string[]): string {
	return all.filter((sentence) => sentence !== '').join(' ');
}
