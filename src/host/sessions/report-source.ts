// The report of journals with its positions in the user's sources: shared by the live session and a saved recording.
import os from 'node:os';
import type { Resolve } from '../../engine/common/place.ts';
import { SteadyFindings } from '../../engine/findings/steady-findings.ts';
import { SessionModel } from '../../engine/session-model.ts';
import type { StretchDetail } from '../../engine/timeline/timeline-detail.ts';
import type { Overview, TimeLimit } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';
import type { CarriedSummary } from '../../protocol/summary.ts';
import { ALL_OF_IT, type Timeline, type TimelineQuery } from '../../protocol/timeline.ts';
import { counted } from '../../protocol/units.ts';
import { type ReadText, type RealPath, readAny, readBelow } from '../common/read-text.ts';
import { SourcePositions } from '../positions/source-positions.ts';
import { ENGINE_BUILD } from '../recordings/engine-build.ts';
import { type Recording, readRecording } from '../recordings/recording-file.ts';
import { indexBytes } from '../recordings/recording-index.ts';
import type { RecordingPart } from '../recordings/recording-part.ts';
import { summaryOf } from '../recordings/recording-summary.ts';
import type { SessionNotes } from '../recordings/session-notes.ts';
import { type Loss, pidOf } from './journal-folder.ts';
import { notedModel } from './noted-model.ts';

const LOSSES: Record<Loss, string> = { gone: 'removed', replaced: 'replaced', cut: 'shortened' };

export class ReportSource {
	readonly model: SessionModel;
	/** Bytes that a recording lacks at its end. */
	missing = 0;
	/** Journals of a session that could not be read to their end, by name. */
	lost: ReadonlyMap<string, Loss> = new Map();
	/** Bytes of the recording, outside its journals, that make no sense. */
	unreadable = 0;
	/** Bytes of a journal that was read, for a stretch of it that is read again. */
	bytesOf: (journal: string, from: number, to: number) => Uint8Array | Promise<Uint8Array> = () => new Uint8Array(0);
	private readonly positions: SourcePositions;
	private readonly steady = new SteadyFindings();

	/**
	 * @param texts of the scripts as they ran, by path, as far as they were recorded
	 * @param read how the others, and source maps, are read
	 * @param realPath where the files of programs that run here really are
	 * @param otherPaths as in the notes of the session that was recorded
	 * @param model receives the journals
	 */
	constructor(
		texts?: ReadonlyMap<string, string>,
		read: ReadText = readAny,
		realPath: RealPath | null = null,
		otherPaths?: ReadonlyMap<string, string>,
		model = new SessionModel(),
	) {
		this.model = model;
		this.positions = new SourcePositions(texts, read, realPath, otherPaths);
	}

	/** The report of what has been read so far. */
	async report(): Promise<Report> {
		await this.positions.load(this.model.scripts());
		await this.positions.loadImports(this.model.imported());
		const report = this.model.report(this.positions.resolver, this.positions, this.steady);
		for (const warning of report.warnings) {
			if (warning.code !== 'pool-size-too-late') continue;
			const at = this.positions.poolAssignment();
			warning.file = at?.file ?? null;
			warning.line = at?.line ?? null;
		}
		if (this.missing > 0) {
			const message = `The recording was cut off: ${counted(this.missing, 'byte')} missing at its end. The figures are incomplete.`;
			report.warnings.push({ code: 'records-lost', pid: 0, file: null, line: null, message });
		}
		for (const [name, loss] of this.lost) {
			const pid = pidOf(name);
			const message = `The journal of process ${pid} was ${LOSSES[loss]} while the program ran, so the figures lack what it did afterwards.`;
			report.warnings.push({ code: 'records-lost', pid, file: null, line: null, message });
		}
		if (this.unreadable > 0) {
			const message = `${counted(this.unreadable, 'byte')} of the recording could not be read. The figures are incomplete.`;
			report.warnings.push({ code: 'records-lost', pid: 0, file: null, line: null, message });
		}
		for (const [file, problem] of this.positions.mapProblems) {
			report.warnings.push({ ...problem, pid: 0, file, line: null });
		}
		return report;
	}

