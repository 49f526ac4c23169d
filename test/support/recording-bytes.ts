// Where the parts of a recording are, for tests that damage one.
import { BLOCK_MAGIC } from '../../src/host/recordings/recording-blocks.ts';
import { INDEX_NAME, parseRecording, SIGNATURE } from '../../src/host/recordings/recording-file.ts';

/** How many bytes come before the index and the summary with which the recording ends: both are made of these. @throws when there is no summary */
export function lengthOfSources(recording: Buffer): number {
	const { index, summary } = parseRecording(recording, 'the recording of the test');
	if (summary === null) throw new Error('The recording ends without a summary.');
	if (index === null) return SIGNATURE.length + summary.before.length;
	return recording.lastIndexOf(BLOCK_MAGIC, recording.indexOf(INDEX_NAME));
}
