// The names of scripts: V8's, those that go into a journal, and the files that they stand for.
import { fileURLToPath } from '../process/node-functions.ts';
import { isWindows } from '../process/platform.ts';

/**
 * A script's name without the program's data that it may contain: the source in a `data:` URL, the query of a module's
 * URL.
 */
export function withoutData(name: string): string {
	return /^(data:([^,]*(?=,))?|[a-z][a-z0-9+.-]+:\/\/[^?#]*)/i.exec(name)?.[0] ?? name;
}

/** The URL of a file with its path as it is: nothing is encoded, and the system's paths have no drives. Node's own function is some 250 steps of a debugger. */
const PLAIN = isWindows ? /(?!)/ : /^file:\/\/(\/[^%?#\\]*)$/;

/** A script's path: V8 names ES modules by URL, and some loaders name CommonJS so, too. */
export function pathOf(script: string): string {
	try {
		return PLAIN.exec(script)?.[1] ?? (script.startsWith('file:') ? fileURLToPath(script) : script);
	} catch {
		// No file of this system.
		return script;
	}
}
