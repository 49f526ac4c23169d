// What add-ons do behind the replay's back: their work may be jobs of libuv's pool, which then keeps other jobs waiting in a way that
// the replay knows nothing of.

/** A job of the pool that takes longer, in µs, is rare; a thread of an add-on that lives so long is not. */
const LONGEST_US = 10_000_000;

export class AddonWork {
	/** When each piece that has not ended was started. */
	private readonly open = new Map<number, number>();
	private latest = Number.NEGATIVE_INFINITY;

	start(id: number, time: number): void {
		this.open.set(id, time);
		this.latest = time;
	}

	end(id: number, time: number): void {
		const started = this.open.get(id);
		if (started === undefined) return;
		this.open.delete(id);
		if (time - started < LONGEST_US) this.latest = time;
	}

	/** Whether any was under way between then and `now`. */
	overlap(since: number, now: number): boolean {
		if (this.latest > since) return true;
		for (const [id, started] of this.open) {
			if (now - started < LONGEST_US) return true;
			this.open.delete(id);
		}
		return false;
	}
}
