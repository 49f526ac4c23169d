// How many operations a second the engine reads and adds up on one core, against a plain copy of the same bytes, and what it keeps
// in memory. Prints Markdown.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SessionModel } from '../../../src/engine/session-model.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { OPEN, writeMadeJournal } from './made-journal.ts';

const OPERATIONS = 2_000_000;
/** As the host reads them from the file. */
const PIECE_BYTES = 64 * 1024;
const TARGET_PER_SECOND = 2_000_000;
/** Beyond what a tenth of the operations left: that much is noise of the collector. */
const GROWTH_MIB = 8;

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function cpuSeconds(work: () => void): number {
	const from = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(from);
	return (user + system) / 1e6;
}

/** Copies of the bytes in the same pieces, often enough for the clock. */
function copySeconds(bytes: Uint8Array): number {
	const target = new Uint8Array(PIECE_BYTES);
	const times = 20;
	return (
		cpuSeconds(() => {
			for (let i = 0; i < times; i++) for (const piece of piecesOf(bytes)) target.set(piece);
		}) / times
	);
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Heap that a model keeps after each tenth of the journal, MiB. */
function heapByTenths(file: string): number[] {
	collect();
	const before = process.memoryUsage().heapUsed;
	const fd = openSync(file, 'r');
	const bytes = readFileSync(file).length;
	const model = new SessionModel();
	const heap: number[] = [];
	const piece = Buffer.alloc(PIECE_BYTES);
	for (let at = 0; at < bytes; ) {
		const length = readSync(fd, piece, 0, PIECE_BYTES, at);
		model.push('made', piece.subarray(0, length));
		at += length;
		if (at / bytes >= (heap.length + 1) / 10) {
			collect();
			heap.push((process.memoryUsage().heapUsed - before) / 2 ** 20);
		}
	}
	closeSync(fd);
	return heap;
}

const folder = scratchFolder('throughput');
const file = writeMadeJournal(folder, OPERATIONS);
const bytes = readFileSync(file);
const seconds: number[] = [];
for (let round = 0; round < 5; round++) {
	const model = new SessionModel();
	seconds.push(
		cpuSeconds(() => {
			for (const piece of piecesOf(bytes)) model.push('made', piece);
			model.finish('made', true);
		}),
	);
	const { accounting, lines } = model.report((place) => ({ file: place.script, line: place.line }));
	const counted = lines.reduce((sum, { count }) => sum + count, 0);
	if (accounting.lost + accounting.dropped > 0 || counted !== OPERATIONS - OPEN) {
		throw new Error(`${counted} of ${OPERATIONS} operations counted: ${JSON.stringify(accounting)}`);
	}
	console.error(`${(OPERATIONS / seconds.at(-1)! / 1e6).toFixed(2)} M operations/s`);
}
const middle = seconds.sort((a, b) => a - b)[2]!;
const perSecond = OPERATIONS / middle;
const heap = heapByTenths(file);
const grown = heap.at(-1)! - heap[0]!;
const verdict = (isMet: boolean) => (isMet ? '(met)' : '(**missed**)');
console.log(
	[
		`${OPERATIONS / 1e6} M operations, ${(bytes.length / 2 ** 20).toFixed(0)} MiB of journal, on Node ${process.version}; medians of 5.`,
		'',
		'| | | target |',
		'|---|---|---|',
		`| operations a second on one core | ${(perSecond / 1e6).toFixed(2)} M | ≥ ${TARGET_PER_SECOND / 1e6} M ${verdict(perSecond >= TARGET_PER_SECOND)} |`,
		`| time against a plain copy of the same bytes | ×${(middle / copySeconds(bytes)).toFixed(0)} | |`,
		`| heap kept after a tenth of the operations | ${heap[0]!.toFixed(1)} MiB | |`,
		`| heap kept after all of them | ${heap.at(-1)!.toFixed(1)} MiB | grown by ≤ ${GROWTH_MIB} MiB ${verdict(grown <= GROWTH_MIB)} |`,
	].join('\n'),
);
