// What the findings of a report mean, in the user's language: a title, a sentence with the numbers that led to it, and what to
// do about it. The walkthrough's step "findings" explains each at length.
import { l10n } from 'vscode';
import { holderOf as lookupHolder } from '../../engine/findings/dns-starved.ts';
import { largest, place } from '../../engine/findings/rule.ts';
import { blameOf, computedIn } from '../../protocol/blame.ts';
import type { Basis, Finding, FindingCode, Line, Report } from '../../protocol/report.ts';
import { BASIS_MARK, formatCount, formatMs, weaker } from '../../protocol/units.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import { type FindingText, isAt } from '../details/finding-text.ts';

type Evidence = (name: string) => number;
/** A duration that the report may only have estimated. */
type Time = (name: string) => string;

/** What the evidence has no number for. */
interface About {
	/** Public API name that the finding is about; empty where there is none. */
	op: string;
	/** The operation that the blocks of the finding's line delayed longest, with its line; empty where none is known. */
	delayed: string;
	/** The function that computed for most of those blocks, with its line; empty where none is known. */
	computed: string;
	/** The operation that held the pool's threads of its process longest, with its line; empty where none is known. */
	holder: string;
}

const TEXTS: Record<FindingCode, (value: Evidence, time: Time, about: About) => FindingText> = {
	'pool-saturated': (value, time) => ({
		title: l10n.t('Thread pool saturated'),
		evidence: sentences(
			value('poolSize') === 1
				? l10n.t(
						'The pool’s only thread was busy for {0} ({1} % of the time).',
						time('saturatedMs'),
						Math.round(value('saturatedShare') * 100),
					)
				: l10n.t(
						'All {0} threads of the pool were busy for {1} ({2} % of the time).',
						formatCount(value('poolSize')),
						time('saturatedMs'),
						Math.round(value('saturatedShare') * 100),
					),
			l10n.t(
				'Operations queued for {0} in total (longest {1}), up to {2} at a time.',
				time('queuedMs'),
				time('longestQueueMs'),
				formatCount(value('maxQueued')),
			),
		),
		explanation: l10n.t(
			'Files, dns.lookup, most of crypto and zlib share these threads. Run fewer or shorter jobs. If cores are idle, add threads.',
		),
	}),
	'dns-starved': (value, time, { op, holder }) => ({
		title: l10n.t('Name lookups starved'),
		evidence: sentences(
			value('count') === 1
				? l10n.t('{0} queued for {1}, then took {2}.', op, time('queueMs'), time('executeMs'))
				: l10n.t(
						'{0} calls of {1} queued for {2} in total, then took {3}.',
						formatCount(value('count')),
						op,
						time('queueMs'),
						time('executeMs'),
					),
			l10n.t(
				'Threads that may look up names: {0} of {1}.',
				formatCount(value('lookupThreads')),
				formatCount(value('poolSize')),
			),
			holder === '' ? '' : l10n.t('Meanwhile {0} used the pool for {1}.', holder, time('heldMs')),
		),
		explanation: l10n.t(
			'dns.lookup, which fetch, http and net.connect use, needs a pool thread, and at most half of the threads may look up names at once. Keep connections alive, cache names, or use dns.resolve.',
		),
	}),
	'loop-blocked': (value, time, { delayed, computed }) => ({
		title: l10n.t('Event loop blocked'),
		evidence: sentences(
			delaying(
				value('blocks') === 1
					? l10n.t('Blocked the event loop once, for {0}', formatMs(value('longestMs')))
					: l10n.t(
							'Blocked the event loop {0} times (longest {1})',
							formatCount(value('blocks')),
							formatMs(value('longestMs')),
						),
				value('delayed'),
				time('delayedMs'),
			),
			delayed === '' ? '' : l10n.t('Most affected: {0}.', delayed),
			computed === ''
				? l10n.t('Stack samples are missing, so it is not known what ran after this wait.')
				: l10n.t('Most of it: {0}.', computed),
			byGarbage(value('byGc'), value('blocks')),
		),
		explanation: l10n.t(
			'Results that are ready must wait until the running code returns to the event loop. Split the work, move it to a Worker, or do less at once.',
		),
	}),
	'pool-size-too-late': (value) => ({
		title: l10n.t('Pool size set too late'),
		evidence: l10n.t(
			'UV_THREADPOOL_SIZE was set to {0} when the pool had already started with a size of {1}.',
			value('wanted'),
			value('effective'),
		),
		explanation: l10n.t(
			'libuv reads UV_THREADPOOL_SIZE once, when the pool is first used. Set it in the environment that starts the program.',
		),
	}),
	'sync-in-callback': (value, _time, { op }) => ({
		title: l10n.t('Synchronous call in a callback'),
		evidence:
			value('callbacks') === 1
				? l10n.t('Calls {0}. The code around it ran once, for {1}.', op, formatMs(value('runMs')))
				: l10n.t(
						'Calls {0}. The code around it ran {1} times, for {2} in total (longest {3}).',
						op,
						formatCount(value('callbacks')),
						formatMs(value('runMs')),
						formatMs(value('longestRunMs')),
					),
		explanation: l10n.t('It blocks the event loop until it is done. Use the asynchronous form.'),
	}),
	'timers-late': (value, time) => ({
		title: l10n.t('Late timers'),
		evidence: l10n.t(
			'{0} timers fired {1} late on average ({2} at most). Blocks of the event loop account for {3} of {4}.',
			formatCount(value('count')),
			time('meanLateMs'),
			time('maxLateMs'),
			time('byBlocksMs'),
			time('lateMs'),
		),
		explanation: l10n.t('The event loop was busy when they were due. Look for the lines that blocked it.'),
	}),
	'too-few-connections': (value, time) => ({
		title: l10n.t('Too few connections'),
		evidence: sentences(
			value('count') === 1
				? l10n.t('Waited once for a free connection, for {0}.', time('waitMs'))
				: l10n.t(
						'Waited {0} times for a free connection, {1} in total, up to {2} at a time. One wait in twenty took {3} or longer.',
						formatCount(value('count')),
						time('waitMs'),
						formatCount(value('maxWaiting')),
						time('waitP95Ms'),
					),
			value('askedMs') === 0 ? '' : l10n.t('The requests themselves took {0}.', time('askedMs')),
			value('pending') === 0 ? '' : l10n.t('Still waiting: {0}.', formatCount(value('pending'))),
		),
		explanation: l10n.t(
			'Every connection of the pool was in use. Return each one as soon as its answer is there, keep none while waiting for something else, and allow more if the database can serve them.',
		),
	}),
	'unbounded-concurrency': (value) => ({
		title: l10n.t('Unbounded concurrency'),
		evidence: l10n.t(
			'{0} operations were under way at once. One in twenty waited {1} or longer.',
			formatCount(value('maxInFlight')),
			formatMs(value('waitP95Ms')),
		),
		explanation: l10n.t('They only make each other wait. Limit how many are under way at once.'),
	}),
};

