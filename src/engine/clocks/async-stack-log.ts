// When a debugger had V8 collect asynchronous call stacks in one process. Each `await` takes 5 to 11 µs more then, so
// what ran meanwhile is marked: its run, and the lag of what waited for it, are longer than they would otherwise be.

export class AsyncStackLog {
	/** In order, without overlap, in µs of hrtime; the last one lasts while `to` is Infinity. */
	private readonly stretches: { from: number; to: number }[] = [];

	/** They are collected from then on. A second begin changes nothing. */
	begin(at: number): void {
		if (!this.isOn) this.stretches.push({ from: at, to: Infinity });
	}

	/** They are no longer collected. */
	end(at: number): void {
		const last = this.stretches.at(-1);
		if (last !== undefined && this.isOn) last.to = Math.max(last.from, at);
	}

	/** Whether they are collected now. */
	get isOn(): boolean {
		return this.stretches.at(-1)?.to === Infinity;
	}

	/** Whether they were collected at a time of hrtime in µs. The search begins at the last stretch, where most times lie. */
	covers(at: number): boolean {
		for (let index = this.stretches.length - 1; index >= 0; index--) {
			const { from, to } = this.stretches[index]!;
			if (at >= from) return at < to;
		}
		return false;
	}

	/** How long they were collected between two times of hrtime, in µs. */
	within(from: number, to: number): number {
		return this.stretches.reduce(
			(sum, each) => sum + Math.max(0, Math.min(each.to, to) - Math.max(each.from, from)),
			0,
		);
	}

	/** All stretches, for a recording. */
	list(): { from: number; to: number }[] {
		return this.stretches.map(({ from, to }) => ({ from, to }));
	}
}
