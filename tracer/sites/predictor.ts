// Spares most stack captures: within the callback of one operation the same sequence of starts comes from the same
// lines. A tree of what started after what, per running operation, predicts the next site. A prediction is trusted
// after CONFIRMATIONS equal captures, verified from time to time afterwards, and given up once it has been wrong twice.
import type { Kind } from '../process/kinds.ts';
import type { Site } from './site.ts';
import { Nodes, type StartNode, type Step, Trees } from './start-tree.ts';

/** Equal captures before a site is trusted: with 8, up to 0.64 % of a mixed load's lines came out wrong; with 16, none. */
const CONFIRMATIONS = 16;
/**
 * The same where a loop may end: its last turn looks like all those before, and what follows the loop, perhaps once
 * only, would be on its line. Most loops have fewer turns. A loop of the user's is trusted only when time is short.
 */
const LOOP_CONFIRMATIONS = 1024;
/** A loop with longer turns is never trusted, as a capture in 10 ms costs nothing that could be measured. */
export const SLOW_TURN_US = 10_000;
/**
 * A trusted site is verified at one start in 64 or, where that is rarer, at one in a 256th of the starts for which it
 * was right, but never at less than one in VERIFY_MOST. So a callback that changes its ways leaves at most 63
 * operations, or 0.4 % of the step's, on the old line. A newly trusted site is verified after 7 starts, and then after
 * as many as it has been right for: where two lines start the same thing in random order, 16 equal captures prove
 * little.
 */
const VERIFY_EVERY = 64;
const VERIFY_FIRST = 8;
const VERIFY_SHARE = 256;
const VERIFY_MOST = 1024;
/**
 * Past the tree's depth a loop may end and another one begin that starts the same. So there a site is trusted only where a capture is dear, because a library
 * lies between, and only after that many; and it is always verified after 7 starts: what follows a loop has at most 7 on the loop's line, or 0.2 % of the loop's.
 */
const LONG_LOOP_CONFIRMATIONS = 4096;
/** A user's line that itself calls Node is among fewer frames. */
const DEAR_FRAMES = 8;
/** The same for a tick whose origin nothing has needed yet: the first thing that needs it makes it an ordinary step. */
const VERIFY_UNNEEDED_EVERY = 8192;
/** Wrong predictions after which a step is given up, until very many captures in a row agree: then something has changed for good. */
const MISSES = 2;
/**
 * Equal captures after which a step that was given up is trusted again; twice the number after each further miss, up to eight times. Where one start in a hundred is another line's, 512 agree once in 170 times, and
 * 4096 never; where it is one in a thousand, 4096 agree once in 60 times, and a thousandth is then wrong.
 */
const RETRY_CONFIRMATIONS = 512;
const MOST_DOUBLINGS = 3;

export class Predictor {
	/**
	 * The factor by which verifications are rarer: that saves time, at the price of as many times more operations on an
	 * old line.
	 */
	rarer = 1;
	/** The node that follows the start learned last; null past its limits. */
	nodeAfter: StartNode | null = null;
	readonly nodes = new Nodes();
	/** Trees of what starts in the callbacks of operations. */
	readonly callbacks = new Trees(this.nodes);
	/** Trees of what starts in carriers: a carrier that shares another operation's entry needs its own. */
	readonly carriers = new Trees(this.nodes);
	/** By kind: the most frames that a capture outside the trees has needed. */
	private readonly mostFrames: (number | undefined)[] = [];

	/** From now on predictions are verified less often, by this factor. */
	verifyRarer(factor: number): void {
		this.rarer = factor;
	}

	/**
	 * How many frames of the stack will probably suffice for a start of that kind; undefined where that is unknown.
	 * @param node the tree's current node, null where there is none
	 * @param step what is known about it there
	 */
	framesFor(node: StartNode | null, step: Step | undefined, kind: Kind): number | undefined {
		return node === null ? this.mostFrames[kind.index] : step?.frames;
	}

	/**
	 * Learns from the captured site of a start. Afterwards `nodeAfter` is the next node.
	 * @param step what was known about it at that node
	 * @param frames how many the capture has needed
	 * @returns the step that predicts the site from now on; null where the tree has no node
	 */
	learn(node: StartNode | null, step: Step | undefined, kind: Kind, site: Site, frames: number): Step | null {
		if (node === null) {
			this.mostFrames[kind.index] = Math.max(this.mostFrames[kind.index] ?? 0, frames);
			this.nodeAfter = null;
			return null;
		}
		if (step === undefined) return this.learnNew(node, kind, site, frames);
		// Those that it was to predict until then and did not.
		step.hits -= step.untilVerify;
		step.untilVerify = 0;
		if (site === step.site) this.confirm(step, frames, node);
		else this.miss(step, site, node);
		return step;
	}

	private learnNew(node: StartNode, kind: Kind, site: Site, frames: number): Step {
		const step = {
			kind,
			site,
			untilVerify: 0,
			nodeAfter: this.nodes.nodeAfter(site, node.depth + 1),
			mayEndLoop: false,
			capturedAt: 0,
			isNeeded: kind.role === 'operation',
			confirmations: 1,
			hits: 0,
			misses: 0,
			frames,
			rival: null,
			others: null,
		};
		node.learn(step);
		this.nodeAfter = step.nodeAfter;
		return step;
	}

	private confirm(step: Step, frames: number, { isLong }: StartNode): void {
		step.frames = frames;
		this.nodeAfter = step.nodeAfter;
		step.rival = null;
		if (isLong && frames < DEAR_FRAMES) return;
		if (++step.confirmations >= enough(step, isLong)) {
			step.untilVerify = (isLong ? this.rarer * VERIFY_FIRST : this.verifyEvery(step)) - 1;
			step.hits += step.untilVerify;
		}
	}

	private miss(step: Step, site: Site, node: StartNode): void {
		step.misses++;
		step.confirmations = 0;
		step.hits = 0;
		step.others ??= new Map();
		let after = step.others.get(site);
		if (after === undefined) {
			after = this.nodes.nodeAfter(site, node.depth + 1);
			step.others.set(site, after);
		}
		this.nodeAfter = after;
		if (step.rival === site) {
			step.others.set(step.site, step.nodeAfter);
			step.site = site;
			step.nodeAfter = after;
		}
		step.rival = site;
	}

	private verifyEvery({ isNeeded, hits }: Step): number {
		if (!isNeeded) return this.rarer * VERIFY_UNNEEDED_EVERY;
		const first = Math.min(VERIFY_EVERY, Math.max(VERIFY_FIRST, hits));
		return this.rarer * Math.min(VERIFY_MOST, Math.max(first, Math.floor(hits / VERIFY_SHARE)));
	}
}

/** Equal captures before the step's site is trusted. @param isLong whether it is beyond the tree's depth */
function enough({ mayEndLoop, misses }: Step, isLong: boolean): number {
	const first = isLong ? LONG_LOOP_CONFIRMATIONS : mayEndLoop ? LOOP_CONFIRMATIONS : CONFIRMATIONS;
	return misses < MISSES ? first : Math.max(first, RETRY_CONFIRMATIONS << Math.min(misses - MISSES, MOST_DOUBLINGS));
}

/** From now on the step's site matters: it is verified as often as any other, beginning with the next start. */
export function need(step: Step | null): void {
	if (step === null || step.isNeeded) return;
	step.isNeeded = true;
	step.untilVerify = 0;
	// Errors in the earlier predictions would have gone unnoticed.
	step.hits = 0;
}
