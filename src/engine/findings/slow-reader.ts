// A line's writes waited for whoever reads at the other end of a connection or pipe: the system's buffer for it was full.
import { READER } from '../../protocol/connection-wait.ts';
import { counted, formatMs, formatTotal } from '../../protocol/units.ts';
import { basisOf, percent, place, type Rule } from './rule.ts';

/** In all; less is a burst that nobody notices. */
const LEAST_MS = 100;
/** For one of the slow waits: about what people notice. */
const LEAST_P95_MS = 50;

export const slowReader: Rule = ({ lines, recordedMs }) =>
	lines.flatMap((line) => {
		const { op, wait, count, pending, wallMs } = line;
		if (op !== READER || wait === null || wait.basis === 'unknown') return [];
		if (wait.totalMs < LEAST_MS || wait.p95Ms < LEAST_P95_MS) return [];
		const share = Math.min(1, wallMs / recordedMs);
		return [
			{
				code: 'slow-reader' as const,
				file: line.file,
				line: line.line,
				op,
				evidence: { count, pending, waitMs: wait.totalMs, waitP95Ms: wait.p95Ms, wallMs, share },
				basis: basisOf([wait]),
				victim: null,
				cause: null,
				message:
					`${counted(count, 'write')} of ${place(line)} waited ${formatTotal(wait)}${count === 1 ? '' : ' in total'} until the other end had read what was sent before ` +
					`(one in twenty ${formatMs(wait.p95Ms)} or longer). Some waited for ${percent(share)} of the time.`,
				lostMs: wait.totalMs,
				savesMs: null,
			},
		];
	});
