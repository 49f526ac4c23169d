// The stretch of time to which a person has limited a session: as long as it is, the session's report is that of what ended in the stretch, everywhere.
// Of a session that goes on, records of the stretch may still be on their way when it is chosen, so it is read again for a while, and when the session is over.
import type { TimeLimit } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';

/** For how long, in ms: a thread writes its records within 200 ms of a callback, and the longest that most callbacks block it is a few seconds. */
const SETTLE_MS = 5000;

export class LimitedSession {
	#current: { range: TimeLimit; report: Report } | null = null;
	/** The latest wish: what was asked before is not shown any more. */
	#wanted: TimeLimit | null = null;
	readonly #part: (range: TimeLimit) => Promise<Report>;
	readonly #onChange: () => void;
	readonly #now: () => number;
	/** Until when the stretch is read again as the session goes on. */
	#unsettledUntil = 0;
	#isReading = false;

	/**
	 * @param part the report of a stretch
	 * @param onChange is called when the session's report is another one
	 * @param now the time, in ms of any clock
	 */
	constructor(part: (range: TimeLimit) => Promise<Report>, onChange: () => void, now = () => performance.now()) {
		this.#part = part;
		this.#onChange = onChange;
		this.#now = now;
	}

	/** The stretch; null for all of the session. */
	get range(): TimeLimit | null {
		return this.#current?.range ?? null;
	}

	/** The report of the stretch; undefined for all of the session. */
	get report(): Report | undefined {
		return this.#current?.report;
	}

	/** @param range null for all of the session @throws when that stretch cannot be read; then nothing changes */
	async set(range: TimeLimit | null): Promise<void> {
		this.#wanted = range;
		if (range === null) {
			if (this.#current === null) return;
			this.#current = null;
			this.#onChange();
			return;
		}
		await this.#read(range);
		this.#unsettledUntil = this.#now() + SETTLE_MS;
	}

	/**
	 * The session has gone on, or is over: then nothing comes any more.
	 * @throws when the stretch cannot be read; then the report of before stays
	 */
	async goOn(isOver: boolean): Promise<void> {
		if (this.#current === null || this.#wanted !== this.#current.range) return;
		if (!isOver && (this.#isReading || this.#now() > this.#unsettledUntil)) return;
		await this.#read(this.#current.range);
	}

	/** Answers come in the order of the questions. */
	async #read(range: TimeLimit): Promise<void> {
		this.#isReading = true;
		try {
			const report = await this.#part(range);
			if (this.#wanted !== range) return;
			this.#current = { range, report };
			this.#onChange();
		} finally {
			this.#isReading = false;
		}
	}
}
