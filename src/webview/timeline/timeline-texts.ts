// What the timeline says in words: of a lane, of what is under the pointer, and of the selected operation and why it waited.
import { blameOf } from '../../protocol/blame.ts';
import type { Report } from '../../protocol/report.ts';
import type { FlightKind, Timeline } from '../../protocol/timeline.ts';
import { formatCount, formatMs, formatRange } from '../../protocol/units.ts';
import { fill, type ViewFile, type ViewStrings } from '../../protocol/webview.ts';
import { timeText } from '../common/time-range.ts';
import type { Target } from './timeline-brush.ts';
import type { Causes } from './timeline-causes.ts';
import type { TimelineData } from './timeline-data.ts';
import type { Lane } from './timeline-lanes.ts';

/** A block of the report begins where that of the timeline does, but for roundings, in ms. */
const SAME_MS = 0.01;
/** The least difference between starts of operations that must show, in ms: those of one stretch differ by less than all of them do from the begin. */
const START_STEP = 0.01;
/** Lines that are named of many jobs. */
const MOST_NAMED = 3;

/** A part of what made an operation wait, or belongs to it, and where that leads. */
export interface CauseText {
	text: string;
	/** An operation that can be selected; -1 where there is none. */
	operation: number;
}

export class TimelineTexts {
	files: readonly ViewFile[] = [];
	report: Report | null = null;
	readonly #words: ViewStrings;
	readonly #data: TimelineData;

	constructor(words: ViewStrings, data: TimelineData) {
		this.#words = words;
		this.#data = data;
	}

	/** `src/app.js:12 fs.readFile`. */
	line(index: number): string {
		const line = this.#data.lines[index];
		if (line === undefined) return this.#words.unknownCode;
		return `${this.#at(line.file, line.line)}${line.op === '' ? '' : ` ${line.op}`}`;
	}

	/** What is known of a lane at a time where nothing is drawn one by one; empty where that is nothing. */
	area(timeline: Timeline, lane: Lane, atMs: number): string {
		const words = this.#words;
		const { density, fromMs, toMs } = timeline;
		const bin = Math.floor((atMs - density.fromMs) / density.binMs);
		const average = (values: Float32Array) => (values[bin] ?? 0).toFixed(1);
		const isOwn = ({ thread }: { thread: number }) => thread === lane.thread;
		switch (lane.kind) {
			case 'loop': {
				const busy = density.loops.find(isOwn)?.busy[bin];
				return busy === undefined ? '' : fill(words.busyHere, ((100 * busy) / 255).toFixed(0));
			}
			case 'queue': {
				const { pid } = this.#data.threads[lane.thread]!;
				const jobs = density.queues.find(({ thread }) => this.#data.threads[thread]!.pid === pid)?.jobs;
				return jobs === undefined ? '' : fill(words.queuedHere, average(jobs));
			}
			case 'flight':
			case 'timers':
			case 'requests': {
				const kind = lane.kind === 'flight' ? lane.flight : lane.kind === 'timers' ? 'timer' : 'request';
				const flight = density.flights.find((each) => isOwn(each) && each.kind === kind);
				if (flight === undefined) return '';
				const here = fill(words.atOnceHere, average(flight.counts));
				if (flight.worst < 0) return here;
				return `${here} · ${fill(words.longestHere, formatMs(flight.longestMs), this.line(flight.worst))}`;
			}
			case 'line': {
				const found = density.lanes.find((each) => isOwn(each) && each.line === lane.line);
				if (found === undefined || found.count === 0) return '';
				const [count, longest] = [formatCount(found.count), formatMs(found.longestMs)];
				return fill(words.finishedHere, count, formatMs(fromMs), formatMs(toMs), longest);
			}
			default:
				return '';
		}
	}

	/** What ran: the main script, or the callback of a line, behind the name of the function that it is in. */
	run({ detail }: Timeline, index: number): string {
		const { line, isMain } = detail!.runs;
		if (isMain[index] === 1) return this.#words.mainScript;
		const name = this.#data.lines[line[index]!]?.function ?? '';
		return `${name} ${this.line(line[index]!)}`.trim();
	}

	#at(file: string, line: number): string {
		return `${this.files.find(({ path }) => path === file)?.label ?? file}:${line}`;
	}

	/** The thread comes first where there are several. */
	lane(lane: Lane): string {
		const { threads } = this.#data;
		const { pid, threadId } = threads[lane.thread]!;
		const thread = threads.length === 1 ? '' : threadId === 0 ? `${pid} · ` : `${pid}/${threadId} · `;
		return `${thread}${this.#laneName(lane)}`;
	}

