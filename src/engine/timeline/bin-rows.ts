// The sums over time of a session (time-bins.ts) as bytes: of each row the bins that have something.
//
//   uint    how many bins of the row have something
//   and of each of them
//   uint    four times the bins without anything before it, + 2 where something ended in it, + 1 where a step is in it
//   number  `part`
//   uint    `count`, and
//   number  `longest`, where something ended
//   number  `step`, where there is one
//
// A uint has seven bits in each byte, the lowest ones first, and the highest bit set in all but the last one. A number that is whole is a uint, four times as
// large, + 2 where it is below zero; any other is a 1 and an f64, little endian.
import type { BinLane } from '../common/time-bins.ts';

const HAS_ENDS = 2;
const HAS_STEP = 1;
const IS_NEGATIVE = 2;
const IS_FRACTION = 1;
/** Whole numbers from here on are written as fractions are. */
const LEAST_LARGE = 2 ** 48;
/** More than begins or ends in a bin. */
const MOST_STEP = 2 ** 40;
/** The longest of a bin: as many bytes as a uint or an f64 may take, several times. */
const BIN_BYTES = 64;
const FIRST_BYTES = 2 ** 16;

/**
 * @param length bins of each row
 * @param mostBytes null where they take more
 */
export function rowsOf(rows: readonly BinLane[], length: number, mostBytes: number): Uint8Array | null {
	const writer = new RowWriter();
	for (const row of rows) {
		writer.write(row, length);
		if (writer.length > mostBytes) return null;
	}
	return writer.bytes.slice(0, writer.length);
}

/**
 * The rows that were written; null where the bytes are not those of that number of rows.
 * @param count how many rows
 * @param length bins of each
 */
export function rowsIn(bytes: Uint8Array, count: number, length: number): BinLane[] | null {
	const reader = new RowReader(bytes);
	const rows: BinLane[] = [];
	for (let i = 0; i < count; i++) {
		const row = reader.read(length);
		if (row === null) return null;
		rows.push(row);
	}
	return reader.isAtEnd ? rows : null;
}

class RowWriter {
	length = 0;
	bytes = new Uint8Array(FIRST_BYTES);
	private view = new DataView(this.bytes.buffer);

	write({ part, step, count, longest }: BinLane, length: number): void {
		const used: number[] = [];
		for (let bin = 0; bin < length; bin++) {
			if (part[bin] !== 0 || step[bin] !== 0 || count[bin] !== 0 || longest[bin] !== 0) used.push(bin);
		}
		this.reserve();
		this.uint(used.length);
		let next = 0;
		for (const bin of used) {
			this.reserve();
			const hasEnds = count[bin] !== 0 || longest[bin] !== 0;
			const hasStep = step[bin] !== 0;
			this.uint(4 * (bin - next) + (hasEnds ? HAS_ENDS : 0) + (hasStep ? HAS_STEP : 0));
			this.number(part[bin]!);
			if (hasEnds) {
				this.uint(count[bin]!);
				this.number(longest[bin]!);
			}
			if (hasStep) this.number(step[bin]!);
			next = bin + 1;
		}
	}

	/** Makes room for what is written next. */
	private reserve(): void {
		if (this.length + BIN_BYTES <= this.bytes.length) return;
		const larger = new Uint8Array(2 * this.bytes.length);
		larger.set(this.bytes);
		this.bytes = larger;
		this.view = new DataView(larger.buffer);
	}

	private uint(value: number): void {
		let rest = value;
		for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.bytes[this.length++] = (rest % 128) | 0x80;
		this.bytes[this.length++] = rest;
	}

	private number(value: number): void {
		if (Number.isInteger(value) && Math.abs(value) < LEAST_LARGE) {
			this.uint(4 * Math.abs(value) + (value < 0 ? IS_NEGATIVE : 0));
			return;
		}
		this.uint(IS_FRACTION);
		this.view.setFloat64(this.length, value, true);
		this.length += 8;
	}
}

/** Reads what anybody may have written. What is no number, or is not there, is NaN. */
class RowReader {
	private at = 0;
	private readonly bytes: Uint8Array;
	private readonly view: DataView;

	constructor(bytes: Uint8Array) {
		this.bytes = bytes;
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	get isAtEnd(): boolean {
		return this.at === this.bytes.length;
	}

	/** Null where it is none that a session can have. */
	read(length: number): BinLane | null {
		const used = this.uint();
		if (!(used <= length)) return null;
		const row: BinLane = {
			part: new Float32Array(length),
			step: new Float64Array(length),
			count: new Uint32Array(length),
			longest: new Float32Array(length),
			levels: null,
		};
		let bin = -1;
		for (let i = 0; i < used; i++) {
			const head = this.uint();
			bin += Math.floor(head / 4) + 1;
			if (!(bin < length)) return null;
			const part = this.number();
			const count = (head & HAS_ENDS) !== 0 ? this.uint() : 0;
			const longest = (head & HAS_ENDS) !== 0 ? this.number() : 0;
			const step = (head & HAS_STEP) !== 0 ? this.number() : 0;
			if (!isAmount(part) || !isAmount(longest) || !(count < 2 ** 32) || !(Math.abs(step) <= MOST_STEP)) return null;
			row.part[bin] = part;
			row.count[bin] = count;
			row.longest[bin] = longest;
			row.step[bin] = step;
		}
		return row;
	}

	private uint(): number {
		let value = 0;
		for (let factor = 1; factor < Number.MAX_SAFE_INTEGER; factor *= 128) {
			const byte = this.bytes[this.at++] ?? Number.NaN;
			value += (byte & 0x7f) * factor;
			if (byte < 0x80) return value <= Number.MAX_SAFE_INTEGER ? value : Number.NaN;
			if (Number.isNaN(byte)) break;
		}
		return Number.NaN;
	}

	private number(): number {
		const value = this.uint();
		if (value !== IS_FRACTION) {
			const amount = Math.floor(value / 4);
			return value % 4 === IS_NEGATIVE ? -amount : value % 4 === 0 ? amount : Number.NaN;
		}
		if (this.at + 8 > this.bytes.length) return Number.NaN;
		const fraction = this.view.getFloat64(this.at, true);
		this.at += 8;
		return fraction;
	}
}

/** µs of which sums are exact. */
function isAmount(us: number): boolean {
	return us >= 0 && us <= Number.MAX_SAFE_INTEGER;
}
