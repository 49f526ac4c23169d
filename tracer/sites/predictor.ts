// Spares most stack captures: within the callback of one operation the same sequence of starts comes from the same
// lines. A tree of what started after what, per running operation, predicts the next site; a foretelling is trusted after
// CONFIRMATIONS equal captures, verified ever after, and given up when it was wrong twice.
import type { Kind } from '../kinds.ts';
import type { Site } from './site.ts';
import { Nodes, type StartNode, type Step, Trees } from './start-tree.ts';

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
/** Wrong foretellings after which a step is given up. */
const MISSES = 2;

export class Predictor {
	/** So many times fewer verifications: that saves time, for the price of as many more operations on an old line. */
	rarer = 1;
	/** Where the tree goes on after the start that was learned last; null past its limits. */
	after: StartNode | null = null;
	readonly nodes = new Nodes();
	/** Of what starts in the callbacks of operations. */
	readonly callbacks = new Trees(this.nodes);
	/** A carrier that shares another operation's entry has its own trees. */
	readonly carriers = new Trees(this.nodes);
	/** By kind: the most frames that a capture without a node has needed. */
	private readonly mostFrames: (number | undefined)[] = [];

	/**
	 * How many frames of the stack will probably do for a start of that kind; undefined where nobody knows.
	 * @param node where the tree stands, null where there is none
	 * @param step what is known about it there
	 */
	framesFor(node: StartNode | null, step: Step | undefined, kind: Kind): number | undefined {
		return node === null ? this.mostFrames[kind.index] : step?.frames;
	}

	/**
	 * Learns from the captured site of a start. Where the tree goes on is in `after` then.
	 * @param step what was known about it at that node
	 * @param frames how many the capture has needed
	 * @returns what the site is known by from now on; null where the tree has no node
	 */
	learn(node: StartNode | null, step: Step | undefined, kind: Kind, site: Site, frames: number): Step | null {
		if (node === null) {
			this.mostFrames[kind.index] = Math.max(this.mostFrames[kind.index] ?? 0, frames);
			this.after = null;
			return null;
		}
		if (step === undefined) return this.learnNew(node, kind, site, frames);
		if (site === step.site) this.confirm(step, frames);
		else this.miss(step, site, node);
		return step;
	}

	private learnNew(node: StartNode, kind: Kind, site: Site, frames: number): Step {
		const step = {
			kind,
			site,
			untilVerify: 0,
			after: this.nodes.add(node.depth + 1),
			isNeeded: kind.role === 'operation',
			confirmations: 1,
			hits: 0,
			misses: 0,
			frames,
			others: null,
		};
		node.learn(step);
		this.after = step.after;
		return step;
	}

	private confirm(step: Step, frames: number): void {
		step.frames = frames;
		if (++step.confirmations >= CONFIRMATIONS && step.misses < MISSES) {
			step.untilVerify = this.verifyEvery(step) - 1;
			step.hits += step.untilVerify;
		}
		this.after = step.after;
	}

	private miss(step: Step, site: Site, node: StartNode): void {
		step.misses++;
		step.confirmations = 0;
		step.hits = 0;
		step.others ??= new Map();
		let after = step.others.get(site);
		if (after === undefined) {
			after = this.nodes.add(node.depth + 1);
			step.others.set(site, after);
		}
		this.after = after;
	}

	private verifyEvery({ isNeeded, hits }: Step): number {
		if (!isNeeded) return this.rarer * VERIFY_UNNEEDED_EVERY;
		const first = Math.min(VERIFY_EVERY, Math.max(VERIFY_FIRST, hits));
		return this.rarer * Math.min(VERIFY_MOST, Math.max(first, Math.floor(hits / VERIFY_SHARE)));
	}
}

/** From now on the step's site matters: it is verified as often as any, beginning with the next. */
export function need(step: Step | null): void {
	if (step === null || step.isNeeded) return;
	step.isNeeded = true;
	step.untilVerify = 0;
	// What it was right for so far, nobody would have seen.
	step.hits = 0;
}
