// Where did this start? Asked once for each start: the predictor's trees predict the site, or the stack is read. The
// site also determines whether the start continues the running operation, and on which line it is shown.
import type { Kind } from '../process/kinds.ts';
import type { EntryFunction, KeptStack } from '../process/stacks.ts';
import { functionSite, withUser } from './derived-sites.ts';
import { need, Predictor, SLOW_TURN_US } from './predictor.ts';
import { CONTINUED, type Position, type Site } from './site.ts';
import type { StackReader } from './stack-reader.ts';
import { type StartNode, type Step, TURNS } from './start-tree.ts';

/** Each makes sites of its own, and so do paths with names in them. */
const MOST_ROUTES = 64;

/** What attribution needs of the operation whose callback or drain runs. */
interface RunningOperation {
	/** 0 for carriers. */
	readonly id: number;
	/** The first step of the logical operation that it is a step of; its own id when it is the first. */
	readonly parent: number;
	readonly site: Site;
	readonly kind: Kind;
	previous: Site;
	readonly turn: number;
	/** Sockets of clients only. */
	readonly peer: object | null;
}

/** Times what is rare and long. */
interface RareTimer {
	beginRare(): number;
	endRare(began: number): void;
}

/** Other parts see it as `Readonly`: they read fields that only its own methods write. */
export class Attribution<Operation extends RunningOperation> {
	/** The operation whose callback or drain runs now: it starts whatever starts. */
	current: Operation;
	/**
	 * The predictor's node in it: null past its limits, undefined until it is needed, since most callbacks start nothing.
	 */
	nextNode: StartNode | null | undefined = null;
	/** What predicted the running tick, if a tick runs: its site matters once something inherits it. */
	origin: Step | null = null;
	/** What predicted the last start; together with `isStep`, whether that start continues the running operation. */
	step: Step | null = null;
	isStep = false;
	/** Whether no line of the program's has started an operation in the running callback yet, or in this part of it. */
	private isFirst = true;
	/** The first site of a user's line in the running top-level callback. */
	hint: Site | null = null;
	/** The site whose handler a router has called last in the running callback. */
	private routed: Site | null = null;
	/** Whether the running callback serves a request whose line is its handler's, which is not known yet. */
	private isHandlerSought = false;
	/**
	 * Of the request that the running top-level callback serves, with its drain, its method, unless that is GET, and the first parts of its path: they only distinguish
	 * routes and are not recorded. Empty where there is none.
	 */
	private route = '';
	/** The route of the latest request over a connection: its handler may begin, or go on, in later callbacks, as when a body has arrived. */
	private readonly served = new WeakMap<Operation, string>();
	/** The numbers of the first routes that were asked for. */
	private readonly routes = new Map<string, number>();
	/** Whether the socket callback that runs, or ran last, continues several lines at once. */
	private isMixed = false;
	private readonly predictor = new Predictor();
	private readonly callbackTrees = this.predictor.callbacks;
	private readonly carrierTrees = this.predictor.carriers;
	private trees = this.callbackTrees;
	/** The first operation that the running carrier started, or 0. */
	private carriedRoot = 0;
	readonly reader: StackReader;
	private readonly timer: RareTimer;
	private readonly onCapture: () => void;
	private readonly onHandler: (from: Site) => void;
	private readonly stack: { readonly depth: number };
	private readonly run: { readonly began: number };

	/**
	 * @param main the operation that runs now
	 * @param onCapture is called after each capture
	 * @param onHandler is called when a router's handler starts something, another one than before in the running callback
	 * @param stack its `depth` is the number of callbacks on it; 0 in the drain
	 * @param run `began` is when the run of the top-level callback began, in µs
	 */
	constructor(
		main: Operation,
		reader: StackReader,
		timer: RareTimer,
		onCapture: () => void,
		onHandler: (from: Site) => void,
		stack: { readonly depth: number },
		run: { readonly began: number },
	) {
		this.current = main;
		this.reader = reader;
		this.timer = timer;
		this.onCapture = onCapture;
		this.onHandler = onHandler;
		this.stack = stack;
		this.run = run;
	}

	/** A top-level callback begins that is a run of its own. */
	beginRun(): void {
		this.hint = this.routed = null;
		this.route = '';
	}

	/**
	 * From here on this operation starts whatever starts.
	 * @param origin what predicted the running tick, if a tick runs
	 */
	enter(operation: Operation, isCarrier: boolean, origin: Step | null): void {
		this.carriedRoot = 0;
		if (operation.kind.isServer && !isCarrier) this.route = this.served.get(operation) ?? '';
		this.resume(operation, isCarrier, undefined, origin);
	}

	/**
	 * A callback within which another one ran continues.
	 * @param node the predictor's node in it
	 * @param origin see `enter`
	 */
	resume(operation: Operation, isCarrier: boolean, node: StartNode | null | undefined, origin: Step | null): void {
		this.current = operation;
		this.trees = isCarrier ? this.carrierTrees : this.callbackTrees;
		this.nextNode = node;
		this.origin = origin;
		this.isFirst = true;
	}

