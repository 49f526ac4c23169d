// What started after what: a tree of starts for each running operation, from which the predictor foretells the next start's site.
import type { Kind } from '../kinds.ts';
import { match } from '../process/patterns.ts';
import type { Site } from './site.ts';

/**
 * Longer sequences and more nodes than this are captured one by one: what comes after a long loop cannot be told from its length.
 * A node takes about 100 bytes.
 */
const DEPTH = 64;
const NODES = 8192;

/** Routes kept per place; more have their ids in a form that `routeOf` does not know. */
const ROUTES = 200;
/** Longer URLs are not kept. */
const URL_LENGTH = 200;

/** Written as `#`: routes differ in it from request to request. */
const NUMBER = /\d+/;
const ROUTE = /^(\/[^/?#]{0,32}){1,3}/;

/** A place in the tree: the starts so far in the running callback. */
export class Place {
	/** What came next first: for most places the only step. Null when nothing did yet. */
	first: Step | null = null;
	/** The steps of other kinds. */
	private others: (Step | undefined)[] | null = null;
	readonly depth: number;
	/** Places after this one by the route that a request takes, and by the URL of some; null where no request was served. */
	routes: Map<string, Place> | null = null;
	urls: Map<string, Place> | null = null;

	constructor(depth: number) {
		this.depth = depth;
	}

	/** What is known about the next start of that kind. */
	next(kind: Kind): Step | undefined {
		const { first } = this;
		return first !== null && first.kind === kind ? first : this.others?.[kind.index];
	}

	learn(step: Step): void {
		if (this.first === null) {
			this.first = step;
			return;
		}
		this.others ??= [];
		this.others[step.kind.index] = step;
	}
}

/** What is known about the next start of one kind. */
export interface Step {
	// What each start asks for stands first, in one line of the CPU's cache.
	readonly kind: Kind;
	readonly site: Site;
	untilVerify: number;
	readonly after: Place | null;
	/** Whether anything was shown on this site's line or inherited it: most ticks start nothing. */
	isNeeded: boolean;
	confirmations: number;
	/** Starts that it was foretold for between captures that agreed. */
	foretold: number;
	misses: number;
	/** The frames that had to be read for it. */
	frames: number;
	/** Other sites that were captured here, and what follows them. */
	others: Map<Site, Place | null> | null;
}

/** The roots of the trees: one for each operation's site, its kind, and the first site of its callback before. */
export class Trees {
	/** By the site's id and the kind. */
	private readonly bySite: ((Roots | undefined)[] | undefined)[] = [];
	private readonly nodes: Nodes;

	constructor(nodes: Nodes) {
		this.nodes = nodes;
	}

	/** Where the callback of such an operation begins; null past the limits. */
	root(site: Site, kind: number, previous: Site): Place | null {
		const roots = this.bySite[site.id]?.[kind] ?? this.newRoots(site, kind);
		if (roots.previous !== previous) this.turnTo(roots, previous);
		return roots.place;
	}

	private newRoots(site: Site, kind: number): Roots {
		const roots = { byPrevious: new Map<Site, Place>(), previous: null, place: null };
		this.bySite[site.id] ??= [];
		this.bySite[site.id]![kind] = roots;
		return roots;
	}

	private turnTo(roots: Roots, previous: Site): void {
		roots.place = roots.byPrevious.get(previous) ?? this.newRoot(roots, previous);
		roots.previous = previous;
	}

	private newRoot({ byPrevious }: Roots, previous: Site): Place | null {
		const place = this.nodes.add(0);
		if (place !== null) byPrevious.set(previous, place);
		return place;
	}
}

interface Roots {
	readonly byPrevious: Map<Site, Place>;
	/** What was asked for last, and its place. */
	previous: Site | null;
	place: Place | null;
}

/** Makes the nodes of all trees, as long as there may be more. */
export class Nodes {
	private made = 0;

	/** @param depth how many starts come before it @returns null past the limits */
	add(depth: number): Place | null {
		if (depth > DEPTH || this.made >= NODES) return null;
		this.made++;
		return new Place(depth);
	}

	/**
	 * The place of a served request by its route, for what a handler starts follows from that: the path's first parts, without numbers.
	 * Two routes that look alike here are distinguished by captures, as without.
	 */
	routeOf(place: Place | null, url: string): Place | null {
		if (place === null) return null;
		place.urls ??= new Map();
		let route = place.urls.get(url);
		if (route === undefined) {
			route = this.routeAt(place, url);
			if (place.urls.size < ROUTES && url.length <= URL_LENGTH) place.urls.set(url, route);
		}
		return route;
	}

	private routeAt(place: Place, url: string): Place {
		let path = match(ROUTE, url)?.[0] ?? '';
		for (let found = match(NUMBER, path); found !== null; found = match(NUMBER, path))
			path = path.replace(found[0], '#');
		place.routes ??= new Map();
		const known = place.routes.get(path);
		if (known !== undefined) return known;
		const route = place.routes.size < ROUTES ? this.add(place.depth) : null;
		if (route !== null) place.routes.set(path, route);
		return route ?? place;
	}
}
