// Where did this start? That is asked once for each start: the predictor's trees foretell the site, or the stack is read. With the site comes whether
// the start goes on with the running operation, and on which line it is shown.
import type { Kind } from '../kinds.ts';
import type { Entry, KeptStack } from '../process/own-realm.ts';
import { withUser } from './derived-sites.ts';
import { need, Predictor } from './predictor.ts';
import { CONTINUED, type Site } from './site.ts';
import type { StackReader } from './stack-reader.ts';
import type { StartNode, Step } from './start-tree.ts';

/** What is asked of the operation whose callback, or whose drain, runs. */
interface Running {
	/** 0 for carriers. */
	readonly id: number;
	readonly root: number;
	readonly site: Site;
	readonly kind: Kind;
	previous: Site;
	/** Sockets of clients only. */
	readonly peer: object | null;
}

/** Times what is rare and long. */
interface RareTimer {
	beginRare(): number;
	endRare(began: number): void;
}

export class Attribution<Operation extends Running> {
	/** Whose callback, or whose drain, runs now: what starts is started by it. */
	current: Operation;
	/** Where the predictor stands in it: null past its limits, undefined until somebody asks, for most callbacks start nothing. */
	node: StartNode | null | undefined = null;
	/** What predicted the tick that runs, if one does: its site matters once something inherits it. */
	origin: Step | null = null;
	/** What predicted the last start, and whether that start goes on with the running operation. */
	step: Step | null = null;
	isStep = false;
	/** The first site of a user's line in the running top-level callback. */
	hint: Site | null = null;
	/** Whether the running callback serves a request whose line is that of its handler, which is not known yet. */
	isHandlerSought = false;
	/** Whether the socket's callback that runs, or ran last, goes on with several lines at once. */
	isMixed = false;
	readonly predictor = new Predictor();
	private readonly callbackTrees = this.predictor.callbacks;
	private readonly carrierTrees = this.predictor.carriers;
	private trees = this.callbackTrees;
	/** The first operation that the running carrier started, or 0. */
	private carriedRoot = 0;
	private readonly reader: StackReader;
	private readonly timer: RareTimer;
	private readonly onCapture: () => void;
	private readonly stack: { readonly depth: number };

	/**
	 * @param main what runs now
	 * @param onCapture is called after each capture
	 * @param stack how many callbacks are on it; none in the drain
	 */
	constructor(
		main: Operation,
		reader: StackReader,
		timer: RareTimer,
		onCapture: () => void,
		stack: { readonly depth: number },
	) {
		this.current = main;
		this.reader = reader;
		this.timer = timer;
		this.onCapture = onCapture;
		this.stack = stack;
	}

	/** From here on, what is started is started by this operation. @param origin what predicted the tick that runs, if one does */
	enter(operation: Operation, isCarrier: boolean, origin: Step | null): void {
		this.current = operation;
		this.carriedRoot = 0;
		this.trees = isCarrier ? this.carrierTrees : this.callbackTrees;
		this.node = undefined;
		this.origin = origin;
	}

	/** A callback goes on in which another one ran. @param node where the predictor stood in it @param origin see `enter` */
	resume(operation: Operation, isCarrier: boolean, node: StartNode | null | undefined, origin: Step | null): void {
		this.current = operation;
		this.trees = isCarrier ? this.carrierTrees : this.callbackTrees;
		this.node = node;
		this.origin = origin;
	}

	/** The running callback serves a request. @param url only distinguishes routes; it goes nowhere else */
	followRoute(url: string): void {
		this.node = this.predictor.nodes.routeOf(this.nodeNow(), url);
	}

	/**
	 * The running callback of a socket goes on with what was answered. Which lines go on after several answers, and in which order, is chance:
	 * that is a tree of its own.
	 */
	followAnswer({ site, previous }: Running, kind: Kind, isMixed: boolean): void {
		this.node = this.callbackTrees.root(site, kind.index, isMixed ? CONTINUED : previous);
	}

