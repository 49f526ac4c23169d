// What the filter compares of lines and of routes.
import { blameOf } from '../../protocol/blame.ts';
import { latencyOf } from '../../protocol/latency.ts';
import type { Line, Report, Route, SourceLine, Split, UnansweredRoute } from '../../protocol/report.ts';
import type { Subject } from './query.ts';

/** What a line was under way during, by its place: `block` where a block of the event loop delayed it, or was its own. */
export type During = (line: Pick<Line, 'file' | 'line'>) => readonly string[];

export function duringOf({ loops }: Pick<Report, 'loops'>): During {
	const places = new Set<string>();
	const key = ({ file, line }: SourceLine) => `${line} ${file}`;
	for (const block of loops.flatMap(({ blocks }) => blocks)) {
		places.add(key(blameOf(block)));
		for (const delay of block.delays) places.add(key(delay));
	}
	return (line) => (places.has(key(line)) ? ['block'] : []);
}

/** @param label the file as it is shown */
export function subjectOfLine(line: Line, label: string, during: During): Subject {
	const latency = known(latencyOf(line)?.split);
	const total = (split: Split | null) => known(split)?.totalMs ?? null;
	return {
		texts: { class: [line.class], file: [label], op: [line.op], during: during(line) },
		figures: {
			p50: latency?.p50Ms ?? null,
			p95: latency?.p95Ms ?? null,
			max: latency?.maxMs ?? null,
			wall: line.wallMs,
			wait: total(line.wait),
			queue: total(line.queue),
			execute: total(line.execute),
			lag: total(line.lag),
			run: total(line.run),
			count: line.count,
			pending: line.pending,
			rate: line.perSecond,
			atonce: line.maxInFlight,
		},
	};
}

/** A route with what its requests spent their time on. @param labelOf a file as it is shown */
export function subjectOfRoute(route: Route | UnansweredRoute, labelOf: (file: string) => string): Subject {
	const { file, op, pending } = route;
	if (!('duration' in route)) {
		return { texts: { class: [], file: [labelOf(file)], op: [op], during: [] }, figures: { count: 0, pending } };
	}
	const { duration, wait, run, parts } = route;
	return {
		texts: {
			class: parts.flatMap((part) => part.class ?? []),
			file: [file, ...parts.flatMap(({ file }) => file ?? [])].map(labelOf),
			op: [op, ...parts.flatMap(({ op }) => op ?? [])],
			during: route.blocked.totalMs > 0 ? ['block'] : [],
		},
		figures: {
			p50: duration.p50Ms,
			p95: duration.p95Ms,
			max: duration.maxMs,
			wait: wait.totalMs,
			run: run.totalMs,
			count: route.count,
			pending,
			rate: route.perSecond,
		},
	};
}

function known(split: Split | null | undefined): Split | undefined {
	return split === null || split?.basis === 'unknown' ? undefined : split;
}
