// The report of a session, made again and again while it runs: only what has changed since the last one costs anything.
import type { Pool, Report } from '../../protocol/report.ts';
import { groupBy } from '../common/group-by.ts';
import type { Resolve } from '../common/place.ts';
import { findingsOf } from '../findings/findings.ts';
import type { Found } from '../findings/ranking.ts';
import type { SteadyFindings } from '../findings/steady-findings.ts';
import { Family } from '../processes/family.ts';
import type { Thread } from '../processes/process-model.ts';
import type { Kill } from '../threads/kill.ts';
import type { ThreadModel } from '../threads/thread-model.ts';
import type { EndedLines } from './ended-lines.ts';
import { LineReport, type LineSource, type PlacedLine } from './line-report.ts';
import { LoopReport } from './loop-report.ts';
import { ProcessFindings, type SourceTexts } from './process-facts.ts';
import { isCutShort, poolsOf, processReportOf, warningsOf } from './process-report.ts';
import { routesOf, unansweredOf } from './request-report.ts';

/** For a program whose text is not available. */
export const NO_TEXTS: SourceTexts = {
	syncCalls: () => [],
	awaits: () => null,
	poolAssignment: () => null,
	runningLine: (_begin, _called, [line = 0]) => line,
	isArgument: () => false,
	isWithin: () => true,
	inlinedAt: () => null,
	columnIn: () => 0,
	originalName: (_begin, name) => name,
	isClass: () => false,
	builtInOn: () => '',
	callsOnly: () => false,
	importOf: () => null,
};

/** What a report is made from. */
interface ReportedSession {
	/** Its threads, and those of them whose journals have named them, in the order in which they began. */
	readonly all: readonly Thread[];
	readonly known: readonly Thread[];
	/** The lines of threads that have ended. */
	readonly ended: EndedLines;
	/** What killed processes, by their ids. */
	readonly kills: ReadonlyMap<number, Kill>;
	/** The time, in µs of hrtime, up to which everything in the journals has been read. */
	readonly lookedAt: number;
}

/** What findings of one process are made from. */
interface ProcessLines {
	readonly pid: number;
	readonly threads: readonly Thread[];
	readonly findings: ProcessFindings;
	/** Null where it is the only process. */
	readonly lines: readonly PlacedLine[] | null;
}

export class SessionReport {
	/** What the last report made, from which the next one continues; findings by process id. */
	private readonly lines = new LineReport();
	private readonly loops = new LoopReport();
	private readonly findings = new Map<number, ProcessFindings>();

	/** See SessionModel.report. */
	of(
		{ all, known: threads, ended, kills, lookedAt }: ReportedSession,
		resolve: Resolve,
		texts: SourceTexts,
		steady: SteadyFindings | null,
	): Report {
		const accounting = { emitted: 0, decoded: 0, dropped: 0, lost: 0, cutShort: 0 };
		for (const { reader, model } of all) {
			if (isCutShort(model)) accounting.cutShort++;
			accounting.emitted += reader.emitted;
			accounting.decoded += reader.decoded;
			accounting.dropped += reader.dropped;
			accounting.lost += reader.lost;
		}
		const models = threads.map(({ model }) => model);
		const family = new Family(models, kills);
		const isOver = all.every(({ finished }) => finished !== null);
		const now = isOver ? Infinity : lookedAt;
		const processes = this.processesOf(threads, resolve);
		const lines = this.linesOf(models, ended, processes, resolve);
		const pools = poolsOf(threads);
		return {
			schema: 'waitline/report@2',
			processes: models.map((model) => processReportOf(model, family)),
			lines: lines.map(({ line }) => line),
			requests: routesOf(models, resolve),
			unanswered: unansweredOf(models, resolve),
			pools,
			loops: threads.map((thread) => this.loops.of(thread, resolve, texts)),
			warnings: threads.flatMap(warningsOf),
			findings: findingsOf(foundIn(processes, lines, pools, resolve, texts), isOver ? null : steady),
			untraced: models.flatMap((model) => family.untracedOf(model, now)),
			accounting,
		};
	}

	/** The threads and lines of each process. Where there is one alone, its lines are the session's. */
	private processesOf(threads: readonly Thread[], resolve: Resolve): readonly ProcessLines[] {
		const processes = groupBy(threads, ({ model }) => model.facts!.pid);
		return [...processes].map(([pid, own]) => {
			const findings = this.findings.get(pid) ?? new ProcessFindings();
			this.findings.set(pid, findings);
			const models = own.map(({ model }) => model);
			const lines = processes.size === 1 ? null : findings.lines.of(models, resolve);
			return { pid, threads: own, findings, lines };
		});
	}

	private linesOf(
		models: readonly ThreadModel[],
		ended: EndedLines,
		processes: readonly ProcessLines[],
		resolve: Resolve,
	): readonly PlacedLine[] {
		const sums = new Map<LineSource, LineReport>();
		for (const { threads, lines, findings } of processes) {
			if (lines !== null && threads.length > 1) for (const { model } of threads) sums.set(model, findings.lines);
		}
		return this.lines.of(ended.facts === null ? models : [...models, ended], resolve, sums);
	}
}

/** @param lines of the session */
function foundIn(
	processes: readonly ProcessLines[],
	lines: readonly PlacedLine[],
	pools: readonly Pool[],
	resolve: Resolve,
	texts: SourceTexts,
): Found[] {
	const poolsByPid = groupBy(pools, ({ pid }) => pid);
	return processes.flatMap(({ pid, threads, findings, lines: own }) =>
		findings.of(threads, own ?? lines, { pool: poolsByPid.get(pid)?.[0] ?? null, texts, resolve }),
	);
}
