// Lines that waited for a connection about as long as for the answer to what they then sent over it, or longer.
import type { Line } from '../../protocol/report.ts';
import { formatCount, formatFigure, formatTotal } from '../../protocol/units.ts';
import { sum } from '../common/sums.ts';
import { basisOf, behind, type FigureLimits, known, limitsOf, limitsOfSum, rangesOf, timeWithin } from './rule.ts';

/** In all; less is a burst that nobody notices. */
const LEAST_MS = 100;
/** For one of the slow waits: about what people notice. */
const LEAST_P95_MS = 50;

/**
 * Of what the answers took. With twice as many requests at a time as connections, each waits for just as long as its answer takes, and whether it is a little more or less is
 * chance. Two thirds are two fifths of the time of both, which more connections would save. Half comes of three requests over two connections, or of a single burst of twice as many.
 */
const LEAST_OF_ASKED = 2 / 3;

export interface ConnectionWait {
	line: Line;
	wait: NonNullable<Line['wait']>;
	/** The most of them at one time. */
	maxWaiting: number;
	/** How long the answers took, in ms; 0 where a line only takes the connection and sends something elsewhere. */
	askedMs: number;
	/** null where they are not known. */
	asked: FigureLimits | null;
}

/** What findings about waits for a connection or a socket have in common. */
export function waitFinding(found: ConnectionWait, lines: readonly Line[]) {
	const { line, wait, maxWaiting, askedMs, asked } = found;
	const at = behind(line, lines) ?? line;
	return {
		file: at.file,
		line: at.line,
		op: line.op,
		evidence: {
			count: line.count,
			pending: line.pending,
			waitMs: wait.totalMs,
			waitP95Ms: wait.p95Ms,
			maxWaiting,
			askedMs,
		},
		ranges: rangesOf({ ...rangesOfWait(wait), askedMs: asked }),
		basis: basisOf([wait]),
		victim: null,
		lostMs: wait.totalMs,
		savesMs: null,
	};
}

/** Lines whose waits of that kind are worth a finding. @param op as in src/protocol/connection-wait.ts */
export function connectionWaits(lines: readonly Line[], op: string): ConnectionWait[] {
	return lines.flatMap((line) => {
		const { wait, maxInFlight: maxWaiting } = line;
		if (line.op !== op || maxWaiting === null || wait === null || wait.basis === 'unknown') return [];
		const here = lines.filter((other) => other.file === line.file && other.line === line.line);
		const answers = here.filter((other) => other.class === 'kernel' && known(other.wait) > 0);
		const askedMs = sum(answers, (other) => known(other.wait));
		const asked = limitsOfSum(answers.map((other) => limitsOf(other.wait)));
		if (wait.totalMs < LEAST_MS || wait.p95Ms < LEAST_P95_MS || wait.totalMs < LEAST_OF_ASKED * askedMs) return [];
		return [{ line, wait, maxWaiting, askedMs, asked }];
	});
}

/** Limits of what a finding says about a wait. */
export function rangesOfWait(
	wait: ConnectionWait['wait'],
): Record<'waitMs' | 'waitP95Ms' | 'lostMs', FigureLimits | null> {
	return { waitMs: limitsOf(wait), waitP95Ms: limitsOf(wait, 'p95Ms'), lostMs: limitsOf(wait) };
}

/** `8 times, 400 ms in total (longest 90 ms), up to 6 at a time. The requests themselves took 300 ms.` */
export function waitText({ line: { count }, wait, maxWaiting, askedMs, asked }: ConnectionWait): string {
	const then = askedMs === 0 ? '' : ` The requests themselves took ${timeWithin(askedMs, asked, 'estimated')}.`;
	// Where a line is known only when its waits end, how many there were at a time is not known.
	const atOnce = maxWaiting > 1 ? `, up to ${formatCount(maxWaiting)} at a time` : '';
	const times =
		count === 1
			? `once, for ${formatTotal(wait)}`
			: `${formatCount(count)} times, ${formatTotal(wait)} in total (longest ${formatFigure(wait, 'maxMs')})${atOnce}`;
	return `${times}.${then}`;
}
