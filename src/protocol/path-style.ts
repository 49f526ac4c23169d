// Paths as they are written on Windows and elsewhere. A recording is read on any system, so a path itself shows which
// kind it is: nothing here depends on the system it runs on.

/** Whether an absolute path is one of Windows: `C:\app`, `c:/app`, `\\server\share`. */
export function isWindowsPath(file: string): boolean {
	return /^(?:[a-z]:(?:[\\/]|$)|\\\\)/i.test(file);
}

/** The last part of an absolute path: the file's own name. */
export function nameOf(file: string): string {
	return partsOf(file).at(-1) ?? '';
}

/**
 * Whether an absolute path is that file: as a whole, or from one of its folders on.
 * @param end as a person has typed it: on Windows both slashes separate, and case does not matter
 */
export function endsWithPath(file: string, end: string): boolean {
	const isWindows = isWindowsPath(file);
	const [all, wanted] = [file, end].map((each) => partsOf(isWindows ? each.toLowerCase() : each, isWindows));
	if (wanted![0] === '.') wanted!.shift();
	return wanted!.length > 0 && wanted!.every((part, i) => part === all![all!.length - wanted!.length + i]);
}

/** The parts between the separators, without empty ones. */
function partsOf(file: string, isWindows = isWindowsPath(file)): string[] {
	return file.split(isWindows ? /[\\/]+/ : /\/+/).filter((part) => part !== '');
}
