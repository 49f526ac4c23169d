// Messages that one thread posts to its Workers, or a Worker to the thread that made it, and those that it takes.
import { MAIN_OPERATION } from '../../protocol/journal.ts';
import { RESOURCE_FACTS } from '../../protocol/resource-facts.ts';
import type { PollClock } from '../clocks/poll-clock.ts';
import type { ThreadClock } from '../clocks/thread-clock.ts';
import type { OpenOperations, OpenResource } from '../operations/open-operations.ts';
import type { ThreadTimeline } from '../timeline/thread-timeline.ts';
import { channelOf, type Post, ProcessMessages } from './process-messages.ts';
import type { ThreadChildren } from './thread-children.ts';

export class PostedMessages {
	/** The thread's id; null while its journal has not named it. */
	threadId: number | null = null;
	/** Those of all threads of the process: the thread's own until it joins them. */
	private shared = new ProcessMessages();
	/** Messages that the running callback posts. */
	private readonly posting: Post[] = [];
	private readonly clock: ThreadClock;
	private readonly polls: PollClock;
	private readonly children: ThreadChildren;
	private readonly operations: OpenOperations;
	private readonly timeline: ThreadTimeline;

	constructor(
		clock: ThreadClock,
		polls: PollClock,
		children: ThreadChildren,
		operations: OpenOperations,
		timeline: ThreadTimeline,
	) {
		this.clock = clock;
		this.polls = polls;
		this.children = children;
		this.operations = operations;
		this.timeline = timeline;
	}

	/** From now on messages to and from its process's other threads go through those. */
	join(messages: ProcessMessages): void {
		this.shared = messages;
	}

	/** What is posted or taken may not be recorded for a while. */
	rest(): void {
		this.shared.rest();
	}

	/**
	 * Something starts: a message may be posted to another thread, or come from one.
	 * @param end the operation that started the Worker at the other end; MAIN_OPERATION for the thread that made this one
	 */
	start(resource: OpenResource, end: number): void {
		const isPost = resource.type === RESOURCE_FACTS.WORKERPOST;
		if (!isPost && resource.type !== RESOURCE_FACTS.PORTMESSAGE) return;
		const isInWorker = end === MAIN_OPERATION;
		const worker = isInWorker ? this.threadId : this.children.workerOf(end);
		if (worker === null || worker === undefined) return;
		const channel = channelOf(worker, isPost !== isInWorker);
		const { originUs } = this.clock;
		const at = originUs + resource.started;
		if (isPost) {
			const post: Post = { at, until: Infinity, arrive: (time, posted) => this.end(resource, time, posted) };
			this.posting.push(post);
			this.shared.post(channel, post);
			return;
		}
		// Before a loop has polled for the first time, messages may have come for as long as anybody could send them.
		const earliest = this.polls.done(0).low;
		this.shared.take(channel, at, earliest > 0 ? originUs + earliest : 0);
	}

	/** The running callback is over, at that time of the thread: what it posts has been posted. */
	endRun(time: number): void {
		if (this.posting.length === 0) return;
		for (const post of this.posting.splice(0)) post.until = this.clock.originUs + time;
	}

	/** Another thread has taken a message. @param at µs of the process; null where that is unknown @param posted see `Post` */
	private end(resource: OpenResource, at: number | null, posted: number): void {
		const { id, logical } = resource;
		if (this.operations.get(id) !== resource) return;
		this.operations.settle(resource);
		logical.open--;
		logical.hasWaited = true;
		logical.isWaitKnown = at !== null;
		logical.started = posted - this.clock.originUs;
		logical.ended = at === null ? logical.started : at - this.clock.originUs;
		if (at !== null && logical.stats !== null) this.timeline.sum(logical.stats, logical);
		logical.finish();
		this.operations.forget(resource);
	}
}
