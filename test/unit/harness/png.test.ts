// The README's pictures: what is written is what was meant to be shown, frame by frame.
import assert from 'node:assert/strict';
import test from 'node:test';
import { inflateSync } from 'node:zlib';
import { cropped, type Picture, readPng, writeApng, writePng } from '../../support/png.ts';

/** 8 by 5 pixels, one of PNG's filters a row (0 to 4), made by another encoder (Python's zlib and the specification's formulas). */
const BY_ANOTHER =
	'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAFCAIAAAD38zoCAAAAXklEQVR4nGXLuwkCURBA0eMHXvYYhA2ENyhstpnhJHZiE8Z2Yid2YjeuiYlws8OFE1duPHjy4s1GrdD+266gmupqUkPNalGXnbvIHnmInCKPkSPyHDnvv4dGZ2L8+gDhiwprHaSdlQAAAABJRU5ErkJggg==';

function picture(colourAt: (x: number, y: number) => number): Picture {
	const [width, height] = [6, 4];
	const rgb = new Uint8Array(width * height * 3);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const colour = colourAt(x, y);
			rgb.set([colour >> 16, (colour >> 8) & 255, colour & 255], (y * width + x) * 3);
		}
	}
	return { width, height, rgb };
}

interface Chunk {
	type: string;
	data: Buffer;
}

function chunksOf(png: Buffer): Chunk[] {
	const found: Chunk[] = [];
	for (let at = 8; at < png.length; ) {
		const length = png.readUInt32BE(at);
		found.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
		at += length + 12;
	}
	return found;
}

test('a PNG with every filter is read', () => {
	const { width, height, rgb } = readPng(Buffer.from(BY_ANOTHER, 'base64'));
	assert.deepEqual([width, height], [8, 5]);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const at = (y * width + x) * 3;
			assert.deepEqual([...rgb.subarray(at, at + 3)], [(x * 31) % 256, (y * 57) % 256, (x * y * 7) % 256], `${x} ${y}`);
		}
	}
});

test('a picture is written with its palette', () => {
	const png = writePng(picture((x, y) => (x === y ? 0xff8000 : 0x102030)));
	const [header, palette, , data] = chunksOf(png);
	assert.equal(header!.data[9], 3, 'a palette');
	const rows = inflateSync(data!.data);
	const colour = (x: number, y: number) => palette!.data.readUIntBE(rows[y * 7 + 1 + x]! * 3, 3);
	assert.deepEqual([colour(0, 0), colour(1, 0), colour(3, 3)], [0xff8000, 0x102030, 0xff8000]);
});

test('a frame contains only what has changed, and one without a change prolongs the one before', () => {
	const blank = picture(() => 0);
	const dot = picture((x, y) => (x === 4 && y === 2 ? 0xffffff : 0));
	const frames = [blank, dot, dot].map((each) => ({ picture: each, ms: 200 }));
	const controls = chunksOf(writeApng(frames)).filter(({ type }) => type === 'fcTL');
	assert.deepEqual(
		controls.map(({ data }) => [8, 4, 12, 16].map((at) => data.readUInt32BE(at)).concat(data.readUInt16BE(20))),
		[
			[4, 6, 0, 0, 200],
			[1, 1, 4, 2, 400],
		],
	);
});

test('a colour that the palette has no room for is shown as the nearest one', () => {
	const width = 300;
	// All 256 greys, of which 255 comes once and every other one at least twice.
	const grey = (at: number) => (at < width ? at % 256 : Math.min(at - width, 254));
	const rgb = Uint8Array.from({ length: width * 2 * 3 }, (_, at) => grey(Math.floor(at / 3)));
	const [, palette, , data] = chunksOf(writePng({ width, height: 2, rgb }));
	const rows = inflateSync(data!.data);
	const shown = (x: number) => palette!.data[rows[1 + x]! * 3];
	assert.deepEqual([shown(0), shown(44), shown(254), shown(255)], [0, 44, 254, 254]);
});

test('a picture is cropped from below', () => {
	const { height, rgb } = cropped(
		picture((_, y) => y),
		2,
	);
	assert.deepEqual([height, rgb.length, rgb.at(-1)], [2, 36, 1]);
});