	/** Where the positions of what has been read so far are in the user's sources. */
	async resolver(): Promise<Resolve> {
		await this.positions.load(this.model.scripts());
		return this.positions.resolver;
	}

	/** What a recording of a session on this machine says beside the journals. */
	notes(): SessionNotes {
		const cores = os.availableParallelism();
		return {
			...this.model.debuggerStretches(),
			otherPaths: this.positions.otherPaths(),
			cores,
			kills: this.model.killed(),
		};
	}

	/** All of the session in a few rows, at the positions that the last report has loaded. */
	overview(): Overview {
		return this.model.overview(this.positions.resolver);
	}

	/** A stretch of the session, at the positions that the last report has loaded; where it is short, one by one. */
	async timeline(query: TimelineQuery): Promise<Timeline> {
		return this.model.timeline(query, await this.readAgain(query), this.positions.resolver);
	}

	/** The report of what ended in a stretch of the session. @throws when its journals are gone */
	async part(range: TimeLimit): Promise<Report> {
		const all = new Map<string, Uint8Array>();
		for (const { name, bytes } of this.model.journals) all.set(name, await this.bytesOf(name, 0, bytes));
		const part = this.model.part(range, (name) => all.get(name)!);
		return part.report(this.positions.resolver, this.positions);
	}

	/** What can be shown of its recording before the journals are read. @param report the last one that was made of it */
	async summary(report: Report): Promise<CarriedSummary> {
		const timeline = await this.timeline(ALL_OF_IT);
		const isLong = timeline.detail === null;
		return {
			summary: {
				engine: ENGINE_BUILD,
				beganAt: this.model.beganAt,
				report,
				overview: this.overview(),
				timeline: isLong ? timeline : null,
			},
			index: isLong ? indexBytes(this.model) : null,
		};
	}

	/** What happened in a stretch one by one; null where that is too much, or its journals are gone. */
	private async readAgain(query: TimelineQuery): Promise<StretchDetail | null> {
		const stretches = this.model.stretches(query);
		if (stretches === null) return null;
		const bytes = new Map<string, Uint8Array>();
		try {
			for (const [name, { from, to }] of stretches) bytes.set(name, await this.bytesOf(name, from, to));
		} catch {
			return null;
		}
		return this.model.readAgain(query, stretches, (name) => bytes.get(name)!);
	}
}

/**
 * The report of a saved recording, and the texts that ran, by path, as far as it contains them.
 * @param read how scripts and source maps are read that the recording does not contain; by default they are not
 * @throws NotARecording
 */
export async function reportOfFile(
	file: string,
	read?: ReadText,
): Promise<{ report: Report; sources: ReadonlyMap<string, string> }> {
	const recording = await readRecording(file);
	const summary = summaryOf(recording);
	const report = summary === null ? await reportSourceOf(recording, read).report() : summary.report;
	return { report, sources: recording.sources };
}

/**
 * The source of the report of a recording that was read.
 * @param read as for `reportOfFile`
 * @param model receives its journals
 * @param onProgress hears how much of the journals was read, from 0 to 1; what it throws ends the reading
 */
export function reportSourceOf(
	recording: Recording,
	read = readBelow([]),
	model?: SessionModel,
	onProgress: (share: number) => void = () => undefined,
): ReportSource {
	const { journals, otherPaths, sources } = recording;
	const source = new ReportSource(sources, read, null, otherPaths, notedModel(recording, model));
	source.unreadable = recording.unreadable;
	source.model.load(watched(journals, onProgress));
	const parts = new Map(journals.map((part) => [part.name, part]));
	source.bytesOf = (name, from, to) => parts.get(name)!.slice(from, to);
	for (const { missing, unreadable } of journals) {
		source.missing += missing;
		source.unreadable += unreadable;
	}
	return source;
}

/** Journals that say how much was read of all of them. */
function watched(
	journals: readonly RecordingPart[],
	onProgress: (share: number) => void,
): { name: string; pieces(): Iterable<Uint8Array> }[] {
	const total = journals.reduce((sum, { length }) => sum + length, 0);
	let read = 0;
	return journals.map((part) => ({
		name: part.name,
		*pieces() {
			for (const piece of part.pieces()) {
				onProgress(read / total);
				yield piece;
				read += piece.length;
			}
		},
	}));
}
