// The paths of a program's files: V8's and source maps' names for them, turned into one spelling each. They may be
// those of another system than this one, since a recording may be opened on any system. So each is treated by the rules
// of the system that it comes from.
import path from 'node:path';
import { isWindowsPath } from '../../protocol/path-style.ts';

type Style = path.PlatformPath;

/** The rules for an absolute path. */
export function styleOf(file: string): Style {
	return isWindowsPath(file) ? path.win32 : path.posix;
}

/** Whether this system could have such a file. */
export function isOfThisSystem(file: string): boolean {
	return styleOf(file).sep === path.sep;
}

/** The path of a script as V8 names it: CommonJS by path, ES modules by URL. Null for code that is no file. */
export function pathOfScript(name: string): string | null {
	if (/^file:/i.test(name)) return pathOfUrl(name);
	return name.startsWith('/') || isWindowsPath(name) ? plainPath(name) : null;
}

/**
 * The path that a `file:` URL names, on the system whose URL it is: a drive or a host makes it one of Windows.
 * `fileURLToPath` knows the rules of the system alone that it runs on.
 */
export function pathOfUrl(text: string): string | null {
	let url: URL;
	let decoded: string;
	try {
		url = new URL(text);
		decoded = decodeURIComponent(url.pathname);
	} catch {
		// Escapes that do not encode text.
		return null;
	}
	// An escaped separator is in no path, nor is a NUL.
	if (/%(?:2f|00)/i.test(url.pathname)) return null;
	const isDrive = /^\/[a-z]:(?:\/|$)/i.test(decoded);
	if (url.hostname === '' && !isDrive) return path.posix.normalize(decoded);
	if (/%5c/i.test(url.pathname)) return null;
	return plainPath(isDrive ? decoded.slice(1) : `\\\\${url.hostname}${decoded}`);
}

/**
 * The usual spelling of an absolute path: without `.` and `..`; on Windows also with backslashes, a capital drive letter, and without the
 * prefix that long paths may have.
 */
export function plainPath(file: string): string {
	const style = styleOf(file);
	if (style === path.posix) return style.normalize(file);
	return style
		.normalize(file)
		.replace(/^\\\\\?\\UNC\\/i, '\\\\')
		.replace(/^\\\\[?.]\\(?=[a-z]:)/i, '')
		.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** Equal for all spellings of one file: Windows ignores upper and lower case. */
export function fileKey(file: string): string {
	const plain = plainPath(file);
	return isWindowsPath(plain) ? plain.toLowerCase() : plain;
}

/**
 * Where a path leads from a folder, by the folder's rules. In maps that were made on Windows and run elsewhere, backslashes separate, too.
 * @returns null for an absolute path of another system
 */
export function resolveFrom(folder: string, file: string): string | null {
	const style = styleOf(folder);
	if (style === path.win32) return plainPath(style.resolve(folder, file));
	return isWindowsPath(file) ? null : style.resolve(folder, file.replaceAll('\\', style.sep));
}

/** Whether a file lies below a folder, by the folder's rules. Both are absolute. */
export function isBelow(file: string, folder: string): boolean {
	const style = styleOf(folder);
	if (styleOf(file) !== style) return false;
	const relative = style.relative(plainPath(folder), plainPath(file));
	// On Windows a file of another drive has no relative path.
	return relative !== '' && !style.isAbsolute(relative) && relative.split(style.sep, 1)[0] !== '..';
}

/** Whether a file belongs to a package that the program needs. */
export function isInPackages(file: string): boolean {
	const { sep } = styleOf(file);
	return plainPath(file).includes(`${sep}node_modules${sep}`);
}

/** The folder of the package that a library's file belongs to, with the separator at its end; empty for another file. */
export function packageFolder(file: string): string {
	return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+[\\/]/.exec(file)?.[0] ?? '';
}

/** A file's path for a person whose current directory is `folder`: relative where that is shorter. */
export function shortPath(file: string, folder: string): string {
	if (styleOf(file) !== styleOf(folder)) return file;
	const relative = styleOf(folder).relative(folder, file);
	return relative.length < file.length ? relative : file;
}
