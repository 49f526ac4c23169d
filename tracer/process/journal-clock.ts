// The times in a journal: µs since it began.
import { bothClocks } from './both-clocks.ts';
import { performanceNow } from './clock.ts';

export class JournalClock {
	private readonly beginning = bothClocks();
	/** When the journal began, by `hrtime`, in ns. */
	readonly beganNs = this.beginning.hrtime;
	/** The same by the clock of performance entries, in ms. */
	private readonly beganMs = this.beginning.ms;

	/** µs since the journal began. */
	now(): number {
		return (performanceNow() - this.beganMs) * 1000;
	}

	/** µs since the journal began. @param ms of `performance.now()` */
	at(ms: number): number {
		return (ms - this.beganMs) * 1000;
	}
}
