// What `activate` exports: the extension's own test API, also open to other extensions. Stable; read-only.
import type { Report } from '../protocol/report.ts';
import type { Drawn } from '../protocol/webview.ts';
import type { Annotation } from './annotations/annotations.ts';

export type { Annotation } from './annotations/annotations.ts';
export { PROFILE_MARK } from './debugging/configuration-marks.ts';

export interface WaitlineApi {
	/** The report of the session under way, or of the last one; undefined before the first. */
	report(): Report | undefined;
	/** Whether that session still runs. */
	live(): boolean;
	/**
	 * The annotations of a document, by URI or absolute path; empty when there are none or they are cleared or off.
	 * As they were last drawn, so behind `report()` by up to the setting `annotations.updateDelayMs`: wait for `onUpdate`.
	 */
	annotations(uri: string): Annotation[];
	/** How many decorations were sent to editors since the activation: the cost of drawing. */
	decorationsSent(): number;
	/** Calls `listener` after the report or the annotations changed (at most 4 times a second). Returns its removal. */
	onUpdate(listener: () => void): () => void;
	/** The status bar's text, or undefined while it is hidden. */
	status(): string | undefined;
	/**
	 * What the panel last reported as drawn; undefined while it is closed, and until it has answered the first call:
	 * from then on it reports after each change.
	 */
	panelState(): Drawn | undefined;
}
