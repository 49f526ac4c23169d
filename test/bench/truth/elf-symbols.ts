// Where functions of an ELF64 program lie in its file, from its symbol table. A uprobe is set at a file offset, and neither nm
// nor readelf need be there.
import { closeSync, openSync, readSync } from 'node:fs';

interface Section {
	type: number;
	offset: number;
	size: number;
	link: number;
}

interface Segment {
	offset: number;
	address: number;
	size: number;
}

// elf.h: section types and the one program header type that maps the file.
const SHT_SYMTAB = 2;
const PT_LOAD = 1;
const SYMBOL_BYTES = 24;

/**
 * File offsets of the functions of these names; names that the table does not have are left out.
 * @throws when the file is no little-endian ELF64 file or has been stripped
 */
export function functionOffsets(file: string, names: string[]): Map<string, number> {
	const fd = openSync(file, 'r');
	try {
		const header = read(fd, 0, 64);
		if (header.readUInt32BE(0) !== 0x7f454c46 || header[4] !== 2 || header[5] !== 1) {
			throw new Error(`${file} is no little-endian ELF64 file`);
		}
		const segments = segmentsOf(fd, header);
		const sections = sectionsOf(fd, header);
		const table = sections.find(({ type }) => type === SHT_SYMTAB);
		if (table === undefined) throw new Error(`${file} has no symbol table`);
		const strings = sections[table.link]!;
		const addresses = addressesOf(
			read(fd, table.offset, table.size),
			read(fd, strings.offset, strings.size),
			new Set(names),
		);
		const offsets = new Map<string, number>();
		for (const [name, address] of addresses) offsets.set(name, fileOffset(segments, address));
		return offsets;
	} finally {
		closeSync(fd);
	}
}

function segmentsOf(fd: number, header: Buffer): Segment[] {
	const at = Number(header.readBigUInt64LE(32));
	const entryBytes = header.readUInt16LE(54);
	const count = header.readUInt16LE(56);
	const bytes = read(fd, at, entryBytes * count);
	const segments: Segment[] = [];
	for (let i = 0; i < count; i++) {
		const entry = bytes.subarray(i * entryBytes);
		if (entry.readUInt32LE(0) !== PT_LOAD) continue;
		segments.push({
			offset: Number(entry.readBigUInt64LE(8)),
			address: Number(entry.readBigUInt64LE(16)),
			size: Number(entry.readBigUInt64LE(32)),
		});
	}
	return segments;
}

function sectionsOf(fd: number, header: Buffer): Section[] {
	const at = Number(header.readBigUInt64LE(40));
	const entryBytes = header.readUInt16LE(58);
	const count = header.readUInt16LE(60);
	const bytes = read(fd, at, entryBytes * count);
	return Array.from({ length: count }, (_, i) => {
		const entry = bytes.subarray(i * entryBytes);
		return {
			type: entry.readUInt32LE(4),
			offset: Number(entry.readBigUInt64LE(24)),
			size: Number(entry.readBigUInt64LE(32)),
			link: entry.readUInt32LE(40),
		};
	});
}

function addressesOf(symbols: Buffer, strings: Buffer, names: Set<string>): Map<string, number> {
	// Names are compared as bytes: there are some 200,000 symbols, and few share a first letter with ours.
	const initials = new Set([...names].map((name) => name.charCodeAt(0)));
	const addresses = new Map<string, number>();
	for (let at = 0; at + SYMBOL_BYTES <= symbols.length; at += SYMBOL_BYTES) {
		const from = symbols.readUInt32LE(at);
		if (!initials.has(strings[from]!)) continue;
		const name = strings.toString('latin1', from, strings.indexOf(0, from));
		if (names.has(name)) addresses.set(name, Number(symbols.readBigUInt64LE(at + 8)));
	}
	return addresses;
}

function fileOffset(segments: Segment[], address: number): number {
	const segment = segments.find((one) => address >= one.address && address < one.address + one.size);
	if (segment === undefined) throw new Error(`address 0x${address.toString(16)} lies in no segment`);
	return address - segment.address + segment.offset;
}

function read(fd: number, position: number, length: number): Buffer {
	const bytes = Buffer.alloc(length);
	let at = 0;
	while (at < length) {
		const got = readSync(fd, bytes, at, length - at, position + at);
		if (got === 0) throw new Error('the file is shorter than its headers say');
		at += got;
	}
	return bytes;
}
