// What the filter compares of lines and of routes.
import { latencyOf } from '../protocol/latency.ts';
import type { Line, Route, Split } from '../protocol/report.ts';
import type { Subject } from './query.ts';

/** @param label the file as it is shown */
export function subjectOfLine(line: Line, label: string): Subject {
	const latency = known(latencyOf(line)?.split);
	const total = (split: Split | null) => known(split)?.totalMs ?? null;
	return {
		texts: { class: [line.class], file: [label], op: [line.op] },
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
export function subjectOfRoute(route: Route, labelOf: (file: string) => string): Subject {
	const { duration, wait, run, parts } = route;
	return {
		texts: {
			class: parts.flatMap((part) => part.class ?? []),
			file: [route.file, ...parts.flatMap(({ file }) => file ?? [])].map(labelOf),
			op: [route.op, ...parts.flatMap(({ op }) => op ?? [])],
		},
		figures: {
			p50: duration.p50Ms,
			p95: duration.p95Ms,
			max: duration.maxMs,
			wait: wait.totalMs,
			run: run.totalMs,
			count: route.count,
			pending: route.pending,
			rate: route.perSecond,
		},
	};
}

function known(split: Split | null | undefined): Split | undefined {
	return split === null || split?.basis === 'unknown' ? undefined : split;
}
