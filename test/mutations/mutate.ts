// What can be done to a recording, packed or as older versions wrote it: damage as disks and cut-off copies do it, to packed bytes as well,
// and content that no tracer would write but whose checksums hold. Everything is drawn from one seeded generator, so that a mutation is known by its seed and index.

import { ENGINE_BUILD } from '../../src/host/recordings/engine-build.ts';
import { CHUNK_HEADER_BYTES } from '../../src/protocol/journal.ts';
import { FRAME, FRAMES, LAYOUTS, type Layout, TAG } from '../../src/protocol/journal-records.ts';
import { BLOCK_BYTES, pack } from '../support/packed-blocks.ts';
import { random } from '../support/random.ts';
import {
	CHUNK_FIELDS,
	chunksOf,
	hasChunks,
	isChunk,
	type Part,
	partsOf,
	RawJson,
	rawJson,
	recordingOf,
	signed,
	withPayload,
} from './parts.ts';

/** A recording as it was made. */
export interface Original {
	name: string;
	bytes: Buffer;
}

export interface Mutation {
	/** The recording that it was made of. */
	original: string;
	kinds: Kind[];
	bytes: Buffer;
}

/** The share of mutations that combine two changes. */
const DOUBLE_SHARE = 0.15;
/** The share of recordings in the packed format; the others are as older versions wrote them. */
const PACKED_SHARE = 0.6;

/** The values at which arithmetic goes wrong: around the limits of integers of each width, fractions, and what is no number. */
const DOUBLES = [
	0,
	-0,
	0.5,
	1.5,
	-1,
	-0.5,
	1e-300,
	5e-324,
	7,
	255,
	65_536,
	2 ** 31 - 1,
	2 ** 31,
	2 ** 32 - 1,
	2 ** 32,
	2 ** 40,
	2 ** 50,
	2 ** 53 - 1,
	2 ** 53,
	2 ** 63,
	1e15,
	1e18,
	1e300,
	Number.MAX_VALUE,
	Infinity,
	-Infinity,
	Number.NaN,
	-(2 ** 53),
];
const UINTS = [
	0,
	1,
	2,
	39,
	40,
	127,
	128,
	255,
	256,
	4096,
	65_535,
	2 ** 19,
	2 ** 19 + 1,
	2 ** 30,
	2 ** 31 - 1,
	2 ** 31,
	2 ** 32 - 1,
];
const VARINTS = [
	0,
	1,
	2,
	3,
	127,
	128,
	1023,
	1024,
	1025,
	4096,
	4097,
	65_536,
	10 ** 6,
	10 ** 9,
	2 ** 31 - 1,
	2 ** 31,
	2 ** 32,
	2 ** 40,
	10 ** 15,
	2 ** 50,
	2 ** 53 - 1,
	2 ** 53,
];

/** What packs to almost nothing: blocks of it are how a small file would fill memory. */
const PACKED_ZEROS = pack(Buffer.alloc(BLOCK_BYTES));
const PACKED_BOMB = pack(Buffer.alloc(64 * BLOCK_BYTES));
const WIDE_BOMB = pack(Buffer.alloc(64 * BLOCK_BYTES), 24);

/** Names that no journal has. */
const NAMES = [
	'',
	'.journal',
	'../../etc/passwd.journal',
	'/etc/passwd',
	'C:\\1.0.1.journal',
	'1.0.1\n.journal',
	'\u001b[2J1.0.1.journal',
	'1.0.1.journal\0',
	'-1.0.1.journal',
	'1e9.0.1.journal',
	'__proto__',
	'pauses.json',
	'sources.json',
	'unknown.json',
	'99999999999999999999.0.1.journal',
	'1.0.1.JOURNAL',
	`${'9'.repeat(240)}.0.1.journal`,
];

