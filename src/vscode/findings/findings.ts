// What the findings of a report mean, in the user's language: a title, a sentence with the numbers that led to it, and what to
// do about it. The walkthrough's step "findings" explains each at length.
import { l10n } from 'vscode';
import { heldThreads } from '../../engine/findings/dns-starved.ts';
import { largest, place } from '../../engine/findings/rule.ts';
import type { Basis, Finding, FindingCode, Line, Report } from '../../protocol/report.ts';
import { BASIS_MARK, formatMs, weaker } from '../../protocol/units.ts';
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
	/** The operation that held the pool's threads of its process longest, with its line; empty where none is known. */
	holder: string;
}

const TEXTS: Record<FindingCode, (value: Evidence, time: Time, about: About) => FindingText> = {
	'pool-saturated': (value, time) => ({
		title: l10n.t('Thread pool saturated'),
		evidence: l10n.t(
			'The pool’s threads ({0}) were all taken for {1}, {2} % of the time; up to {3} operations queued, {4} in all, {5} the longest.',
			value('poolSize'),
			time('saturatedMs'),
			Math.round(value('saturatedShare') * 100),
			value('maxQueued'),
			time('queuedMs'),
			time('longestQueueMs'),
		),
		explanation: l10n.t(
			'Files, dns.lookup, most of crypto and zlib share these threads. Fewer or shorter jobs help always, more threads while processor cores are idle.',
		),
	}),
	'dns-starved': (value, time, { op, holder }) => ({
		title: l10n.t('Name look-ups starved'),
		evidence: sentences(
			l10n.t(
				'{0} ×{1} queued for {2} in all and then took {3}; {4} of {5} threads may look names up.',
				op,
				value('count'),
				time('queueMs'),
				time('executeMs'),
				value('lookupThreads'),
				value('poolSize'),
			),
			holder === '' ? '' : l10n.t('The pool was held by {0} for {1}.', holder, time('heldMs')),
		),
		explanation: l10n.t(
			'dns.lookup, which fetch, http and net.connect use, needs a pool thread, and only half of them may do it at once. Keep connections alive, cache names, or use dns.resolve.',
		),
	}),
	'loop-blocked': (value, time, { delayed }) => ({
		title: l10n.t('Event loop blocked'),
		evidence: sentences(
			l10n.t(
				'It held the loop ×{0}, {1} the longest, and delayed operations ×{2} by {3} in all.',
				value('blocks'),
				formatMs(value('longestMs')),
				value('delayed'),
				time('delayedMs'),
			),
			delayed === '' ? '' : l10n.t('Most of that was {0}.', delayed),
			value('byGc') === 0
				? ''
				: l10n.t('Garbage collection was the cause of {0} of {1}.', value('byGc'), value('blocks')),
		),
		explanation: l10n.t(
			'What is done has to wait until the running code returns to the loop. Split the work, move it to a Worker, or do less of it at once.',
		),
	}),
	'pool-size-too-late': (value) => ({
		title: l10n.t('Pool size set too late'),
		evidence: l10n.t('{0} threads were asked for, {1} are in effect.', value('wanted'), value('effective')),
		explanation: l10n.t(
			'libuv reads UV_THREADPOOL_SIZE once, when the pool is first used. Set it in the environment that starts the program.',
		),
	}),
	'sync-in-callback': (value, _time, { op }) => ({
		title: l10n.t('Synchronous call in a callback'),
		evidence: l10n.t(
			'{0} is called here; the code around it ran ×{1} for {2} in all, {3} the longest.',
			op,
			value('callbacks'),
			formatMs(value('runMs')),
			formatMs(value('longestRunMs')),
		),
		explanation: l10n.t('It holds the event loop until it is done. Use the asynchronous form.'),
	}),
	'timers-late': (value, time) => ({
		title: l10n.t('Timers late'),
		evidence: l10n.t(
			'{0} timers fired {1} late on average, {2} at most. Blocks of the loop made {3} of {4}.',
			value('count'),
			time('meanLateMs'),
			time('maxLateMs'),
			time('byBlocksMs'),
			time('lateMs'),
		),
		explanation: l10n.t('The loop was busy when they were due: look for the lines that held it.'),
	}),
	'too-few-connections': (value, time) => ({
		title: l10n.t('Too few connections'),
		evidence: sentences(
			l10n.t(
				'It waited ×{0} for a free connection, {1} in all, up to {2} at once; one in twenty waited {3} or longer.',
				value('count'),
				time('waitMs'),
				value('maxWaiting'),
				time('waitP95Ms'),
			),
			value('askedMs') === 0 ? '' : l10n.t('What it then asked took {0}.', time('askedMs')),
			value('pending') === 0 ? '' : l10n.t('Still waiting: {0}.', value('pending')),
		),
		explanation: l10n.t(
			'Every connection of the pool was in use. Give each back as soon as its answer is there, hold none while waiting for something else, and allow more if the database can serve them.',
		),
	}),
	'unbounded-concurrency': (value) => ({
		title: l10n.t('Unbounded concurrency'),
		evidence: l10n.t(
			'{0} operations were under way at once; one in twenty waited {1} or longer.',
			value('maxInFlight'),
			formatMs(value('waitP95Ms')),
		),
		explanation: l10n.t('They only make each other wait. Start a limited number, and the next when one has finished.'),
	}),
};

/** Names of the program's stand in it with nothing hidden in them. */
export function findingText(finding: Finding, report: Report): FindingText {
	const mark = BASIS_MARK[basisOf(finding, report)];
	const value = (name: string) => finding.evidence[name] ?? 0;
	const holder = finding.code === 'dns-starved' ? holderOf(finding, report) : null;
	return TEXTS[finding.code](value, (name) => mark + formatMs(value(name)), {
		op: visibleText(finding.op ?? ''),
		delayed: visibleText(mostDelayed(finding, report)),
		holder: holder === null ? '' : visibleText(`${holder.op} ${place(holder)}`),
	});
}

/**
 * What kept the pool's threads longer than the look-ups did; null where nothing did, and of several processes: lines do not tell whose
 * pool it was.
 */
function holderOf({ evidence }: Finding, { processes, lines }: Report): Line | null {
	const isOnePool = new Set(processes.map(({ pid }) => pid)).size === 1;
	return isOnePool && (evidence.heldMs ?? 0) > (evidence.executeMs ?? 0) ? heldThreads(lines) : null;
}

/** Those that say something, one after the other. */
function sentences(...all: string[]): string {
	return all.filter((sentence) => sentence !== '').join(' ');
}

function mostDelayed(finding: Finding, report: Report): string {
	const delays = report.loops
		.flatMap((loop) => loop.blocks)
		.filter((block) => isAt(finding, block))
		.flatMap((block) => block.delays);
	const most = largest(delays, ({ totalMs }) => totalMs);
	return most === null ? '' : `${most.op} ${place(most)}`;
}

/** How the times behind a finding came about: as weak as the weakest figure that it was drawn from. */
function basisOf(finding: Finding, report: Report): Basis {
	const lines = report.lines.filter((line) => isAt(finding, line) && line.op === finding.op);
	const blocks = report.loops.flatMap((loop) => loop.blocks).filter((block) => isAt(finding, block));
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
