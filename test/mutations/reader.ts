// What is tried: the way from a file's bytes to everything that is reported of it, as `waitline report` and the editor go it.
import { annotatedReport } from '../../src/cli/annotated-report.ts';
import { type ReadText, readBelow } from '../../src/host/common/read-text.ts';
import { NotARecording, parseRecording } from '../../src/host/recordings/recording-file.ts';
import { RecordedSession } from '../../src/host/sessions/recorded-session.ts';
import type { Overview } from '../../src/protocol/overview.ts';
import type { Report } from '../../src/protocol/report.ts';
import { ALL_OF_IT, type Timeline } from '../../src/protocol/timeline.ts';
import { root } from '../support/paths.ts';

/** What a reader makes of a file. */
export type Reading =
	| { kind: 'report'; report: Report; overview: Overview; timeline: Timeline; near: Timeline; text: string }
	/** It said in a sentence that it cannot. */
	| { kind: 'refusal'; sentence: string };

/** Reads a recording's bytes; the tests of the runner have others, with planted faults. */
export type Reader = (bytes: Buffer) => Promise<Reading>;

/** So short that its operations are there one by one. */
const NEAR_MS = 1;
const TERMINAL = { columns: 100, hasColours: false, isWhole: true };
const fromDisk = readBelow([root]);
/** What was read before: the files of the programs stay as they are, and to find them takes as long as to read a recording. */
const known = new Map<string, string>();

const readText: ReadText = async (file) => {
	const text = known.get(file) ?? (await fromDisk(file));
	known.set(file, text);
	return text;
};

export const read: Reader = async (bytes) => {
	try {
		const recording = parseRecording(bytes, 'mutated.waitline');
		const recorded = new RecordedSession(recording, readText, () => undefined);
		const { report, overview } = await recorded.first();
		const timeline = await recorded.timeline({ ...ALL_OF_IT, bins: 100 });
		const middle = timeline.endMs / 2;
		const near = await recorded.timeline({ fromMs: middle, toMs: middle + NEAR_MS, bins: 100 });
		const textOf = (file: string) => {
			const text = recording.sources.get(file);
			return text === undefined ? null : { text, isFromDisk: false };
		};
		return { kind: 'report', report, overview, timeline, near, text: annotatedReport(report, TERMINAL, textOf) };
	} catch (error) {
		if (error instanceof NotARecording) return { kind: 'refusal', sentence: error.message };
		throw error;
	}
};
