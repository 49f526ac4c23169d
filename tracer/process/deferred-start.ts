// Key pairs on Node 18 and 20. When Node refuses the encoding of the private key, it makes and announces the job all
// the same while the error is pending in V8. Our first call into Node's native code would then take that error for its
// own, and Node would end the process. JavaScript cannot detect this state, so of such a start the tracer keeps only
// what V8 provides by itself: the frames, unread, and the time of day. All else waits for the next call of a hook; by
// then the job runs, or does not exist.
import type { ForeignType } from '../../src/protocol/resource-types.ts';
import { NODE_MAJOR } from './node-version.ts';
import { ownValue } from './own-value.ts';
import { type EntryFunction, type KeptStack, keepStack } from './stacks.ts';

/** From Node 22 on no such job is made. */
const FIRST_WITHOUT = 22;
const isAffected = NODE_MAJOR < FIRST_WITHOUT;
// Not performance.now(), which is native code of Node's.
const dateNow = Date.now;

/** A start that is recorded some time after it happened. */
export interface DeferredStart {
	readonly id: number;
	readonly type: ForeignType;
	readonly stack: KeptStack;
	/** µs since the journal began, to a millisecond. */
	readonly started: number;
}

/** What is kept of a start until it can be recorded. */
interface KeptStart {
	readonly id: number;
	readonly job: WeakRef<object>;
	readonly stack: KeptStack;
	/** ms since 1970. */
	readonly came: number;
}

export class DeferredStarts {
	/** The type of resources whose starts are deferred; null on a Node that needs none of this. */
	readonly type = isAffected ? ('KEYPAIRGENREQUEST' as ForeignType) : null;
	isPending = false;
	/** One after the other may come before a hook is called for anything else. */
	private kept: KeptStart[] = [];

	/** @param entry the function that async_hooks called */
	defer(id: number, job: object, entry: EntryFunction): void {
		this.kept.push({ id, job: new WeakRef(job), stack: keepStack(entry), came: dateNow() });
		this.isPending = true;
	}

	/**
	 * Hands over the deferred starts whose jobs run; the calls of the others have failed, or were synchronous.
	 * @param now µs since the journal began
	 */
	take(now: number, onStart: (start: DeferredStart) => void): void {
		const { kept } = this;
		this.kept = [];
		this.isPending = false;
		const nowMs = dateNow();
		for (let at = 0; at < kept.length; at++) {
			const { id, job, stack, came } = kept[at]!;
			// Node sets it on jobs that will call back (lib/internal/crypto/keygen.js).
			if (ownValue(job.deref(), 'ondone') === undefined) continue;
			onStart({ id, type: this.type!, stack, started: Math.max(0, now - Math.max(0, nowMs - came) * 1000) });
		}
	}
}
