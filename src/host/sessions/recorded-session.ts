// A recording that is shown: what its summary has at once, stretches of its timeline by its index, and everything else when its journals have been read, which
// is done when it is asked for.
import type { TimeLimit } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import type { ReadText } from '../common/read-text.ts';
import type { Recording } from '../recordings/recording-file.ts';
import { summaryOf } from '../recordings/recording-summary.ts';
import { IndexedRecording } from './indexed-recording.ts';
import { type ReportSource, reportSourceOf } from './report-source.ts';

export class RecordedSession {
	private readonly recording: Recording;
	private readonly read: ReadText;
	private readonly onProgress: (share: number) => void;
	private readonly summary: Summary | null;
	private reading: Promise<ReportSource> | null = null;
	/** By what stretches are shown before the journals are read; null where that cannot be done, undefined before one was asked for. */
	private index: IndexedRecording | null | undefined;

	/**
	 * @param read how scripts and source maps are read that the recording does not contain
	 * @param onProgress hears how much of the journals was read, from 0 to 1; what it throws ends the reading
	 */
	constructor(recording: Recording, read: ReadText, onProgress: (share: number) => void) {
		this.recording = recording;
		this.read = read;
		this.onProgress = onProgress;
		this.summary = summaryOf(recording);
		// Nobody knows whether another engine's index, or that of other bytes, says what reading would.
		if (this.summary === null) this.index = null;
	}

	/** What is shown at first. */
	async first(): Promise<Pick<Summary, 'report' | 'overview' | 'beganAt'>> {
		if (this.summary !== null) return this.summary;
		const source = await this.journals();
		return { report: await source.report(), overview: source.overview(), beganAt: source.model.beganAt };
	}

	/** A stretch of it; where it is short, one by one. @throws what `onProgress` throws */
	async timeline(query: TimelineQuery): Promise<Timeline> {
		const known = this.reading === null ? await this.known(query) : null;
		return known ?? (await this.journals()).timeline(query);
	}

	/** What is known of a stretch without the journals; null where that is nothing. */
	private async known(query: TimelineQuery): Promise<Timeline | null> {
		const whole = this.summary?.timeline ?? null;
		if (whole !== null && query.fromMs <= 0 && query.toMs >= whole.endMs) return whole;
		if (this.index === undefined) this.index = IndexedRecording.of(this.recording, this.read);
		const stretch = (await this.index?.timeline(query)) ?? null;
		if (stretch === null) this.index = null;
		return stretch;
	}

	/** The report of what ended in a stretch of it. @throws what `onProgress` throws */
	async part(range: TimeLimit): Promise<Report> {
		return (await this.journals()).part(range);
	}

	/** What ended early is read anew when it is asked for again. */
	private async journals(): Promise<ReportSource> {
		this.reading ??= this.readJournals();
		try {
			const source = await this.reading;
			// That knows all of it, and takes memory enough.
			this.index = null;
			return source;
		} catch (error) {
			this.reading = null;
			throw error;
		}
	}

	private async readJournals(): Promise<ReportSource> {
		const source = reportSourceOf(this.recording, this.read, undefined, this.onProgress);
		await source.resolver();
		return source;
	}
}
