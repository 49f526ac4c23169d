// Reads the PNG files that a browser's screenshots are, and writes PNG and animated PNG with a palette: screens have few colours, and what
// does not change from one picture to the next costs nothing. Formats: W3C "Portable Network Graphics (PNG) Specification", third edition.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Three bytes a pixel: red, green, blue. */
export interface Picture {
	width: number;
	height: number;
	rgb: Uint8Array;
}

export interface Frame {
	picture: Picture;
	/** How long it is shown, in ms. */
	ms: number;
}

const SIGNATURE = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
const CHANNELS: Partial<Record<number, number>> = { 2: 3, 6: 4 };
/** The palette's last entry means: the same as in the frame before. */
const UNCHANGED = 255;

/** @throws when it is no PNG of 8-bit red, green and blue, with or without alpha, as browsers write them */
export function readPng(bytes: Buffer): Picture {
	if (!bytes.subarray(0, 8).equals(SIGNATURE)) throw new Error('no PNG file');
	const parts = [...chunks(bytes)];
	const header = parts.find(({ type }) => type === 'IHDR')!.data;
	const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
	const channels = CHANNELS[header[9]!];
	if (header[8] !== 8 || channels === undefined || header[12] !== 0)
		throw new Error('no PNG of a kind that is read here');
	const packed = parts.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []));
	const rows = unfilter(inflateSync(Buffer.concat(packed)), width * channels, height, channels);
	const rgb = new Uint8Array(width * height * 3);
	for (let pixel = 0; pixel < width * height; pixel++) {
		for (let channel = 0; channel < 3; channel++) rgb[pixel * 3 + channel] = rows[pixel * channels + channel]!;
	}
	return { width, height, rgb };
}

/** The upper part of a picture. */
export function cropped({ width, rgb }: Picture, height: number): Picture {
	return { width, height, rgb: rgb.subarray(0, width * height * 3) };
}

export function writePng(picture: Picture): Buffer {
	return writeApng([{ picture, ms: 0 }]);
}

/**
 * An animation that starts again at its end; with one frame, a picture. Frames that do not differ from the one before
 * prolong it.
 * @param frames of one size, at least one
 */
export function writeApng(frames: readonly Frame[]): Buffer {
	const { width, height } = frames[0]!.picture;
	const palette = new Palette(frames.map(({ picture }) => picture));
	const shown: { area: Area; pixels: Buffer; ms: number }[] = [];
	let before: Buffer | undefined;
	for (const { picture, ms } of frames) {
		const pixels = palette.indexed(picture);
		const area = before === undefined ? { x: 0, y: 0, width, height } : changed(before, pixels, width, height);
		if (area === null) shown.at(-1)!.ms += ms;
		else shown.push({ area, pixels: rowsOf(pixels, before, width, area), ms });
		before = pixels;
	}
	const out = [SIGNATURE, chunk('IHDR', [u32(width, height), Buffer.from([8, 3, 0, 0, 0])])];
	if (shown.length > 1) out.push(chunk('acTL', [u32(shown.length, 0)]));
	out.push(chunk('PLTE', [palette.bytes]), chunk('tRNS', [Buffer.from([...new Uint8Array(UNCHANGED).fill(255), 0])]));
	let sequence = 0;
	for (const [index, { area, pixels, ms }] of shown.entries()) {
		if (shown.length > 1) {
			const place = u32(sequence++, area.width, area.height, area.x, area.y);
			// The delay is a fraction of a second; the frame stays, and the next is laid over it.
			out.push(chunk('fcTL', [place, u16(ms, 1000), Buffer.from([0, index === 0 ? 0 : 1])]));
		}
		const data = deflateSync(pixels, { level: 9 });
		out.push(index === 0 ? chunk('IDAT', [data]) : chunk('fdAT', [u32(sequence++), data]));
	}
	return Buffer.concat([...out, chunk('IEND', [])]);
}

