// Time that the program had: the pauses of a debugger are taken out, so that a stop at a breakpoint is no wait, no run and no
// block. (The pool works on meanwhile; what it did in a pause counts as no time too.)

/** A pause, in µs of hrtime. */
export interface Pause {
	pid: number;
	from: number;
	/** Infinity while it lasts. */
	to: number;
}

export class PauseClock {
	/** In order, without overlap; `before` is the length of all pauses that came before. */
	private readonly pauses: { from: number; to: number; before: number }[] = [];

	/** A pause begins. One that begins twice began once. */
	stop(at: number): void {
		const last = this.pauses.at(-1);
		if (last === undefined) this.pauses.push({ from: at, to: Infinity, before: 0 });
		else if (last.to <= at) this.pauses.push({ from: at, to: Infinity, before: last.before + last.to - last.from });
	}

	/** The pause is over. */
	go(at: number): void {
		const last = this.pauses.at(-1);
		if (last !== undefined && last.to === Infinity) last.to = Math.max(last.from, at);
	}

	/** Whether a pause lasts. */
	get isStopped(): boolean {
		return this.pauses.at(-1)?.to === Infinity;
	}

	/** A time with the pauses before it taken out; it stands still in a pause. */
	running(time: number): number {
		for (let i = this.pauses.length - 1; i >= 0; i--) {
			const { from, to, before } = this.pauses[i]!;
			if (time >= to) return time - before - (to - from);
			if (time > from) return from - before;
		}
		return time;
	}

	/** All pauses, for a recording. */
	list(): { from: number; to: number }[] {
		return this.pauses.map(({ from, to }) => ({ from, to }));
	}
}
