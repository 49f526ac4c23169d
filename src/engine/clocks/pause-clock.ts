// The program's own time: a debugger's pauses are taken out, so that a stop at a breakpoint is no wait, no run and no
// block. (The pool works on meanwhile; what it did in a pause counts as no time too.) Pauses are in whole µs, as the
// journal's times are: sums of fractions would differ from one another by rounding, and a time could be slightly
// negative.

export class PauseClock {
	/** In order, without overlap; `before` is the length of all pauses that came before. */
	private readonly pauses: { from: number; to: number; before: number }[] = [];

	/** A pause begins. A second begin changes nothing. */
	stop(at: number): void {
		const last = this.pauses.at(-1);
		const from = Math.round(at);
		if (last === undefined) this.pauses.push({ from, to: Infinity, before: 0 });
		else if (last.to <= from) this.pauses.push({ from, to: Infinity, before: last.before + last.to - last.from });
	}

	/** The pause is over. */
	go(at: number): void {
		const last = this.pauses.at(-1);
		if (last !== undefined && last.to === Infinity) last.to = Math.max(last.from, Math.round(at));
	}

	/** Whether there was none. */
	get isEmpty(): boolean {
		return this.pauses.length === 0;
	}

	/** Whether a pause lasts. */
	get isStopped(): boolean {
		return this.pauses.at(-1)?.to === Infinity;
	}

	/** A time with the pauses before it taken out; it does not advance during a pause. */
	running(time: number): number {
		const { pauses } = this;
		if (pauses.length === 0) return time;
		// The last one that had begun by then; usually the last of all.
		let low = 0;
		for (let high = pauses.length, middle = high - 1; low < high; middle = (low + high) >>> 1) {
			if (pauses[middle]!.from < time) low = middle + 1;
			else high = middle;
		}
		if (low === 0) return time;
		const { from, to, before } = pauses[low - 1]!;
		return time >= to ? time - before - (to - from) : from - before;
	}

	/** All pauses, for a recording. */
	list(): { from: number; to: number }[] {
		return this.pauses.map(({ from, to }) => ({ from, to }));
	}
}
