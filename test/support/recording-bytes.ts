// Where the parts of a recording are, for tests that damage one.
import { parseRecording, SIGNATURE } from '../../src/host/recording-file.ts';

/** How many bytes come before the summary with which the recording ends. @throws when there is none */
export function lengthBeforeSummary(recording: Buffer): number {
	const { summary } = parseRecording(recording, 'the recording of the test');
	if (summary === null) throw new Error('The recording ends without a summary.');
	return SIGNATURE.length + summary.before.length;
}
