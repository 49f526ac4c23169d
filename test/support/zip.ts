// Reads a ZIP archive, which is what a `.vsix` is: small ones, whole in memory, without encryption or ZIP64.
import { inflateRawSync } from 'node:zlib';

/** Signatures and field offsets are those of PKWARE's APPNOTE.TXT, 4.3. */
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END_LENGTH = 22;
const DEFLATED = 8;

/**
 * The files of an archive by their paths in it.
 * @throws when the bytes are no archive
 */
export function unzip(archive: Buffer): Map<string, Buffer> {
	let end = archive.length - END_LENGTH;
	while (end >= 0 && archive.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
	if (end < 0) throw new Error('not a ZIP archive: it has no directory at its end');
	const files = new Map<string, Buffer>();
	let at = archive.readUInt32LE(end + 16);
	for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
		if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('not a ZIP archive: its directory is damaged');
		const method = archive.readUInt16LE(at + 10);
		const length = archive.readUInt32LE(at + 20);
		const nameEnd = at + 46 + archive.readUInt16LE(at + 28);
		const name = archive.toString('utf8', at + 46, nameEnd);
		const header = archive.readUInt32LE(at + 42);
		// The file's own header repeats the name and may have other extra fields than the directory.
		const from = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
		const bytes = archive.subarray(from, from + length);
		files.set(name, method === DEFLATED ? inflateRawSync(bytes) : bytes);
		at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
	}
	return files;
}
