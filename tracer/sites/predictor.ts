// Spares most stack captures: within the callback of one operation the same sequence of starts comes from the same
// lines. A tree of what started after what, per running operation, foretells the next site; a foretelling is trusted after
// CONFIRMATIONS equal captures, verified ever after, and given up when it was wrong twice.
import type { Kind } from '../kinds.ts';
import { framesRead, type Site } from './sites.ts';

/** Equal captures before a site is trusted: with 8, up to 0.64 % of a mixed load's lines came out wrong; with 16, none. */
const CONFIRMATIONS = 16;
/**
 * One in so many verifies a trusted site, or one in a 256th of all that it was right for, up to the most: a callback that changes its
 * ways has fewer operations than that on the old line, so no more than 63 or 0.4 % of the step's. A site that is trusted anew is
 * verified after 7, and then after as many as it was right for: where two lines start the same in turn as chance has it, 16 equal captures
 * prove little.
 */
const VERIFY_EVERY = 64;
const VERIFY_FIRST = 8;
const VERIFY_SHARE = 256;
const VERIFY_MOST = 1024;
/** The same for a tick whose origin nothing has needed yet: it becomes one of the others with the first thing that does. */
const VERIFY_UNNEEDED_EVERY = 8192;
let rarer = 1;

/** From now on so many times fewer verifications: to save time, for the price of as many more operations on an old line. */
export function verifyRarer(times: number): void {
	rarer = times;
}

const MISSES = 2;
/**
 * Longer sequences and more nodes than this are captured one by one: what comes after a long loop cannot be told from its length.
 * A node takes about 100 bytes.
 */
const DEPTH = 64;
const NODES = 8192;

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
		nodes++;
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

	/** Where the callback of such an operation begins; null past the limits. */
	root(site: Site, kind: number, previous: Site): Place | null {
		const roots = this.bySite[site.id]?.[kind] ?? this.newRoots(site, kind);
		if (roots.previous !== previous) turnTo(roots, previous);
		return roots.place;
	}

	private newRoots(site: Site, kind: number): Roots {
		const roots = { byPrevious: new Map<Site, Place>(), previous: null, place: null };
		this.bySite[site.id] ??= [];
		this.bySite[site.id]![kind] = roots;
		return roots;
	}
}

interface Roots {
	readonly byPrevious: Map<Site, Place>;
	/** What was asked for last, and its place. */
	previous: Site | null;
	place: Place | null;
}

function turnTo(roots: Roots, previous: Site): void {
	roots.place = roots.byPrevious.get(previous) ?? newRoot(roots, previous);
	roots.previous = previous;
}

function newRoot({ byPrevious }: Roots, previous: Site): Place | null {
	if (nodes >= NODES) return null;
	const place = new Place(0);
	byPrevious.set(previous, place);
	return place;
}

/** Routes kept per place; more have their ids in a form that `routeOf` does not know. */
const ROUTES = 200;
/** Longer URLs are not kept. */
const URL_LENGTH = 200;

/**
 * The place of a served request by its route, for what a handler starts follows from that: the path's first parts, without numbers.
 * Two routes that look alike here are told apart by captures, as without.
 */
export function routeOf(place: Place | null, url: string): Place | null {
	if (place === null) return null;
	place.urls ??= new Map();
	let route = place.urls.get(url);
	if (route === undefined) {
		route = routeAt(place, url);
		if (place.urls.size < ROUTES && url.length <= URL_LENGTH) place.urls.set(url, route);
	}
	return route;
}

function routeAt(place: Place, url: string): Place {
	const path = ROUTE.exec(url)?.[0].replace(/\d+/g, '#') ?? '';
	place.routes ??= new Map();
	let route = place.routes.get(path);
	if (route === undefined) {
		if (place.routes.size >= ROUTES || nodes >= NODES) return place;
		route = new Place(place.depth);
		place.routes.set(path, route);
	}
	return route;
}
const ROUTE = /^(\/[^/?#]{0,32}){1,3}/;

let nodes = 0;

export interface Foretold {
	site: Site;
	/** Where the tree goes on; null past its limits. */
	place: Place | null;
	/** What the site is known by; null where the tree has no place. */
	step: Step | null;
}

/** Reads the stack for the site. @param frames how many frames will probably do */
export type Capture = (kind: Kind, frames?: number) => Site;

/** By kind: the most frames that a capture without a place has needed. */
const mostFrames: (number | undefined)[] = [];

/** One object for all answers: this is called for every operation. */
const answer = {} as Foretold;

/**
 * The site of a start of that kind at that place, captured only where it must be. The answer is valid until the next call.
 * @param place where the tree stands, null where there is none
 */
export function foretell(place: Place | null, kind: Kind, capture: Capture): Foretold {
	if (place === null) {
		answer.site = capture(kind, mostFrames[kind.index]);
		mostFrames[kind.index] = Math.max(mostFrames[kind.index] ?? 0, framesRead());
		answer.place = null;
		answer.step = null;
		return answer;
	}
	let step = place.next(kind);
	if (step === undefined) {
		const site = capture(kind);
		step = {
			kind,
			site,
			untilVerify: 0,
			after: deeper(place),
			isNeeded: kind.role === 'operation',
			confirmations: 1,
			foretold: 0,
			misses: 0,
			frames: framesRead(),
			others: null,
		};
		place.learn(step);
		answer.site = site;
		answer.place = step.after;
		answer.step = step;
		return answer;
	}
	const site = capture(kind, step.frames);
	answer.step = step;
	answer.site = site;
	if (site === step.site) {
		step.frames = framesRead();
		if (++step.confirmations >= CONFIRMATIONS && step.misses < MISSES) {
			step.untilVerify = verifyEvery(step) - 1;
			step.foretold += step.untilVerify;
		}
		answer.place = step.after;
		return answer;
	}
	step.misses++;
	step.confirmations = 0;
	step.foretold = 0;
	step.others ??= new Map();
	let after = step.others.get(site);
	if (after === undefined) {
		after = deeper(place);
		step.others.set(site, after);
	}
	answer.place = after;
	return answer;
}

function verifyEvery({ isNeeded, foretold }: Step): number {
	if (!isNeeded) return rarer * VERIFY_UNNEEDED_EVERY;
	const first = Math.min(VERIFY_EVERY, Math.max(VERIFY_FIRST, foretold));
	return rarer * Math.min(VERIFY_MOST, Math.max(first, Math.floor(foretold / VERIFY_SHARE)));
}

/** From now on the step's site matters: it is verified as often as any, beginning with the next. */
export function need(step: Step | null): void {
	if (step === null || step.isNeeded) return;
	step.isNeeded = true;
	step.untilVerify = 0;
	// What it was right for so far, nobody would have seen.
	step.foretold = 0;
}

function deeper(place: Place): Place | null {
	return place.depth < DEPTH && nodes < NODES ? new Place(place.depth + 1) : null;
}
