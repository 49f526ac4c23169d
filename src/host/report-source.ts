// The report of journals with its positions in the user's sources: shared by the live session and a saved recording.
import { SteadyFindings } from '../engine/findings/steady-findings.ts';
import { SessionModel } from '../engine/session-model.ts';
import type { Overview } from '../protocol/overview.ts';
import type { Report } from '../protocol/report.ts';
import type { Timeline } from '../protocol/timeline.ts';
import { counted } from '../protocol/units.ts';
import { type Loss, pidOf } from './journal-folder.ts';
import { type ReadText, type RealPath, readAny, readBelow } from './read-text.ts';
import { type Recording, readRecording } from './recording-file.ts';
import type { SessionNotes } from './session-notes.ts';
import { SourcePositions } from './source-positions.ts';

const LOSSES: Record<Loss, string> = { gone: 'removed', replaced: 'replaced', cut: 'shortened' };

export class ReportSource {
	readonly model = new SessionModel();
	/** Bytes that a recording lacks at its end. */
	missing = 0;
	/** Journals of a session that could not be read to their end, by name. */
	lost: ReadonlyMap<string, Loss> = new Map();
	/** Bytes of the recording, outside its journals, that make no sense. */
	unreadable = 0;
	private readonly positions: SourcePositions;
	private readonly steady = new SteadyFindings();

	/**
	 * @param texts of the scripts as they ran, by path, as far as they were recorded
	 * @param read how the others, and source maps, are read
	 * @param realPath where the files of programs that run here really are
	 * @param otherPaths as in the notes of the session that was recorded
	 */
	constructor(
		texts?: ReadonlyMap<string, string>,
		read: ReadText = readAny,
		realPath: RealPath | null = null,
		otherPaths?: ReadonlyMap<string, string>,
	) {
		this.positions = new SourcePositions(texts, read, realPath, otherPaths);
	}

	/** The report of what has been read so far. */
	async report(): Promise<Report> {
		await this.positions.load(this.model.scripts());
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

	/** What a recording of the session says beside the journals. */
	notes(): SessionNotes {
		return { ...this.model.debuggerStretches(), otherPaths: this.positions.otherPaths() };
	}

	/** All of the session in a few rows, at the positions that the last report has loaded. */
	overview(): Overview {
		return this.model.overview(this.positions.resolver);
	}

	/** The last operations one by one, at the positions that the last report has loaded. */
	timeline(): Timeline {
		return this.model.timeline(this.positions.resolver);
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
	return { report: await reportSourceOf(recording, read).report(), sources: recording.sources };
}

/**
 * The source of the report of a recording that was read.
 * @param read as for `reportOfFile`
 */
export function reportSourceOf(
	{ journals, pauses, asyncStacks, otherPaths, sources, unreadable }: Recording,
	read = readBelow([]),
): ReportSource {
	const source = new ReportSource(sources, read, null, otherPaths);
	source.unreadable = unreadable;
	for (const { pid, from, to } of pauses) {
		source.model.pause(pid, from);
		source.model.resume(pid, to);
	}
	for (const { pid, from, to } of asyncStacks) {
		source.model.stacksOn(pid, from);
		source.model.stacksOff(pid, to);
	}
	source.model.load(journals);
	for (const { missing, unreadable } of journals) {
		source.missing += missing;
		source.unreadable += unreadable;
	}
	return source;
}