/** What may stand where pauses and sources are expected. */
const JSONS = [
	'null',
	'[]',
	'{}',
	'5',
	'"text"',
	'[[[[[]]]]]',
	'[null,5,"x",[],{}]',
	'{"__proto__":{"pid":1,"from":1,"to":2}}',
	'{"__proto__":"text","constructor":"text","/a.js":5,"/b.js":null,"/c.js":["x"]}',
	'{"pid":1,"from":0,"to":1e999}',
	'[{"pid":1e999,"from":-1e999,"to":1e999}]',
	'[{"pid":"1","from":"0","to":"9"}]',
	'[{"__proto__":{"pid":1},"from":0,"to":null}]',
	'[{"pid":0.5,"from":0.25,"to":0.75},{"pid":1,"from":5,"to":1},{"pid":1,"from":-5,"to":-1}]',
	`${'['.repeat(5000)}`,
	`{"/a.js":"${'x'.repeat(5000)}"}`,
	'{"/a.js":"a"',
	'\ufeff[]',
];

/** Values in a summary that no engine would write, as JSON. */
const VALUES = [
	...['1e999', '-1e999', '-1', '-0', '0', '0.5', '1e-320', '1e15', '9007199254740993', '1e308', '""', '"x"'],
	...['null', 'true', '[]', '{}', '[null]', '[1]', '{"__proto__":1}', '"\\u001b[2J"', '"/etc/passwd"', '"\\u202e"'],
	'['.repeat(3000) + ']'.repeat(3000),
];

type Random = () => number;
type Change = (parts: Part[], draw: Random, others: readonly Part[]) => void;

/** Changes of the file's bytes, whatever they mean. */
const BYTE_CHANGES = {
	'bits flipped': (bytes, draw) => {
		const copy = Buffer.from(bytes);
		for (let times = 1 + upTo(draw, 8); times > 0; times--) copy[upTo(draw, copy.length)]! ^= 1 << upTo(draw, 8);
		return copy;
	},
	'bytes overwritten': (bytes, draw) => {
		const copy = Buffer.from(bytes);
		const from = upTo(draw, copy.length);
		noise(draw, 16).copy(copy, from);
		return copy;
	},
	'cut off': (bytes, draw) => bytes.subarray(0, upTo(draw, bytes.length)),
	'bytes inserted': (bytes, draw) => {
		const at = upTo(draw, bytes.length);
		return Buffer.concat([bytes.subarray(0, at), noise(draw, 64), bytes.subarray(at)]);
	},
	'bytes deleted': (bytes, draw) => {
		const at = upTo(draw, bytes.length);
		return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + upTo(draw, 200))]);
	},
	'stretch repeated': (bytes, draw) => {
		const from = upTo(draw, bytes.length);
		const stretch = bytes.subarray(from, from + 1 + upTo(draw, 2000));
		const at = upTo(draw, bytes.length);
		return Buffer.concat([bytes.subarray(0, at), stretch, bytes.subarray(at)]);
	},
} satisfies Record<string, (bytes: Buffer, draw: Random) => Buffer>;