	/** Operations of many lines share the entry of the running one: what one of them starts does not predict what the next one starts. */
	predictNothing(): void {
		this.nextNode = null;
	}

	/** The factor by which predictions are verified less often (predictor.ts). */
	verifyRarer(factor: number): void {
		this.predictor.verifyRarer(factor);
	}

	/** Something inherits the running operation's site: where that is a tick's, what predicted it matters. */
	needOrigin(): void {
		need(this.origin);
	}

	/** The running callback serves a request, and so do its drain and the next callbacks of the same connection. @param url behind the method, unless that is GET */
	followRoute(url: string): void {
		const { nodes } = this.predictor;
		// The request before it over that connection is answered.
		this.route = '';
		const node = this.nodeNow();
		this.route = nodes.pathOf(url);
		this.nextNode = nodes.routeOf(node, this.route);
		this.served.set(this.current, this.route);
	}

	/** The number of the route that is asked for; 0 where there is none, and for all behind the first ones. */
	private numberOfRoute(): number {
		const { route, routes } = this;
		if (route === '') return 0;
		let number = routes.get(route);
		if (number === undefined) {
			if (routes.size >= MOST_ROUTES) return 0;
			number = routes.size + 1;
			routes.set(route, number);
		}
		return number;
	}

	/** The running callback serves a request whose line is its handler's. */
	seekHandler(): void {
		need(this.origin);
		this.isHandlerSought = true;
	}

	/** Nothing more belongs to that request. @returns where its handler started something first; null where it has started nothing */
	endHandlerSearch(): Site | null {
		this.isHandlerSought = false;
		return this.hint;
	}

	/** What blocks in the rest of the run is shown at the function that started something first, and not on the line. */
	hintAtFunction(): void {
		if (this.hint !== null) this.hint = functionSite(this.hint);
	}

	/**
	 * The running callback of a socket continues what was answered. Which lines continue after several answers, and in
	 * which order, is chance: such callbacks have a tree of their own.
	 * @param oldest what was asked first; undefined where nothing was
	 */
	followAnswer(oldest: RunningOperation | undefined, kind: Kind, isMixed: boolean): void {
		this.isMixed = isMixed;
		if (oldest === undefined) return;
		const { site, previous } = oldest;
		this.nextNode = this.callbackTrees.root(site, kind.index, isMixed ? CONTINUED : previous);
	}

	/**
	 * The site of what starts now; afterwards `isStep` refers to it.
	 * @param entry the tracer's outermost function on the stack, if it is known
	 * @param mayTrust whether the prediction may be used
	 */
	locate(kind: Kind, entry?: EntryFunction, mayTrust = true): Site {
		const from = this.nodeNow();
		const step = from === null ? undefined : from.next(kind);
		const isKnown =
			step !== undefined &&
			step.untilVerify > 0 &&
			mayTrust &&
			!(this.isMixed && this.isByChance(kind, step)) &&
			!this.mayEndOperation(kind) &&
			!(step.mayEndLoop && this.isCheap(step));
		const site = isKnown ? this.trust(step) : this.verify(from, step, kind, entry);
		if (kind.role === 'operation' && site.user !== null && !site.isAwaited) this.isFirst = false;
		if (from !== null && from.depth === 0 && this.current.peer === null) this.current.previous = site;
		if (this.hint === null && site.user !== null) {
			this.hint = site;
			need(this.step);
		}
		if (site.caller !== null) this.noteHandler(site);
		this.isStep = this.isStepOfCurrent(site);
		return site;
	}

	/** A source has captured, or located, where something begins to wait: as a start does, that shows which line runs. */
	noteWait(site: Site): void {
		if (site.user === null) need(this.origin);
		else this.hint ??= site;
		this.noteHandler(site);
	}

	/** Something starts there: by a router's handler, and by another one than before in the running callback? */
	private noteHandler(site: Site): void {
		const { routed } = this;
		if (site.caller === null || site.handler === routed?.handler) return;
		if (routed !== null && this.reader.isAround(site.handler!, routed.handler!)) return;
		this.routed = site;
		need(this.step);
		this.onHandler(site);
	}

	/** The site of a start whose stack was kept; afterwards `isStep` refers to it. */
	locateKept(kind: Kind, stack: KeptStack): Site {
		const site = this.reader.siteOfKept(kind, stack);
		this.isStep = this.isStepOfCurrent(site);
		return site;
	}

	/**
	 * The site of what starts now, from the stack and not as predicted.
	 * @param isOfWaiter whether it is another request's than the running callback's: its handler is sought too
	 * @param frames how many will probably suffice
	 */
	capture(kind: Kind, isOfWaiter = false, entry?: EntryFunction, frames?: number): Site {
		const began = this.timer.beginRare();
		const isSought = !isOfWaiter && this.isHandlerSought && this.hint === null;
		const route = isSought ? this.numberOfRoute() : 0;
		const site = this.reader.capture(kind, entry, frames, isSought || isOfWaiter, route);
		this.onCapture();
		this.timer.endRare(began);
		return site;
	}

