// Messages to a Worker, and from one to the thread that made it: each waits from `postMessage` until the other thread's callback for it. Nothing native
// announces one, so reads of that method are watched. Which message is whose is found by the reader: those of one port arrive in their order.
import { MAIN_OPERATION } from '../../src/protocol/journal.ts';
import { newOperation } from '../operations/operation.ts';
import { kindOf } from '../process/kinds.ts';
import { getPrototypeOf } from '../process/object-functions.ts';
import { parentPort } from '../process/this-thread.ts';
import { watchReads } from '../process/watch-reads.ts';
import type { Guard, SourcePort } from './port.ts';

const POST = kindOf('WORKERPOST');

export class MessagePosts {
	private readonly port: SourcePort;
	private readonly guard: Guard;
	private readonly children: { look(): void };
	/** By port: the operation that started the Worker at its other end, MAIN_OPERATION for the thread that made this one. */
	private readonly channels = new WeakMap<object, number>();
	private isWatching = false;

	/** @param children writes down a Worker that was just started */
	constructor(port: SourcePort, guard: Guard, children: { look(): void }) {
		this.port = port;
		this.children = children;
		this.guard = guard;
		if (parentPort !== null) this.watch(parentPort, MAIN_OPERATION);
	}

	/** The program posts its messages through that port. @param channel see `channels` */
	watch(messagePort: object, channel: number): void {
		this.channels.set(messagePort, channel);
		if (this.isWatching) return;
		this.isWatching = true;
		watchReads(getPrototypeOf(messagePort), 'postMessage', (_getter, of) => this.guard(() => this.post(of)));
	}

	/** It is a port of Node's own. */
	unwatch(messagePort: object): void {
		this.channels.delete(messagePort);
	}

	private post(messagePort: object): void {
		const channel = this.channels.get(messagePort);
		if (channel === undefined) return;
		this.children.look();
		const { attribution, clock, records, starts } = this.port;
		const site = attribution.locate(POST);
		if (site.user === null) attribution.needOrigin();
		records.start(newOperation(starts.newOwnId(), POST, attribution.shown(site), channel, clock.now()));
	}
}
