// The report of journals with its positions in the user's sources: what the live session and a saved recording share.
import { RecordingModel } from '../engine/recording-model.ts';
import type { Report } from '../protocol/report.ts';
import type { Timeline } from '../protocol/timeline.ts';
import { type Recording, readRecording } from './recording-file.ts';
import { SourcePositions } from './source-positions.ts';

export class Recorded {
	readonly model = new RecordingModel();
	/** Bytes that a recording lacks at its end. */
	missing = 0;
	private readonly positions: SourcePositions;

	/** @param texts of the scripts as they ran, by path, as far as they were recorded */
	constructor(texts?: ReadonlyMap<string, string>) {
		this.positions = new SourcePositions(texts);
	}

	/** The report of what has been read so far. */
	async report(): Promise<Report> {
		await this.positions.load(this.model.scripts());
		const report = this.model.report(this.positions.resolver, this.positions);
		for (const warning of report.warnings) {
			if (warning.code !== 'pool-size-too-late') continue;
			const at = this.positions.poolAssignment();
			warning.file = at?.file ?? null;
			warning.line = at?.line ?? null;
		}
		if (this.missing > 0) {
			const message = `The recording was cut off: ${this.missing} bytes at its end are missing, and what they told is not in the figures.`;
			report.warnings.push({ code: 'records-lost', pid: 0, file: null, line: null, message });
		}
		for (const [file, problem] of this.positions.mapProblems) {
			report.warnings.push({ ...problem, pid: 0, file, line: null });
		}
		return report;
	}

	/** The last operations one by one, at the positions that the last report has loaded. */
	timeline(): Timeline {
		return this.model.timeline(this.positions.resolver);
	}
}

/**
 * The report of a saved recording, and the texts that ran, by path, as far as it holds them.
 * @throws NotARecording
 */
export async function reportOfFile(file: string): Promise<{ report: Report; sources: ReadonlyMap<string, string> }> {
	const recording = await readRecording(file);
	return { report: await recordedIn(recording).report(), sources: recording.sources };
}

/** What a recording that was read says. */
export function recordedIn({ journals, pauses, sources }: Recording): Recorded {
	const recorded = new Recorded(sources);
	for (const { pid, from, to } of pauses) {
		recorded.model.pause(pid, from);
		recorded.model.resume(pid, to);
	}
	for (const { name, bytes, missing } of journals) {
		recorded.model.push(name, bytes);
		recorded.missing += missing;
	}
	for (const { name } of journals) recorded.model.finish(name, true);
	return recorded;
}