/** Changes of what stands in it. */
const PART_CHANGES = {
	'number in a part’s head': (parts, draw) => {
		const part = pick(draw, parts);
		if (draw() < 0.75) part.saidLength = pick(draw, DOUBLES);
		else part.saidNameLength = pick(draw, UINTS);
	},
	'parts renamed': (parts, draw) => {
		pick(draw, parts).name = Buffer.from(pick(draw, NAMES));
	},
	'parts moved': (parts, draw, others) => {
		const at = upTo(draw, parts.length);
		const way = upTo(draw, 4);
		if (way === 0) parts.push(parts.splice(at, 1)[0]!);
		else if (way === 1) parts.push({ ...parts[at]! });
		else if (way === 2) parts.splice(at, 1);
		else parts.splice(at, 0, pick(draw, others));
	},
	'strange JSON': (parts, draw) => {
		const name = draw() < 0.5 ? 'pauses.json' : 'sources.json';
		const bytes = Buffer.from(pick(draw, JSONS));
		const known = parts.find((part) => part.name.equals(Buffer.from(name)));
		if (known !== undefined && draw() < 0.8) known.bytes = bytes;
		else parts.splice(upTo(draw, parts.length), 0, { name: Buffer.from(name), bytes });
	},
	'values of the summary': (parts, draw) => {
		// A bomb may have its name.
		const at = parts.findIndex(
			({ name, bytes, sealed }) => name.equals(SUMMARY_NAME) && (sealed !== undefined || bytes.length > 0),
		);
		if (at < 0) return;
		const [part] = parts.splice(at, 1);
		const sealed = (part!.sealed ?? JSON.parse(part!.bytes.toString())) as Json;
		for (let times = 1 + upTo(draw, 3); times > 0; times--) changeValue(sealed, draw);
		parts.push({ name: SUMMARY_NAME, bytes: Buffer.alloc(0), sealed: { ...sealed, engine: ENGINE_BUILD } });
	},
	'values of the index': (parts, draw) => {
		const part = parts.find(({ name, bytes }) => name.equals(INDEX_NAME) && bytes.length > 4);
		// One that was changed before may no longer be JSON.
		const summary = parts.find(
			({ name, bytes, sealed }) => name.equals(SUMMARY_NAME) && sealed === undefined && bytes.length > 0,
		);
		if (part === undefined || summary === undefined) return;
		const end = 4 + part.bytes.readUInt32LE();
		const index = JSON.parse(part.bytes.toString('utf8', 4, end)) as Json;
		const rows = Buffer.from(part.bytes.subarray(end));
		const isOfRows = draw() < 0.4;
		for (let times = 1 + upTo(draw, 3); times > 0; times--) {
			if (isOfRows) rows[upTo(draw, rows.length)] = upTo(draw, 256);
			else changeValue(index, draw);
		}
		const json = rawJson(index);
		const head = Buffer.alloc(4);
		head.writeUInt32LE(draw() < 0.9 ? json.length : pick(draw, UINTS));
		part.bytes = Buffer.concat([head, json, rows]);
		summary.sealed = { ...(JSON.parse(summary.bytes.toString()) as Json), engine: ENGINE_BUILD };
	},
	'number in a block’s head': (parts, draw) => {
		const way = upTo(draw, 3);
		const said =
			way === 0
				? { left: pick(draw, DOUBLES) }
				: way === 1
					? { length: pick(draw, UINTS) }
					: { nameLength: pick(draw, UINTS) };
		pick(draw, parts).damage = { index: upTo(draw, 8), said };
	},
	'packed bytes': (parts, draw) => {
		const way = upTo(draw, 4);
		pick(draw, parts).damage = {
			index: upTo(draw, 8),
			packed: (packed) => {
				if (way === 0) return packed.subarray(0, upTo(draw, packed.length));
				if (way === 1) return Buffer.concat([packed, noise(draw, 64)]);
				const copy = Buffer.from(packed);
				const from = upTo(draw, copy.length);
				if (way === 2) copy[from]! ^= 1 << upTo(draw, 8);
				else noise(draw, 16).copy(copy, from);
				return copy;
			},
		};
	},
	'packed bombs': (parts, draw) => {
		const packed = pick(draw, [PACKED_ZEROS, PACKED_BOMB, WIDE_BOMB]);
		const count = pick(draw, [1, 2, 100, 1000]);
		const name = pick(draw, [pick(draw, parts).name.toString(), 'sources.json', '7.0.7.journal']);
		const bytes = Buffer.alloc(0);
		const bomb = Array.from({ length: count }, (_, i) => ({
			name: Buffer.from(draw() < 0.5 ? name : `${i}.0.7.journal`),
			bytes,
			damage: { index: 0, packed: () => packed, said: { left: (count - i) * BLOCK_BYTES } },
		}));
		parts.splice(upTo(draw, parts.length), 0, ...bomb);
	},
	'chunks moved': (parts, draw, others) => {
		const journals = parts.filter(hasChunks);
		if (journals.length === 0) return;
		const part = pick(draw, journals);
		const foreign = chunksOf(pick(draw, others.filter(hasChunks)).bytes);
		const chunks = chunksOf(part.bytes);
		const at = upTo(draw, chunks.length);
		const way = upTo(draw, 5);
		if (way === 0) chunks.splice(upTo(draw, chunks.length), 0, ...chunks.splice(at, 1));
		else if (way === 1) chunks.splice(upTo(draw, chunks.length + 1), 0, chunks[at]!);
		else if (way === 2) chunks.splice(at, 1);
		else if (way === 3) chunks.splice(at, 0, pick(draw, foreign));
		else chunks.push(...Array.from({ length: 50 }, () => chunks[at]!));
		part.bytes = Buffer.concat(chunks);
	},
	'number in a chunk’s head': changeChunk((chunk, draw) => {
		const field = pick(draw, Object.keys(CHUNK_FIELDS) as (keyof typeof CHUNK_FIELDS)[]);
		const changed = Buffer.from(chunk);
		if (field === 'before' || field === 'dropped') changed.writeDoubleLE(pick(draw, DOUBLES), CHUNK_FIELDS[field]);
		else changed.writeUInt32LE(pick(draw, UINTS), CHUNK_FIELDS[field]);
		return signed(changed);
	}),
	'bytes of a payload': changeChunk((chunk, draw) => {
		const payload = Buffer.from(chunk.subarray(CHUNK_HEADER_BYTES));
		if (payload.length === 0) return chunk;
		for (let times = 1 + upTo(draw, 4); times > 0; times--) payload[upTo(draw, payload.length)] = upTo(draw, 256);
		return withPayload(chunk, payload);
	}),
	'numbers of a payload': changeChunk((chunk, draw) => {
		let payload = chunk.subarray(CHUNK_HEADER_BYTES);
		for (let times = 1 + upTo(draw, 3); times > 0; times--) {
			const at = upTo(draw, payload.length);
			let end = at;
			while (end < payload.length && payload[end]! >= 0x80) end++;
			payload = Buffer.concat([payload.subarray(0, at), varint(pick(draw, VARINTS)), payload.subarray(end + 1)]);
		}
		return withPayload(chunk, payload);
	}),
	'records made up': changeChunk((chunk, draw) => {
		const count = 1 + upTo(draw, 20);
		const records = Array.from({ length: count }, () => madeUp(draw));
		const payload = Buffer.concat([chunk.subarray(CHUNK_HEADER_BYTES), ...records]);
		const changed = withPayload(chunk, payload);
		// A change before this one may have made it the largest there is.
		changed.writeUInt32LE((changed.readUInt32LE(CHUNK_FIELDS.records) + count) >>> 0, CHUNK_FIELDS.records);
		return signed(changed);
	}),
} satisfies Record<string, Change>;

