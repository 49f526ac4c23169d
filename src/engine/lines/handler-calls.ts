// What a request's handler does for each request first. Where it serves several routes, as `wrap(list)` and `wrap(show)` of a router do, which are one function
// of the program's, or a server's function that looks at the URL itself, they are distinguished by that: put together, their percentiles would describe none of them.
import type { Place } from '../common/place.ts';

/** What a handler itself did on the way to what was started first. */
export interface HandlerCall {
	/** Where. */
	readonly at: Place;
	/** Where the user's function begins that it called there; null where it started something itself. */
	readonly begin: Place | null;
	/** The number of the route that was asked for; 0 where that is unknown. */
	readonly route: number;
}

/** Where one handler's requests are shown. */
export class HandlerCalls {
	/** By what they have called. */
	private readonly members: { changes: number }[] = [];
	/** What each route led to. */
	private readonly byRoute = new Map<number, string>();
	/** The functions that were called in one place. */
	private readonly byPlace = new Map<string, Set<string>>();
	/** Whether one route has led now to one and now to another place, as behind `if (!isCached)`. */
	private isByChance = false;
	/** Whether the routes lead to different places of the handler. */
	private hasRoutes = false;

	/** @param member changes whenever what it is shown on does */
	add(member: { changes: number }, call: HandlerCall): void {
		const { route } = call;
		this.members.push(member);
		const at = placeText(call.at);
		const there = this.byPlace.get(at) ?? new Set();
		if (call.begin !== null) this.byPlace.set(at, there.add(placeText(call.begin)));
		const did = textOf(call);
		this.isByChance ||= route !== 0 && this.byRoute.has(route) && this.byRoute.get(route) !== did;
		// Behind the first ones, any number of routes has none: then it is names that the paths differ in.
		this.byRoute.set(route, did);
		this.hasRoutes = !this.isByChance && !this.byRoute.has(0) && new Set(this.byRoute.values()).size > 1;
		for (const each of this.members) each.changes++;
	}

	/** What distinguishes its requests; null where the handler itself is all that is known. */
	shownBy({ at, begin }: HandlerCall): 'at' | 'begin' | null {
		if (this.isByChance) return null;
		// One call that leads to several functions chooses between them.
		if (begin !== null && this.byPlace.get(placeText(at))!.size > 1) return 'begin';
		return this.hasRoutes ? 'at' : null;
	}
}

export function textOf({ at, begin }: HandlerCall): string {
	return `${placeText(at)} ${begin === null ? '' : placeText(begin)}`;
}

function placeText({ script, line, column }: Place): string {
	return `${line}:${column} ${script}`;
}
