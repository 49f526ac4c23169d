// A line's writes waited for whoever reads at the other end of a connection or pipe: the system's buffer for it was full.
import { READER } from '../../protocol/connection-wait.ts';
import { counted, formatFigure, formatTotal } from '../../protocol/units.ts';
import { rangesOfWait } from './connection-wait.ts';
import { basisOf, known, limitsOf, percent, place, type Rule, rangesOf } from './rule.ts';

/** In all; less is a burst that nobody notices. */
const LEAST_MS = 100;
/** Of the waits, the share for which the other end certainly had not read. */
const LEAST_SHARE = 0.5;
/** For one of the slow waits: about what people notice. */
const LEAST_P95_MS = 50;

export const slowReader: Rule = ({ lines, recordedMs }) =>
	lines.flatMap((line) => {
		const { op, wait, lag, count, pending, wallMs } = line;
		if (op !== READER || wait === null || wait.basis === 'unknown') return [];
		if (wait.totalMs < LEAST_MS || wait.p95Ms < LEAST_P95_MS) return [];
		// The other end may have read long before a busy loop has noticed.
		const busyMs = limitsOf(lag)?.high ?? known(lag);
		if (wait.totalMs - busyMs < LEAST_SHARE * wait.totalMs) return [];
		const share = Math.min(1, wallMs / recordedMs);
		return [
			{
				code: 'slow-reader' as const,
				file: line.file,
				line: line.line,
				op,
				evidence: { count, pending, waitMs: wait.totalMs, waitP95Ms: wait.p95Ms, wallMs, share },
				ranges: rangesOf(rangesOfWait(wait)),
				basis: basisOf([wait]),
				victim: null,
				cause: null,
				message:
					`${counted(count, 'write')} of ${place(line)} waited ${formatTotal(wait)}${count === 1 ? '' : ' in total'} until the other end had read what was sent before ` +
					`(one in twenty took ${formatFigure(wait, 'p95Ms')} or longer). For ${percent(share)} of the time, at least one was waiting.`,
				lostMs: wait.totalMs,
				savesMs: null,
			},
		];
	});
