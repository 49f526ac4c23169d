// A queue from whose middle jobs may leave. Programs have had a million operations wait for the pool: to move all those
// behind one that leaves would take longer than what the program did.

/** Something that queues. */
export interface Queued {
	/** Whether it has left the queue from its middle. */
	hasLeft: boolean;
}

/** Empty places before the first job are freed once there are this many, and they are half of all. */
const LEAST_GONE = 1024;

export class JobQueue<T extends Queued> {
	/** Jobs that wait. */
	length = 0;
	private items: T[] = [];
	private head = 0;

	push(job: T): void {
		this.items.push(job);
		this.length++;
	}

	/** Puts a job that was taken before back in front. */
	unshift(job: T): void {
		if (this.head > 0) this.items[--this.head] = job;
		else this.items.unshift(job);
		this.length++;
	}

	/** Removes the first one; undefined when there is none. */
	shift(): T | undefined {
		let job = this.items[this.head];
		while (job?.hasLeft) job = this.items[++this.head];
		if (job === undefined) return undefined;
		this.length--;
		if (++this.head >= LEAST_GONE && this.head * 2 > this.items.length) {
			this.items = this.items.slice(this.head);
			this.head = 0;
		}
		return job;
	}

	/** Removes a job that is in the queue. */
	remove(job: T): void {
		job.hasLeft = true;
		this.length--;
	}
}
