// Key pairs on Node 18 and 20. There a job whose private key's encoding is refused is made all the same, and announced, while the error is
// pending in V8: the first call of ours into Node's native code would take the error for its own, and Node would end the process for want of it. No
// JavaScript can tell, so of such a start only what V8 does by itself is kept: the frames, unread, and the time of day. All else waits for the
// next call of a hook; by then the job runs, or does not exist.
import type { ResourceType } from '../../src/protocol/resource-types.ts';
import { type Entry, type KeptStack, keepStack } from './own-realm.ts';
import { ownValue } from './own-value.ts';

/** From Node 22 on such a job is not made. */
const FIRST_WITHOUT = 22;
const isAffected = Number.parseInt(process.versions.node, 10) < FIRST_WITHOUT;
// Not performance.now(), which is native code of Node's.
const dateNow = Date.now;

/** A start that was looked at after it had come. */
export interface DeferredStart {
	readonly id: number;
	readonly type: ResourceType;
	readonly stack: KeptStack;
	/** µs since the journal began, to a millisecond. */
	readonly started: number;
}

export class DeferredStarts {
	/** The type of resources whose starts are deferred; none on a Node that has no need of it. */
	readonly type = isAffected ? ('KEYPAIRGENREQUEST' satisfies ResourceType) : null;
	isPending = false;
	private id = 0;
	private job: WeakRef<object> | null = null;
	private stack: KeptStack | null = null;
	/** ms since 1970. */
	private came = 0;

	/** @param entry the function that async_hooks have called */
	defer(id: number, job: object, entry: Entry): void {
		this.id = id;
		this.job = new WeakRef(job);
		this.stack = keepStack(entry);
		this.came = dateNow();
		this.isPending = true;
	}

	/** The start that was deferred; null when its job does not run: the call has failed, or was synchronous. @param now µs since the journal began */
	take(now: number): DeferredStart | null {
		const { id, job, stack, came } = this;
		this.isPending = false;
		this.job = null;
		this.stack = null;
		// Node sets it on those that are to call back (lib/internal/crypto/keygen.js).
		if (stack === null || ownValue(job?.deref(), 'ondone') === undefined) return null;
		return { id, type: this.type!, stack, started: Math.max(0, now - Math.max(0, dateNow() - came) * 1000) };
	}
}
