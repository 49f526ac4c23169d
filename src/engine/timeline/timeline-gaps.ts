// The stretches of a thread's time of which something is missing: only a sample was recorded, the tracer rested, records are lost, or a debugger had stopped its process.
import { RESTS_FROM, SAMPLED_FROM } from '../../protocol/reduction.ts';
import type { TimelineGap } from '../../protocol/timeline.ts';
import type { TimelineSource } from './timeline-summary.ts';

/** The most stops of a debugger that are sent, the latest: a person who steps makes hundreds. */
const MOST_STOPS = 200;

/** @param ms converts µs of hrtime without pauses */
export function gapsOf(source: TimelineSource, thread: number, ms: (us: number) => number): TimelineGap[] {
	const { originUs, now, missing, rests, stages, pauses, facts } = source;
	const gap = (kind: TimelineGap['kind'], fromUs: number, toUs: number, stoppedMs = 0): TimelineGap => {
		const fromMs = Math.max(0, ms(originUs + fromUs));
		return { thread, kind, fromMs, toMs: Math.max(fromMs, ms(originUs + toUs)), stoppedMs };
	};
	const sampled = stages.flatMap(({ startMs, stage }, index) =>
		stage < SAMPLED_FROM || stage >= RESTS_FROM
			? []
			: [gap('sampled', startMs * 1000, (stages[index + 1]?.startMs ?? now / 1000) * 1000)],
	);
	const rested = rests.map(({ from, to }) => gap('rested', from, to));
	const lost = missing.map(({ from, to }) => gap('lost', from, to));
	const stops = pauses.list().flatMap(({ from, to }) => {
		const at = pauses.running(from) - originUs;
		// A stop before the thread began is none of its own.
		if (from < (facts?.beganUs ?? 0) || at > now) return [];
		return [gap('stopped', at, at, to === Infinity ? 0 : (to - from) / 1000)];
	});
	return [...sampled, ...rested, ...lost, ...stops.slice(-MOST_STOPS)];
}
