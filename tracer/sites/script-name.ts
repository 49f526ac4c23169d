// The names of scripts that go into a journal.
import { match, matches } from '../process/patterns.ts';

/**
 * A script's name without the program's data that it may contain: the source in a `data:` URL, the query of a module's
 * URL.
 */
export function withoutData(name: string): string {
	if (name.startsWith('data:')) return name.slice(0, Math.max('data:'.length, name.indexOf(',')));
	return matches(/^[a-z][a-z0-9+.-]+:\/\//i, name) ? match(/^[^?#]*/, name)![0] : name;
}
