// What a recording carries beside its journals, so that it can be shown before they are read.
import type { Overview } from './overview.ts';
import type { Report } from './report.ts';
import type { Timeline } from './timeline.ts';

/** Without what ties it to one file. */
export interface SessionSummary {
	/** The build of the engine that made it: another one may come to other conclusions. */
	engine: string;
	/** When the first journal began, in ms since 1970; null where that is unknown. */
	beganAt: number | null;
	report: Report;
	overview: Overview;
	/** All of the session; null where it is so short that the timeline shows it one by one. */
	timeline: Timeline | null;
}

/** What a recording carries beside what was recorded. */
export interface CarriedSummary {
	summary: SessionSummary;
	/** By which stretches of it are shown (src/host/recordings/recording-index.ts); null where reading the journals takes about as long. */
	index: Uint8Array | null;
}

export interface Summary extends SessionSummary {
	/** SHA-256 of everything in the file between its signature and the summary, in hexadecimal digits. */
	rest: string;
}
