// The names of scripts: V8's, those that go into a journal, and the files that they stand for.
import { fileURLToPath } from '../process/node-functions.ts';
import { match, matches } from '../process/patterns.ts';

/**
 * A script's name without the program's data that it may contain: the source in a `data:` URL, the query of a module's
 * URL.
 */
export function withoutData(name: string): string {
	if (name.startsWith('data:')) return name.slice(0, Math.max('data:'.length, name.indexOf(',')));
	return matches(/^[a-z][a-z0-9+.-]+:\/\//i, name) ? match(/^[^?#]*/, name)![0] : name;
}

/** A script's path: V8 names ES modules by URL, and some loaders name CommonJS so, too. */
export function pathOf(script: string): string {
	try {
		return script.startsWith('file:') ? fileURLToPath(script) : script;
	} catch {
		// No file of this system.
		return script;
	}
}
