// Arrows to the selected operation from what made it wait, and from what started it.
import type { Timeline } from '../../protocol/timeline.ts';
import type { Brush } from './timeline-brush.ts';
import type { Causes } from './timeline-causes.ts';

/** Of an arrow's head, in CSS pixels. */
const HEAD = 5;
/** More arrows from one kind of cause than a person can follow. */
const MOST = 12;

export function paintArrows(brush: Brush, { detail }: Timeline, selected: number, causes: Causes): void {
	if (detail === null || selected < 0) return;
	const { operations, runs, jobs } = detail;
	const to = brush.hits.where({ kind: 'operation', index: selected });
	if (to === null) return;
	const middle = (to.top + to.bottom) / 2;
	const start = operations.startMs[selected]!;
	const called = operations.calledMs[selected]!;
	const { context } = brush;
	context.lineWidth = 1.5;
	context.strokeStyle = context.fillStyle = brush.colour('--wl-cause');
	const starter = causes.starter < 0 ? null : brush.hits.where({ kind: 'run', index: causes.starter });
	if (starter !== null) paintArrow(brush, brush.x(start), starter.bottom, brush.x(start), to.top);
	const longest = [...causes.delaying].sort((a, b) => runs.durationMs[b]! - runs.durationMs[a]!);
	for (const run of longest.slice(0, MOST)) {
		const from = brush.hits.where({ kind: 'run', index: run });
		if (from !== null)
			paintArrow(brush, brush.x(runs.startMs[run]! + runs.durationMs[run]!), from.bottom, brush.x(called), to.top);
	}
	const earlier = causes.behind < 0 ? null : brush.hits.where({ kind: 'operation', index: causes.behind });
	if (earlier !== null) {
		const answered = operations.calledMs[causes.behind]!;
		paintArrow(brush, brush.x(answered), (earlier.top + earlier.bottom) / 2, brush.x(called), middle);
	}
	const own = Array.from(jobs.operation.keys()).find((job) => jobs.operation[job] === selected);
	if (own === undefined) return;
	for (const job of [...causes.before].sort((a, b) => jobs.doneMs[b]! - jobs.doneMs[a]!).slice(0, MOST)) {
		const from = brush.hits.where({ kind: 'job', index: job });
		const done = Math.min(jobs.doneMs[job]!, jobs.beganMs[own]!);
		if (from !== null)
			paintArrow(brush, brush.x(done), (from.top + from.bottom) / 2, brush.x(jobs.beganMs[own]!), middle);
	}
}

function paintArrow({ context }: Brush, x: number, y: number, toX: number, toY: number): void {
	context.beginPath();
	context.moveTo(x, y);
	const bend = Math.max(10, Math.abs(toY - y) / 3);
	const down = toY >= y ? 1 : -1;
	context.bezierCurveTo(x, y + down * bend, toX, toY - down * bend, toX, toY);
	context.stroke();
	context.beginPath();
	context.moveTo(toX, toY);
	context.lineTo(toX - HEAD, toY - down * HEAD);
	context.lineTo(toX + HEAD, toY - down * HEAD);
	context.fill();
}
