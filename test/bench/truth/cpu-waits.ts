// When a thread could have run and had no CPU, from the scheduler's events. A woken thread may wait for milliseconds on a busy
// machine; nothing in JavaScript can see that, so the comparison must know it.
import type { ProbeEvent } from './uprobes.ts';

/** A stretch of time, CLOCK_MONOTONIC µs. */
export interface Span {
	from: number;
	to: number;
}

/** When this thread was runnable and did not run, in the order of time. */
export function cpuWaits(events: ProbeEvent[], tid: number): Span[] {
	const waits: Span[] = [];
	let since = -1;
	for (const { name, us, values, isPreempted } of events) {
		if (name === 'sched_waking' || name === 'sched_wakeup_new') {
			if (values.pid === tid && since < 0) since = us;
		} else if (name === 'sched_switch') {
			if (values.next_pid === tid) {
				if (since >= 0) waits.push({ from: since, to: us });
				since = -1;
			} else if (values.prev_pid === tid) {
				since = isPreempted ? us : -1;
			}
		}
	}
	return waits;
}

/** The same time with no span touching another. */
export function united(spans: Span[]): Span[] {
	const result: Span[] = [];
	for (const span of spans.toSorted((a, b) => a.from - b.from)) {
		const last = result.at(-1);
		if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
		else result.push({ ...span });
	}
	return result;
}

/** How much of the time from `from` to `to` lies in the spans, which do not touch one another. */
export function overlap(spans: Span[], from: number, to: number): number {
	let sum = 0;
	for (const span of spans) sum += Math.max(0, Math.min(span.to, to) - Math.max(span.from, from));
	return sum;
}