interface Area {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The smallest rectangle outside of which nothing differs; null when nothing does. */
function changed(before: Buffer, after: Buffer, width: number, height: number): Area | null {
	let [left, right, top, bottom] = [width, -1, height, -1];
	for (let at = 0; at < after.length; at++) {
		if (before[at] === after[at]) continue;
		const [x, y] = [at % width, Math.floor(at / width)];
		left = Math.min(left, x);
		right = Math.max(right, x);
		top = Math.min(top, y);
		bottom = y;
	}
	return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** An area's rows, each after a filter byte of 0: no filter helps with a palette's numbers. */
function rowsOf(pixels: Buffer, before: Buffer | undefined, width: number, area: Area): Buffer {
	const rows = Buffer.alloc((area.width + 1) * area.height);
	for (let y = 0; y < area.height; y++) {
		for (let x = 0; x < area.width; x++) {
			const at = (area.y + y) * width + area.x + x;
			rows[y * (area.width + 1) + 1 + x] = before?.[at] === pixels[at] ? UNCHANGED : pixels[at]!;
		}
	}
	return rows;
}

/** At most 255 colours: those that are most frequent, and for each other one the nearest of them. */
class Palette {
	readonly bytes = Buffer.alloc((UNCHANGED + 1) * 3);
	readonly #numbers = new Map<number, number>();
	readonly #colours: number[];

	constructor(pictures: readonly Picture[]) {
		const counts = new Map<number, number>();
		for (const { rgb } of pictures) {
			for (let at = 0; at < rgb.length; at += 3) {
				const colour = colourAt(rgb, at);
				counts.set(colour, (counts.get(colour) ?? 0) + 1);
			}
		}
		const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
		this.#colours = byCount.slice(0, UNCHANGED);
		for (const [number, colour] of this.#colours.entries()) {
			this.#numbers.set(colour, number);
			this.bytes.writeUIntBE(colour, number * 3, 3);
		}
	}

	indexed({ rgb }: Picture): Buffer {
		const pixels = Buffer.alloc(rgb.length / 3);
		for (let pixel = 0; pixel < pixels.length; pixel++) pixels[pixel] = this.#numberOf(colourAt(rgb, pixel * 3));
		return pixels;
	}

	#numberOf(colour: number): number {
		const known = this.#numbers.get(colour);
		if (known !== undefined) return known;
		let [nearest, least] = [0, Number.POSITIVE_INFINITY];
		for (const [number, other] of this.#colours.entries()) {
			const distance = apart(colour, other);
			if (distance < least) [nearest, least] = [number, distance];
		}
		this.#numbers.set(colour, nearest);
		return nearest;
	}
}

function colourAt(rgb: Uint8Array, at: number): number {
	return (rgb[at]! << 16) | (rgb[at + 1]! << 8) | rgb[at + 2]!;
}

/** The square of two colours' distance. */
function apart(a: number, b: number): number {
	return [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2, 0);
}

function* chunks(bytes: Buffer): Generator<{ type: string; data: Buffer }> {
	for (let at = 8; at < bytes.length; ) {
		const length = bytes.readUInt32BE(at);
		yield { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + length) };
		at += length + 12;
	}
}

function chunk(type: string, parts: readonly Uint8Array[]): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
	return Buffer.concat([u32(body.length - 4), body, u32(crc32(body))]);
}

function u32(...values: number[]): Buffer {
	const bytes = Buffer.alloc(values.length * 4);
	for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
	return bytes;
}

function u16(...values: number[]): Buffer {
	const bytes = Buffer.alloc(values.length * 2);
	for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
	return bytes;
}

/** Undoes the filters of PNG's rows (chapter 9 of the specification). */
function unfilter(data: Buffer, stride: number, height: number, channels: number): Uint8Array {
	const out = new Uint8Array(stride * height);
	for (let y = 0; y < height; y++) {
		const filter = data[y * (stride + 1)]!;
		for (let x = 0; x < stride; x++) {
			const left = x >= channels ? out[y * stride + x - channels]! : 0;
			const up = y > 0 ? out[(y - 1) * stride + x]! : 0;
			const upLeft = x >= channels && y > 0 ? out[(y - 1) * stride + x - channels]! : 0;
			const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter]!;
			out[y * stride + x] = data[y * (stride + 1) + 1 + x]! + predicted;
		}
	}
	return out;
}

function paeth(left: number, up: number, upLeft: number): number {
	const guess = left + up - upLeft;
	const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
	return a <= b && a <= c ? left : b <= c ? up : upLeft;
}
