// One run in a comparison: the latencies of a recording's lines, and the texts that ran.
import type { ComparedRun } from '../../engine/compare/comparison.ts';
import type { ReadText } from '../common/read-text.ts';
import type { Recording } from '../recordings/recording-file.ts';
import { reportSourceOf } from './report-source.ts';

/** @param read how scripts and source maps are read that the recording does not contain; by default they are not */
export async function comparedRun(recording: Recording, read?: ReadText): Promise<ComparedRun> {
	const source = reportSourceOf(recording, read);
	const resolve = await source.resolver();
	return { latencies: source.model.latencies(resolve), texts: recording.sources };
}