type ByteKind = keyof typeof BYTE_CHANGES;
type PartKind = keyof typeof PART_CHANGES;
export type Kind = ByteKind | PartKind;

export const KINDS = [...Object.keys(BYTE_CHANGES), ...Object.keys(PART_CHANGES)] as readonly Kind[];

/** The mutation of that seed and index: always the same for the same recordings. */
export function mutation(originals: readonly Original[], seed: number, index: number): Mutation {
	const draw = random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
	// Each recording and kind in turn, so that none is left to chance.
	const original = originals[index % originals.length]!;
	const kinds = [KINDS[Math.floor(index / originals.length) % KINDS.length]!];
	if (draw() < DOUBLE_SHARE) kinds.unshift(pick(draw, Object.keys(PART_CHANGES) as PartKind[]));
	const parts = knownParts(original);
	for (const kind of kinds) {
		if (kind in PART_CHANGES) PART_CHANGES[kind as PartKind](parts, draw, knownParts(pick(draw, originals)));
	}
	const bytes = recordingOf(parts, draw() < PACKED_SHARE);
	const last = kinds.at(-1)!;
	return {
		original: original.name,
		kinds,
		bytes: last in BYTE_CHANGES ? BYTE_CHANGES[last as ByteKind](bytes, draw) : bytes,
	};
}

