// Key pairs on Node 18 and 20. When Node refuses the encoding of the private key, it makes and announces the job all
// the same while the error is pending in V8. Our first call into Node's native code would then take that error for its
// own, and Node would end the process. JavaScript cannot detect this state, so of such a start the tracer keeps only
// what V8 provides by itself: the frames, unread, and the time of day. All else waits for the next call of a hook; by
// then the job runs, or does not exist.
import type { ResourceType } from '../../src/protocol/resource-types.ts';
import { type Entry, type KeptStack, keepStack } from './own-realm.ts';
import { ownValue } from './own-value.ts';

/** From Node 22 on no such job is made. */
const FIRST_WITHOUT = 22;
const isAffected = Number.parseInt(process.versions.node, 10) < FIRST_WITHOUT;
// Not performance.now(), which is native code of Node's.
const dateNow = Date.now;

/** A start that is recorded some time after it happened. */
export interface DeferredStart {
	readonly id: number;
	readonly type: ResourceType;
	readonly stack: KeptStack;
	/** µs since the journal began, to a millisecond. */
	readonly started: number;
}

export class DeferredStarts {
	/** The type of resources whose starts are deferred; null on a Node that needs none of this. */
	readonly type = isAffected ? ('KEYPAIRGENREQUEST' satisfies ResourceType) : null;
	isPending = false;
	private id = 0;
	private job: WeakRef<object> | null = null;
	private stack: KeptStack | null = null;
	/** ms since 1970. */
	private came = 0;

	/** @param entry the function that async_hooks called */
	defer(id: number, job: object, entry: Entry): void {
		this.id = id;
		this.job = new WeakRef(job);
		this.stack = keepStack(entry);
		this.came = dateNow();
		this.isPending = true;
	}

	/**
	 * The deferred start; null when its job does not run: the call has failed, or was synchronous.
	 * @param now µs since the journal began
	 */
	take(now: number): DeferredStart | null {
		const { id, job, stack, came } = this;
		this.isPending = false;
		this.job = null;
		this.stack = null;
		// Node sets it on jobs that will call back (lib/internal/crypto/keygen.js).
		if (stack === null || ownValue(job?.deref(), 'ondone') === undefined) return null;
		return { id, type: this.type!, stack, started: Math.max(0, now - Math.max(0, dateNow() - came) * 1000) };
	}
}
