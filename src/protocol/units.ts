// How figures are written, the same in every view: three significant digits, and their basis in front.
import type { Basis, Split } from './report.ts';

/**
 * A duration for people: `0`, `12 µs`, `3.4 ms`, `1.25 s`, `2 min 5 s`.
 * @param ms duration in milliseconds, finite
 */
export function formatMs(ms: number): string {
	const magnitude = Math.abs(ms);
	if (magnitude < 0.0005) return '0';
	if (magnitude < 0.9995) return `${digits(ms * 1000)} µs`;
	if (magnitude < 999.5) return `${digits(ms)} ms`;
	if (magnitude < 119_500) return `${digits(ms / 1000)} s`;
	const seconds = Math.round(ms / 1000);
	return `${Math.trunc(seconds / 60)} min ${seconds % 60} s`;
}

/** What stands before a figure of that basis: nothing when measured, `≈` when estimated. */
export const BASIS_MARK: Record<Basis, string> = { measured: '', estimated: '≈', unknown: '?' };

/** A split's total with its basis: `3.4 ms`, `≈3.4 ms`, `?`; empty where the split has no meaning. */
export function formatTotal(split: Split | null): string {
	if (split === null) return '';
	if (split.basis === 'unknown') return BASIS_MARK.unknown;
	return BASIS_MARK[split.basis] + formatMs(split.totalMs);
}

function digits(value: number): string {
	const magnitude = Math.abs(value);
	const places = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
	return value.toFixed(places).replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : places === 0 ? zeros : ''));
}