/** To unpack a recording takes longer than to change it. */
const partsBefore = new WeakMap<Buffer, Part[]>();

/** Its parts, which may be changed; their bytes may not. */
function knownParts({ bytes }: Original): Part[] {
	const parts = partsBefore.get(bytes) ?? partsOf(bytes);
	partsBefore.set(bytes, parts);
	return parts.map((part) => ({ ...part }));
}

function changeChunk(change: (chunk: Buffer, draw: Random) => Buffer): Change {
	return (parts, draw) => {
		const journals = parts.filter(hasChunks);
		if (journals.length === 0) return;
		const part = pick(draw, journals);
		const chunks = chunksOf(part.bytes);
		const at = upTo(draw, chunks.length);
		if (isChunk(chunks[at]!)) chunks[at] = change(chunks[at]!, draw);
		part.bytes = Buffer.concat(chunks);
	};
}

const SUMMARY_NAME = Buffer.from('summary.json');
const INDEX_NAME = Buffer.from('timeline.index');
type Json = Record<string, unknown>;

/** Changes one value, at any depth, or leaves it out, or has it twice. */
function changeValue(root: Json, draw: Random): void {
	let holder = root;
	let keys = Object.keys(holder);
	let key = pick(draw, keys);
	for (;;) {
		const next = holder[key];
		const isLeaf =
			typeof next !== 'object' || next === null || next instanceof RawJson || Object.keys(next).length === 0;
		if (isLeaf || draw() < 0.1) break;
		holder = next as Json;
		keys = Object.keys(holder);
		key = pick(draw, keys);
	}
	const way = upTo(draw, 8);
	if (way === 0 && Array.isArray(holder)) holder.splice(Number(key), 1);
	else if (way === 0) Reflect.deleteProperty(holder, key);
	else if (way === 1 && Array.isArray(holder))
		holder.push(...Array<unknown>(1 + upTo(draw, 100)).fill(holder[Number(key)]));
	else if (way === 2) holder[key] = holder[pick(draw, keys)];
	else holder[key] = new RawJson(pick(draw, VALUES));
}

/** A record of any kind whose numbers may be anything. Ids are mostly small, so that records refer to one another. */
function madeUp(draw: Random): Buffer {
	const tag = pick(draw, Object.values(TAG));
	const fields = Array.from({ length: numbersOf(LAYOUTS[tag]!) }, () =>
		varint(draw() < 0.6 ? upTo(draw, 20) : draw() < 0.5 ? upTo(draw, 400_000) : pick(draw, VARINTS)),
	);
	return Buffer.concat([Buffer.from([tag]), ...fields]);
}

/** How many numbers a record begins with; a text begins with its length, a list with how many it has. */
function numbersOf({ kinds }: Layout): number {
	return kinds.length + (kinds.includes(FRAMES) ? Object.keys(FRAME).length : 0);
}

function varint(value: number): Buffer {
	const bytes: number[] = [];
	let rest = value;
	for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
	bytes.push(rest);
	return Buffer.from(bytes);
}

/** Bytes of every value, 1 to `most` of them. */
function noise(draw: Random, most: number): Buffer {
	return Buffer.from(Array.from({ length: 1 + upTo(draw, most) }, () => upTo(draw, 256)));
}

/** A whole number from 0 to below `limit`. */
function upTo(draw: Random, limit: number): number {
	return Math.floor(draw() * limit);
}

/** @param items at least one */
function pick<T>(draw: Random, items: readonly T[]): T {
	return items[upTo(draw, items.length)]!;
}
