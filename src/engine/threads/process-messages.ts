// Messages between a Worker and the thread that made it, from `postMessage` in the one to the callback in the other: they arrive in their order, so the
// reader finds which is which.

/** A message that has not arrived. */
export interface Post {
	/** When the program read `postMessage`, µs of the process: it may have computed the message before it called it. */
	readonly at: number;
	/** When the callback was over that read it; Infinity before. It was posted in between. */
	until: number;
	/**
	 * It has arrived at that time, in µs of the process; null where it cannot be known when, or whether.
	 * @param posted when it was posted, as far as known
	 */
	arrive(at: number | null, posted: number): void;
}

/**
 * A loop that slept takes a message at once. One that was certainly posted this long before the loop last slept, in µs, never arrived: it could not be cloned, or
 * the program only read the function. Not less, because on a busy machine a loop that is woken may have to wait for a CPU.
 */
const ASLEEP_US = 50_000;
/** The most kept per direction: further ones are not followed. */
const KEPT = 10_000;

/** The name of what a Worker's messages go through. @param worker its thread id */
export function channelOf(worker: number, isToWorker: boolean): string {
	return `${isToWorker ? 'to' : 'from'} ${worker}`;
}

export class ProcessMessages {
	private readonly channels = new Map<string, Post[]>();

	/** @param channel see `channelOf` */
	post(channel: string, post: Post): void {
		const posts = this.channels.get(channel) ?? [];
		this.channels.set(channel, posts);
		if (posts.push(post) > KEPT) lose(posts.shift()!);
	}

	/** A message has come. @param at when its callback began @param earliest when it can have arrived at the earliest; in µs of the process */
	take(channel: string, at: number, earliest: number): void {
		const posts = this.channels.get(channel) ?? [];
		const isLost = (post: Post) => post.until < earliest - ASLEEP_US;
		while (posts.length > 1 && isLost(posts[0]!) && posts[1]!.at <= at) lose(posts.shift()!);
		const post = posts.shift();
		if (post === undefined) return;
		if (isLost(post) || post.at > at) lose(post);
		// A loop that slept until then was woken by it.
		else post.arrive(at, Math.min(Math.max(post.at, Math.min(earliest, post.until)), at));
	}

	/** What one of the threads posts or takes is not recorded for a while. */
	rest(): void {
		for (const channel of this.channels.keys()) this.end(channel);
	}

	/** Nobody takes messages there any more. */
	end(channel: string): void {
		for (const post of this.channels.get(channel) ?? []) lose(post);
		this.channels.delete(channel);
	}
}

function lose(post: Post): void {
	post.arrive(null, post.at);
}
