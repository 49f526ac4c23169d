// Requests that libraries send over connections and that are answered one by one, as the library's queue shows.
import type { Operation } from '../operations/operation.ts';
import type { Peer } from '../operations/peer.ts';

export interface Asked {
	readonly exchange: Operation;
	readonly batch: object | null;
	/** Null for a connection that the tracer does not know. */
	peer: Peer<Operation> | null;
	/** How many answers it still waits for. */
	left: number;
}

export class AskedInTurn {
	private readonly byItem = new WeakMap<object, Asked>();
	private readonly byBatch = new WeakMap<object, Asked>();

	/**
	 * Whether `item` belongs to an exchange that is already open: it is sent again over another connection, or together
	 * with others.
	 * @param batch what it is sent together with; null when it is alone
	 */
	goesOn(item: object, batch: object | null, peer: Peer<Operation> | null): boolean {
		const again = this.byItem.get(item);
		if (again !== undefined) {
			again.peer?.deleteInTurn(again.exchange);
			peer?.addInTurn(again.exchange);
			again.peer = peer;
			return true;
		}
		const together = batch === null ? undefined : this.byBatch.get(batch);
		if (together === undefined) return false;
		together.left++;
		this.byItem.set(item, together);
		return true;
	}

	add(item: object, batch: object | null, exchange: Operation, peer: Peer<Operation> | null): Asked {
		const asked: Asked = { exchange, batch, peer, left: 1 };
		this.byItem.set(item, asked);
		if (batch !== null) this.byBatch.set(batch, asked);
		peer?.addInTurn(exchange);
		return asked;
	}

	/** It goes over that connection, as shows only afterwards. */
	send(asked: Asked, peer: Peer<Operation>): void {
		asked.peer = peer;
		peer.addInTurn(asked.exchange);
	}

	/** `item` is answered. @returns the exchange that is complete with that */
	answer(item: object): Operation | null {
		const asked = this.byItem.get(item);
		if (asked === undefined) return null;
		this.byItem.delete(item);
		if (--asked.left > 0) return null;
		if (asked.batch !== null) this.byBatch.delete(asked.batch);
		asked.peer?.deleteInTurn(asked.exchange);
		return asked.exchange;
	}
}
