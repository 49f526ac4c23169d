// How a summary (src/protocol/summary.ts) is written into a recording.
import { createHash, type Hash } from 'node:crypto';
import type { SessionSummary, Summary } from '../../protocol/summary.ts';

/** Of everything in the file before the summary, but the signature. */
export function hashOfRest(): Hash {
	return createHash('sha256');
}

/** @param rest what that hash gave, in hexadecimal digits */
export function summaryBytes(summary: SessionSummary, rest: string): Buffer {
	const sealed: Summary = { ...summary, rest };
	return Buffer.from(summaryText(sealed));
}

/** As JSON. */
export function summaryText(summary: SessionSummary): string {
	return JSON.stringify(summary, plainArray);
}

/** JSON would make an object of a row's typed array. */
function plainArray(_name: string, value: unknown): unknown {
	return ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value;
}
