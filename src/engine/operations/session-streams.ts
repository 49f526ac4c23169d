// Streams that an HTTP/2 client has opened. When their session ends first, Node calls none of them back, and nothing shows whose they were: one is over
// once no session is left that was there when it was opened.
import { RESOURCE_FACTS } from '../../protocol/resource-facts.ts';
import type { OpenResource } from './open-operations.ts';

/** The most sessions kept, and streams, the latest ones: more than a program has open. */
const KEPT = 10_000;

export class SessionStreams {
	private readonly sessions: OpenResource[] = [];
	private streams: OpenResource[] = [];

	/** An operation starts. */
	start(resource: OpenResource): void {
		if (resource.type === RESOURCE_FACTS.HTTP2SESSION) keep(this.sessions, resource);
		else if (resource.type === RESOURCE_FACTS.HTTP2STREAM) keep(this.streams, resource);
	}

	/** A session is over. @param id of its operation @returns the ids of the streams that are over with it */
	endSession(id: number): number[] {
		const { sessions } = this;
		const at = sessions.findIndex((session) => session.id === id);
		if (at >= 0) sessions.splice(at, 1);
		const pending = this.streams.filter(({ isPending }) => isPending);
		const isLeft = ({ started }: OpenResource) => sessions.some((session) => session.started <= started);
		this.streams = pending.filter(isLeft);
		return pending.filter((stream) => !isLeft(stream)).map((stream) => stream.id);
	}

	/** What ends is not seen from now on. */
	rest(): void {
		this.streams = [];
	}
}

function keep(resources: OpenResource[], resource: OpenResource): void {
	resources.push(resource);
	if (resources.length > KEPT) resources.shift();
}
