// What libraries have asked over connections and tell the answers of, each in its turn.
import type { Operation } from '../operations/operation.ts';
import type { Peer } from '../operations/peer.ts';

interface Asked {
	readonly exchange: Operation;
	readonly batch: object | null;
	/** Null of a connection that the tracer does not know. */
	peer: Peer<Operation> | null;
	/** How many answers it still waits for. */
	left: number;
}

export class AskedInTurn {
	private readonly byItem = new WeakMap<object, Asked>();
	private readonly byBatch = new WeakMap<object, Asked>();

	/**
	 * Whether it goes on with an exchange: it is asked again over another connection, or with others.
	 * @param batch what it is asked with; null when it is alone
	 */
	goesOn(item: object, batch: object | null, peer: Peer<Operation> | null): boolean {
		const again = this.byItem.get(item);
		if (again !== undefined) {
			again.peer?.inTurn.delete(again.exchange);
			peer?.inTurn.add(again.exchange);
			again.peer = peer;
			return true;
		}
		const together = batch === null ? undefined : this.byBatch.get(batch);
		if (together === undefined) return false;
		together.left++;
		this.byItem.set(item, together);
		return true;
	}

	add(item: object, batch: object | null, exchange: Operation, peer: Peer<Operation> | null): void {
		const asked = { exchange, batch, peer, left: 1 };
		this.byItem.set(item, asked);
		if (batch !== null) this.byBatch.set(batch, asked);
		peer?.inTurn.add(exchange);
	}

	/** It is answered. @returns the exchange that is over with that */
	answer(item: object): Operation | null {
		const asked = this.byItem.get(item);
		if (asked === undefined) return null;
		this.byItem.delete(item);
		if (--asked.left > 0) return null;
		if (asked.batch !== null) this.byBatch.delete(asked.batch);
		asked.peer?.inTurn.delete(asked.exchange);
		return asked.exchange;
	}
}