	/** See StackReader. */
	resumed(): Position | null {
		const began = this.timer.beginRare();
		const handler = this.reader.resumed();
		this.timer.endRare(began);
		return handler;
	}

	/** A capture that is under way is repeated when it ends. */
	captureAgain(): void {
		this.reader.captureAgain();
	}

	/**
	 * The site with the line that it is shown on: what a library starts by itself is shown on the line whose callback
	 * runs. After the callback, in the drain, V8's stack reaches the line that awaits; where it does not, the library
	 * may have been called by any line's continuation.
	 */
	shown(captured: Site): Site {
		return withUser(captured, this.stack.depth === 0 ? null : this.current.site.user);
	}

	/**
	 * The logical operation of a step of the running one. A carrier has none of its own: the first thing that its
	 * callback starts is what its line started.
	 */
	rootOf(stepId: number): number {
		const { current } = this;
		if (current.id !== 0) return current.parent;
		if (this.carriedRoot === 0) this.carriedRoot = stepId;
		return this.carriedRoot;
	}

	/** The predictor's node in what runs; null past its limits. */
	nodeNow(): StartNode | null {
		const { site, kind, previous, turn } = this.current;
		if (this.nextNode === undefined) {
			const { predictor, route } = this;
			this.nextNode = this.trees.root(site, kind.index, previous, turn);
			if (route !== '') this.nextNode = predictor.nodes.routeOf(this.nextNode, route);
		}
		return this.nextNode;
	}

	/**
	 * Which of several lines continues there is unpredictable. What Node does in between, and what only carries an
	 * origin, is on none of them.
	 */
	private isByChance(kind: Kind, step: Step): boolean {
		return this.current.peer !== null && kind.role === 'operation' && step.site.user !== null;
	}

	private trust(step: Step): Site {
		step.untilVerify--;
		this.step = step;
		this.nextNode = step.nodeAfter;
		return step.site;
	}

	private verify(from: StartNode | null, known: Step | undefined, kind: Kind, entry: EntryFunction | undefined): Site {
		const { predictor, reader } = this;
		const site = this.capture(kind, false, entry, predictor.framesFor(from, known, kind));
		const step = predictor.learn(from, known, kind, site, reader.framesNeeded);
		if (step !== null) {
			step.mayEndLoop = this.mayEndLoop(kind, step.site);
			step.capturedAt = this.run.began;
		}
		this.step = step;
		this.nextNode = predictor.nodeAfter;
		return site;
	}

	/**
	 * Whether the running operation may be over instead of starting its next step. Of its first steps each has a tree of its own, where that shows. Its many later
	 * ones share one: that a hundred of them started another says nothing about the next, and what follows the operation would be lost as a step of it. Unless time is
	 * short, these are captured, which costs some 10 µs for a read of 40 to 100.
	 */
	private mayEndOperation({ role }: Kind): boolean {
		return role === 'operation' && this.current.turn === TURNS - 1 && this.predictor.rarer === 1;
	}

	/** Whether a capture in each turn of a loop costs little: a line of the user's is among few frames, unless time is short; and where turns are long, nothing could be measured. */
	private isCheap({ site, capturedAt }: Step): boolean {
		return (site.user !== null && this.predictor.rarer === 1) || this.run.began - capturedAt > SLOW_TURN_US;
	}

	/**
	 * Whether a loop may end instead of starting that again: its line is not behind the one that was waited for. What a
	 * server hands out is no loop's. Where a turn starts several at once, as with `Promise.all`, the first one shows whether there is another turn.
	 * A program may itself be a package: so lines of libraries count where there is none of the user's.
	 */
	private mayEndLoop({ role }: Kind, { user, library, isAwaited }: Site): boolean {
		const { kind, site } = this.current;
		const waited = site.user ?? site.library;
		const line = user ?? library;
		return (
			role === 'operation' &&
			this.isFirst &&
			!isAwaited &&
			!kind.isServer &&
			line !== null &&
			line.script === waited?.script &&
			line.line <= waited.line
		);
	}

	/**
	 * Whether what starts now continues the running operation. Where an asynchronous function of Node's resumes, it
	 * does when the operation belongs to the same module or to the line that awaits. The line alone is not enough: the
	 * awaiting line may be far above the one that called.
	 */
	private isStepOfCurrent(site: Site): boolean {
		if (site === CONTINUED) return true;
		if (!site.isAwaited) return false;
		const { user, api } = this.current.site;
		if (api !== null && api.script === site.api?.script) return true;
		return user !== null && user.script === site.user?.script && user.line === site.user.line;
	}
}