	/** With which the text of a line's lane ends; empty for other lanes. */
	operationOf(lane: Lane): string {
		return lane.kind === 'line' ? this.#data.lines[lane.line]!.op : '';
	}

	#laneName(lane: Lane): string {
		const words = this.#words;
		switch (lane.kind) {
			case 'loop':
				return this.#loopName(lane.thread);
			case 'queue':
				return words['lane.queue'];
			case 'pool-thread':
				return fill(words['lane.poolThread'], lane.index + 1);
			case 'flight':
				return this.#flightName(lane.flight);
			case 'timers':
				return words['lane.timers'];
			case 'requests':
				return words.tabRequests;
			case 'strip':
				return words['lane.strip'];
			case 'heading':
				return words[`section.${lane.section}`];
			case 'line':
				return this.line(lane.line);
			default:
				return lane satisfies never;
		}
	}

	/** With the file that the thread runs, where there are several. */
	#loopName(index: number): string {
		const { threads } = this.#data;
		const { pid, threadId } = threads[index]!;
		const own = this.report?.processes.find((each) => each.pid === pid && each.threadId === threadId);
		const entry = threads.length === 1 ? '' : (/[^\\/]*$/.exec(own?.entry ?? '')?.[0] ?? '');
		return entry === '' ? this.#words['lane.loop'] : `${this.#words['lane.loop']} · ${entry}`;
	}

	#flightName(kind: FlightKind): string {
		if (kind === 'kernel') return this.#words['lane.kernel'];
		return kind === 'connection' ? this.#words['lane.connection'] : this.#words['lane.dns'];
	}

	/** What stands on a block: the function that computed most, where samples show it, or the line. */
	block({ blocks }: Timeline, index: number): string {
		const block = blocks[index]!;
		const thread = this.#data.threads[block.thread]!;
		const loop = this.report?.loops.find(({ pid, threadId }) => pid === thread.pid && threadId === thread.threadId);
		const startMs = block.startMs - thread.startMs;
		const found = loop?.blocks.find((each) => Math.abs(each.startMs - startMs) < SAME_MS);
		if (found?.cause === 'no-cpu') return this.#words.noProcessor;
		if (found !== undefined) {
			const { file, line, culprit } = blameOf(found);
			return `${culprit?.function || culprit?.api || ''} ${this.#at(file, line)}`.trim();
		}
		return block.at === null ? this.#words.unknownCode : this.#at(block.at.file, block.at.line);
	}

	/** What the pointer is on. */
	target(timeline: Timeline, { kind, index }: Target): string {
		const words = this.#words;
		const { detail, blocks, gaps } = timeline;
		switch (kind) {
			case 'block':
				return fill(words.blockedFor, formatMs(blocks[index]!.durationMs), this.block(timeline, index));
			case 'gap': {
				const { kind: gap, fromMs, toMs, stoppedMs } = gaps[index]!;
				return fill(words[`gap.${gap}`], formatMs(gap === 'stopped' ? stoppedMs : toMs - fromMs));
			}
			default:
				if (detail === null) return '';
		}
		switch (kind) {
			case 'operation':
				return this.operation(timeline, index);
			case 'run': {
				const { durationMs } = detail.runs;
				const block = this.#blockIn(timeline, index);
				if (block >= 0) return fill(words.blockedFor, formatMs(durationMs[index]!), this.block(timeline, block));
				return fill(words.ranFor, formatMs(durationMs[index]!), this.run(timeline, index));
			}
			case 'collection':
				return fill(words.collectedFor, formatMs(detail.collections.durationMs[index]!));
			case 'request': {
				const { line, durationMs, isOpen } = detail.requests;
				const text = isOpen[index] === 1 ? words.requestOpen : words.requestTook;
				return fill(text, this.line(line[index]!), formatMs(durationMs[index]!));
			}
			case 'job': {
				const { jobs } = detail;
				const { line, startMs, beganMs, doneMs, uncertaintyMs } = jobs;
				const figure = (ms: number) => this.#figure(ms, uncertaintyMs[index]!);
				return fill(
					words.jobOf,
					this.line(line[index]!),
					figure(beganMs[index]! - startMs[index]!),
					figure(doneMs[index]! - beganMs[index]!),
				);
			}
			default:
				return kind satisfies never;
		}
	}

	/** The block that a callback was, or part of it; -1 where it was none. */
	#blockIn({ blocks, detail }: Timeline, run: number): number {
		const { thread, startMs, durationMs } = detail!.runs;
		const [from, to] = [startMs[run]!, startMs[run]! + durationMs[run]!];
		return blocks.findIndex(
			(block) => block.thread === thread[run] && block.startMs < to && block.startMs + block.durationMs > from,
		);
	}

	/** What computed in a callback, where it ran long enough for stack samples to show it; else whose callback it was. */
	#culprit(timeline: Timeline, run: number): string {
		const block = this.#blockIn(timeline, run);
		return block < 0 ? this.run(timeline, run) : this.block(timeline, block);
	}

	operation({ detail }: Timeline, index: number): string {
		const { operations } = detail!;
		const words = this.#words;
		const { op } = this.#data.lines[operations.line[index]!]!;
		const started = fill(words.startedAt, timeText(operations.startMs[index]!, START_STEP));
		if (operations.isOpen[index] === 1)
			return `${op} · ${started} · ${fill(words.stillOpen, formatMs(operations.waitMs[index]!))}`;
		const uncertainty = operations.uncertaintyMs[index]!;
		const parts = (['queue', 'execute', 'lag'] as const).flatMap((part) => {
			const ms = operations[`${part}Ms`][index]!;
			return ms < 0 ? [] : [`${words[part]} ${this.#figure(ms, uncertainty)}`];
		});
		const split = parts.length === 0 ? '' : ` (${parts.join(' · ')})`;
		const wait = `${words.wait} ${formatMs(operations.waitMs[index]!)}${split}`;
		return `${op} · ${started} · ${wait} · ${words.run} ${formatMs(operations.runMs[index]!)}`;
	}

	#figure(ms: number, uncertainty: number): string {
		return uncertainty > 0 ? formatRange(Math.max(0, ms - uncertainty), ms + uncertainty) : formatMs(ms);
	}

	/** Why the operation waited, and what it belongs to, part by part. */
	causes(shown: Timeline, selected: number, causes: Causes): CauseText[] {
		const { operations, runs, jobs } = shown.detail!;
		const words = this.#words;
		const texts: CauseText[] = [];
		const add = (text: string, operation = -1) => texts.push({ text, operation });
		const { before, behind, delaying, starter, parent, children, siblings } = causes;
		if (before.length > 0) {
			const own = Array.from(jobs.operation.keys()).find((job) => jobs.operation[job] === selected);
			const isEstimated = own !== undefined && [own, ...before].some((job) => jobs.uncertaintyMs[job]! > 0);
			const named = this.#counted(before.map((job) => jobs.line[job]!));
			const text = isEstimated ? words.waitedBehindAbout : words.waitedBehind;
			add(fill(text, formatCount(before.length), named), jobs.operation[before[0]!]!);
		}
		if (behind >= 0) add(fill(words.waitedForAnswer, this.line(operations.line[behind]!)), behind);
		const longest = [...delaying].sort((a, b) => runs.durationMs[b]! - runs.durationMs[a]!);
		for (const run of longest.slice(0, MOST_NAMED)) {
			const cause = Array.from(operations.run.keys()).find((index) => operations.run[index] === run) ?? -1;
			add(fill(words.delayedBy, this.#culprit(shown, run), formatMs(runs.durationMs[run]!)), cause);
		}
		if (starter >= 0) add(fill(words.startedBy, this.run(shown, starter)), parent);
		if (children.length > 0)
			add(fill(words.startedOthers, this.#counted(children.map((index) => operations.line[index]!))), children[0]);
		if (siblings.length > 0) add(fill(words.sameRequest, formatCount(siblings.length)), siblings[0]);
		return texts;
	}

	/** `src/app.js:12 fs.readFile ×3, …`, the most frequent first. */
	#counted(lines: readonly number[]): string {
		const counts = new Map<number, number>();
		for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
		const most = [...counts].sort((a, b) => b[1] - a[1]);
		const named = most
			.slice(0, MOST_NAMED)
			.map(([line, count]) => `${this.line(line)}${count > 1 ? ` ×${count}` : ''}`);
		return `${named.join(', ')}${most.length > MOST_NAMED ? ', …' : ''}`;
	}
}

/** `report src/app.js:12` as `report app.js:12`: on a bar there is room for little, and lines differ by their ends. */
export function withoutFolders(text: string): string {
	return text.replaceAll(/[^\s]*[\\/](?=[^\s\\/]+:\d+)/g, '');
}