/** @param blocks the sentence about the blocks, without its end */
function delaying(blocks: string, delayed: number, time: string): string {
	return delayed === 1
		? l10n.t('{0}, delaying 1 operation by {1}.', blocks, time)
		: l10n.t('{0}, delaying {1} operations by {2} in total.', blocks, formatCount(delayed), time);
}

/** How many blocks were mostly garbage collection; empty when none was. */
function byGarbage(count: number, blocks: number): string {
	if (count === 0) return '';
	if (blocks === 1) return l10n.t('Garbage collection caused it.');
	return l10n.t('Garbage collection caused {0} of {1}.', formatCount(count), formatCount(blocks));
}

/** Names of the program's stand in it with nothing hidden in them. */
export function findingText(finding: Finding, report: Report): FindingText {
	const mark = BASIS_MARK[basisOf(finding, report)];
	const value = (name: string) => finding.evidence[name] ?? 0;
	const holder = finding.code === 'dns-starved' ? holderOf(finding, report) : null;
	return TEXTS[finding.code](value, (name) => mark + formatMs(value(name)), {
		op: visibleText(finding.op ?? ''),
		delayed: visibleText(mostDelayed(finding, report)),
		computed: visibleText(mostComputed(finding, report)),
		holder: holder === null ? '' : visibleText(`${holder.op} ${place(holder)}`),
	});
}

/** What kept the threads meanwhile; null where nothing did, and of several processes: lines do not say whose pool it was. */
function holderOf(finding: Finding, { processes, lines, pools }: Report): Line | null {
	const isOnePool = new Set(processes.map(({ pid }) => pid)).size === 1;
	const line = lines.find((each) => isAt(finding, each) && each.op === finding.op);
	return isOnePool && line !== undefined ? lookupHolder(line, lines, pools[0] ?? null) : null;
}

/** Those that say something, one after the other. */
function sentences(...all: string[]): string {
	return all.filter((sentence) => sentence !== '').join(' ');
}

function mostDelayed(finding: Finding, report: Report): string {
	const delays = report.loops
		.flatMap((loop) => loop.blocks)
		.filter((block) => isAt(finding, blameOf(block)))
		.flatMap((block) => block.delays);
	const most = largest(delays, ({ totalMs }) => totalMs);
	return most === null ? '' : `${most.op} ${place(most)}`;
}

function mostComputed(finding: Finding, report: Report): string {
	const blocks = report.loops.flatMap((loop) => loop.blocks).filter((block) => isAt(finding, blameOf(block)));
	const [most] = computedIn(blocks);
	if (most === undefined) return '';
	return `${most.function === '' ? '' : `${most.function} `}${place(most)}${most.api === null ? '' : ` → ${most.api}`}`;
}

/** How the times behind a finding came about: as weak as the weakest figure that it was drawn from. */
function basisOf(finding: Finding, report: Report): Basis {
	const lines = report.lines.filter((line) => isAt(finding, line) && line.op === finding.op);
	const blocks = report.loops.flatMap((loop) => loop.blocks).filter((block) => isAt(finding, blameOf(block)));
	const bases: Record<FindingCode, (Basis | undefined)[]> = {
		'pool-saturated': report.lines.map(({ queue }) => queue?.basis),
		'dns-starved': [
			holderOf(finding, report)?.execute?.basis,
			...lines.flatMap(({ queue, execute }) => [queue?.basis, execute?.basis]),
		],
		'loop-blocked': blocks.map(({ basis }) => basis),
		'pool-size-too-late': [],
		'sync-in-callback': [],
		'timers-late': lines.map(({ lag }) => lag?.basis),
		'too-few-connections': lines.map(({ wait }) => wait?.basis),
		'unbounded-concurrency': [],
	};
	// The rules leave out what is unknown.
	return bases[finding.code].reduce<Basis>(
		(weakest, basis) => (basis === undefined || basis === 'unknown' ? weakest : weaker(weakest, basis)),
		'measured',
	);
}
