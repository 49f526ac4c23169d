// What started after what: a tree of starts for each running operation, from which the predictor predicts the next start's site.
import type { Kind } from '../process/kinds.ts';
import type { Site } from './site.ts';

/**
 * Beyond this depth only the latest start's site predicts the next one: after a long loop, its length says nothing.
 * Starts beyond this number of nodes are captured one by one. A node takes about 100 bytes.
 */
const DEPTH = 64;
const NODES = 8192;

/** Routes kept per node, and URLs; a program with more has ids in its paths of a form that `pathOf` does not recognise. */
const ROUTES = 200;
/** Longer URLs are not kept. */
const URL_LENGTH = 200;

/** Written as `#`: routes differ in it from request to request. */
const NUMBER = /\d+/;
/** The method, unless that is GET, and the path's first parts. */
const ROUTE = /^[A-Z]*(\/[^/?#]{0,32}){1,3}/;

/** A node of the tree: the starts so far in the running callback. */
export class StartNode {
	/** The step of the kind that came next first: for most nodes the only one. Null while nothing has followed. */
	first: Step | null = null;
	/** The steps of other kinds. */
	private others: (Step | undefined)[] | null = null;
	readonly depth: number;
	/** Nodes after this one by the route that a request takes; null where no request was served. */
	routes: Map<string, StartNode> | null = null;

	constructor(depth: number) {
		this.depth = depth;
	}

	/** What is known about the next start of that kind. */
	next(kind: Kind): Step | undefined {
		const { first } = this;
		return first !== null && first.kind === kind ? first : this.others?.[kind.index];
	}

	/** Whether only the latest start leads to it. */
	get isLong(): boolean {
		return this.depth > DEPTH;
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
	// The fields that each start reads come first, in one line of the CPU's cache.
	readonly kind: Kind;
	site: Site;
	untilVerify: number;
	nodeAfter: StartNode | null;
	/** Whether a loop may end here: then something of the same kind starts on another line, once. */
	mayEndLoop: boolean;
	/** When the run began in which it was captured last, in µs. */
	capturedAt: number;
	/** Whether anything was shown on this site's line or inherited it: most ticks start nothing. */
	isNeeded: boolean;
	confirmations: number;
	/** Starts that it predicted correctly between captures that agreed. */
	hits: number;
	misses: number;
	/** How many frames had to be read for it. */
	frames: number;
	/** The site of the latest capture, when that was another one: captured again, it takes the place of the step's. */
	rival: Site | null;
	/** Other sites that were captured here, and what follows them. */
	others: Map<Site, StartNode | null> | null;
}

/** Steps of an operation from this one on are not distinguished: a long file is read in many. */
export const TURNS = 8;

/** The roots of the trees: one for each operation's site, its kind, which step of its operation it is, and the first site of its callback before. */
export class Trees {
	/** By the site's id, and by kind and turn. */
	private readonly bySite: ((Roots | undefined)[] | undefined)[] = [];
	private readonly nodes: Nodes;

	constructor(nodes: Nodes) {
		this.nodes = nodes;
	}

	/**
	 * Where the callback of such an operation begins; null past the limits.
	 * @param turn which step of its operation it is, below TURNS: what opens a file, reads it, finds its end and closes it differs in nothing else
	 */
	root(site: Site, kind: number, previous: Site, turn = 0): StartNode | null {
		const of = kind * TURNS + turn;
		const roots = this.bySite[site.id]?.[of] ?? this.newRoots(site, of);
		if (roots.previous !== previous) this.turnTo(roots, previous);
		return roots.node;
	}

	private newRoots(site: Site, of: number): Roots {
		const roots = { byPrevious: new Map<Site, StartNode>(), previous: null, node: null };
		this.bySite[site.id] ??= [];
		this.bySite[site.id]![of] = roots;
		return roots;
	}

	private turnTo(roots: Roots, previous: Site): void {
		roots.node = roots.byPrevious.get(previous) ?? this.newRoot(roots, previous);
		roots.previous = previous;
	}

	private newRoot({ byPrevious }: Roots, previous: Site): StartNode | null {
		const node = this.nodes.add(0);
		if (node !== null) byPrevious.set(previous, node);
		return node;
	}
}

interface Roots {
	readonly byPrevious: Map<Site, StartNode>;
	/** The `previous` of the latest call, and its node. */
	previous: Site | null;
	node: StartNode | null;
}

/** Makes the nodes of all trees, up to a limit. */
export class Nodes {
	private made = 0;
	/** The routes of some URLs. */
	private readonly paths = new Map<string, string>();
	/** Nodes beyond the depth, by the id of the site of the start before. */
	private readonly loops: (StartNode | null | undefined)[] = [];

	/** The node after a start at that site. @param depth how many starts come before it @returns null past the limits */
	nodeAfter({ id }: Site, depth: number): StartNode | null {
		if (depth <= DEPTH) return this.add(depth);
		this.loops[id] ??= this.add(depth);
		return this.loops[id];
	}

	/** @param depth how many starts come before it @returns null past the limits */
	add(depth: number): StartNode | null {
		return ++this.made > NODES ? null : new StartNode(depth);
	}

	/** What distinguishes routes in a method and a URL: the path's first parts, without numbers. */
	pathOf(url: string): string {
		const { paths } = this;
		const known = paths.get(url);
		if (known !== undefined) return known;
		let path = ROUTE.exec(url)?.[0] ?? '';
		for (let found = NUMBER.exec(path); found !== null; found = NUMBER.exec(path)) path = path.replace(found[0], '#');
		if (paths.size < ROUTES && url.length <= URL_LENGTH) paths.set(url, path);
		return path;
	}

	/**
	 * The node of a served request by its route, which determines what a handler starts. Two routes that look alike in
	 * their paths are distinguished by captures, as without routes.
	 */
	routeOf(node: StartNode | null, path: string): StartNode | null {
		if (node === null) return null;
		node.routes ??= new Map();
		const known = node.routes.get(path);
		if (known !== undefined) return known;
		const route = node.routes.size < ROUTES ? this.add(node.depth) : null;
		if (route !== null) node.routes.set(path, route);
		return route ?? node;
	}
}
