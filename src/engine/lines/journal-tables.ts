// The tables of a journal's generation: the meanings of the numbers in its records.
import { type ResourceFacts, resourceFacts } from '../../protocol/resource-facts.ts';
import type { Place } from '../common/place.ts';
import type { HandlerCall } from './handler-calls.ts';
import type { LineStats } from './line-stats.ts';

/** Who started an operation. */
export interface SiteFacts {
	/** The user's line, or the library's where no line of the user was on the stack or had started what ran. */
	readonly user: Place | null;
	/** The library's line that called Node for the user's. */
	readonly library: Place | null;
	readonly apiName: string;
	readonly apiScript: string;
	/** Of a request's handler, what it did on the way to what was started first; null where that is unknown. */
	call: HandlerCall | null;
	/** The figures of its line per type of operation, once they were looked up, and the last ones that were. */
	readonly stats: Map<ResourceFacts, LineStats | null>;
	lastType: ResourceFacts | null;
	lastStats: LineStats | null;
}

export class JournalTables {
	/** Scripts that started anything in any generation, by path or URL as V8 knows them. */
	readonly scripts = new Set<string>();
	private strings = new Map<number, string>();
	private types = new Map<number, ResourceFacts>();
	private positions = new Map<number, Place>();
	private sites = new Map<number, SiteFacts>();

	/** A generation begins, or nothing is left to read. */
	clear(): void {
		this.strings = new Map([[0, '']]);
		this.types = new Map();
		this.positions = new Map();
		this.sites = new Map();
	}

	addString(id: number, text: string): void {
		this.strings.set(id, text);
	}

	/** The string with that id; empty for one that was lost. */
	string(id: number): string {
		return this.strings.get(id) ?? '';
	}

	addPosition(id: number, script: number, line: number, column: number, functionName: number): void {
		// Lines count from 1.
		if (line === 0) return;
		const name = this.strings.get(script) ?? '';
		this.scripts.add(name);
		this.positions.set(id, { script: name, line, column, function: this.string(functionName) });
	}

	addSite(id: number, user: number, library: number, name: number, script: number): void {
		const userPlace = this.positions.get(user) ?? null;
		const libraryPlace = this.positions.get(library) ?? null;
		this.sites.set(id, {
			// For a tool that is run from node_modules there are no other lines.
			user: userPlace ?? libraryPlace,
			library: userPlace === null ? null : libraryPlace,
			apiName: this.strings.get(name) ?? '',
			apiScript: this.strings.get(script) ?? '',
			call: null,
			stats: new Map(),
			lastType: null,
			lastStats: null,
		});
	}

	addCalled(site: number, at: number, begin: number, route: number): void {
		const facts = this.sites.get(site);
		const place = this.positions.get(at);
		if (facts && place) facts.call = { at: place, begin: this.positions.get(begin) ?? null, route };
	}

	/** The site with that id; null for one that was lost. */
	site(id: number): SiteFacts | null {
		return this.sites.get(id) ?? null;
	}

	/** The facts of a resource type, by the number of its name. */
	type(id: number): ResourceFacts {
		let facts = this.types.get(id);
		if (facts === undefined) {
			facts = resourceFacts(this.strings.get(id) ?? '');
			this.types.set(id, facts);
		}
		return facts;
	}
}
