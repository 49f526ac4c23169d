// Key pairs on Node 18 and 20. There a job whose private key's encoding is refused is made all the same, and announced, while the error is
// pending in V8: the first call of ours into Node's native code would take the error for its own, and Node would end the process for want of it. No
// JavaScript can tell, so of such a start only what V8 does by itself is kept: the frames, unread, and the time of day. All else waits for the
// next call of a hook; by then the job runs, or was never born.
import { type Entry, type HeldStack, holdStack } from './own-realm.ts';
import { ownValue } from './own-value.ts';

/** From Node 22 on such a job is not made. */
const FIRST_WITHOUT = 22;
const isAffected = Number.parseInt(process.versions.node, 10) < FIRST_WITHOUT;
// Not performance.now(), which is native code of Node's.
const dateNow = Date.now;

/** A start that came before. */
export interface LateStart {
	readonly id: number;
	readonly type: string;
	readonly stack: HeldStack;
	/** µs since the journal began, to a millisecond. */
	readonly started: number;
}

export class Unborn {
	/** The type of resources that are held back; none on a Node that has no need of it. */
	readonly type = isAffected ? 'KEYPAIRGENREQUEST' : null;
	isHeld = false;
	private id = 0;
	private job: WeakRef<object> | null = null;
	private stack: HeldStack | null = null;
	/** ms since 1970. */
	private came = 0;

	/** @param entry the function that async_hooks have called */
	hold(id: number, job: object, entry: Entry): void {
		this.id = id;
		this.job = new WeakRef(job);
		this.stack = holdStack(entry);
		this.came = dateNow();
		this.isHeld = true;
	}

	/** The start that is held; null of a job that does not run: the call has failed, or was synchronous. @param now µs since the journal began */
	take(now: number): LateStart | null {
		const { id, job, stack, came } = this;
		this.isHeld = false;
		this.job = null;
		this.stack = null;
		// Node sets it on those that are to call back (lib/internal/crypto/keygen.js).
		if (stack === null || ownValue(job?.deref(), 'ondone') === undefined) return null;
		return { id, type: this.type!, stack, started: Math.max(0, now - Math.max(0, dateNow() - came) * 1000) };
	}
}