	/**
	 * The site of what starts now; `isStep` is about it then.
	 * @param entry the tracer's outermost function on the stack, if it is known
	 * @param mayTrust whether it may be as it was predicted
	 */
	locate(kind: Kind, entry?: Entry, mayTrust = true): Site {
		const from = this.nodeNow();
		const step = from === null ? undefined : from.next(kind);
		const isKnown =
			step !== undefined && step.untilVerify > 0 && mayTrust && !(this.isMixed && this.isByChance(kind, step));
		const site = isKnown ? this.trust(step) : this.verify(from, step, kind, entry);
		if (from !== null && from.depth === 0 && this.current.peer === null) this.current.previous = site;
		if (this.hint === null && site.user !== null) {
			this.hint = site;
			need(this.step);
		}
		this.isStep = this.isStepOfCurrent(site);
		return site;
	}

	/** The site of a start whose stack was kept; `isStep` is about it then. */
	locateKept(kind: Kind, stack: KeptStack): Site {
		const site = this.reader.siteOfKept(kind, stack);
		this.isStep = this.isStepOfCurrent(site);
		return site;
	}

	/** The site of what starts now, from the stack and not as predicted. @param frames how many will probably do */
	capture(kind: Kind, entry?: Entry, frames?: number): Site {
		const began = this.timer.beginRare();
		const site = this.reader.capture(kind, entry, frames, this.isHandlerSought && this.hint === null);
		this.onCapture();
		this.timer.endRare(began);
		return site;
	}

	/** The capture that is being made, if there is one, is to be made again. */
	captureAgain(): void {
		this.reader.captureAgain();
	}

	/**
	 * The site with the line that it is shown on: what a library starts by itself is on that of the callback that runs. After it, in the
	 * drain, V8's stack leads on to the line that awaits; where it does not, any line's continuation may have called the library meanwhile.
	 */
	shown(captured: Site): Site {
		return withUser(captured, this.stack.depth === 0 ? null : this.current.site.user);
	}

	/** The logical operation of a step of the running one: the first thing that a carrier's callback starts is what its line started. */
	rootOf(stepId: number): number {
		const { current } = this;
		if (current.id !== 0) return current.root;
		if (this.carriedRoot === 0) this.carriedRoot = stepId;
		return this.carriedRoot;
	}

	/** Where the predictor stands in what runs; null past its limits. */
	nodeNow(): StartNode | null {
		const { site, kind, previous } = this.current;
		if (this.node === undefined) this.node = this.trees.root(site, kind.index, previous);
		return this.node;
	}

	/** Which of several lines goes on there nobody can foretell. What Node does in between, and what only carries an origin, is on none. */
	private isByChance(kind: Kind, step: Step): boolean {
		return this.current.peer !== null && kind.role === 'operation' && step.site.user !== null;
	}

	private trust(step: Step): Site {
		step.untilVerify--;
		this.step = step;
		this.node = step.after;
		return step.site;
	}

	private verify(from: StartNode | null, known: Step | undefined, kind: Kind, entry: Entry | undefined): Site {
		const { predictor, reader } = this;
		const site = this.capture(kind, entry, predictor.framesFor(from, known, kind));
		this.step = predictor.learn(from, known, kind, site, reader.framesNeeded);
		this.node = predictor.after;
		return site;
	}

	/**
	 * Whether what starts now goes on with the running operation. Where an asynchronous function of Node is resumed, that is so
	 * when the operation belongs to the same module or to the line that awaits: the line alone would not do, for the awaiting
	 * one may stand far above the one that called.
	 */
	private isStepOfCurrent(site: Site): boolean {
		if (site === CONTINUED) return true;
		if (!site.isAwaited) return false;
		const { user, api } = this.current.site;
		if (api !== null && api.script === site.api?.script) return true;
		return user !== null && user.script === site.user?.script && user.line === site.user.line;
	}
}
