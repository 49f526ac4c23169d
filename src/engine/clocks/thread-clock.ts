// The time of one thread: µs since its journal began, without the pauses of a debugger.
import { DebuggerLog } from './debugger-log.ts';
import type { PauseClock } from './pause-clock.ts';

export class ThreadClock {
	/** Time of the latest record. */
	now = 0;
	/** The same with the pauses. */
	private latest = 0;
	/** When the journal began, in µs of hrtime. */
	private beganUs = 0;
	/** What a debugger did to the process, in µs of hrtime. */
	private debugger = new DebuggerLog();

	/** The journal has named its process. @param beganUs when the journal began, in µs of hrtime */
	begin(beganUs: number, debuggerLog: DebuggerLog): void {
		this.beganUs = beganUs;
		this.debugger = debuggerLog;
	}

	/** Converts the time of a record, in µs since the journal began, to the thread's own. */
	see(at: number): number {
		if (at > this.latest) this.latest = at;
		const time = this.debugger.pauses.isEmpty ? at : this.inProcess(at) - this.inProcess(0);
		if (time > this.now) this.now = time;
		return time;
	}

	/** Nothing was recorded since the last record, and the thread went on until `at`. */
	reach(at: number): void {
		if (at > this.now) this.now = at;
	}

	/** A time of the journal, µs since it began, in µs of the process: hrtime without the pauses. */
	inProcess(at: number): number {
		return this.debugger.pauses.running(this.beganUs + at);
	}

	/** When the journal began, in µs of the process. */
	get originUs(): number {
		return this.inProcess(0);
	}

	/** When the latest record was, in µs of hrtime. */
	get latestInHrtime(): number {
		return this.beganUs + this.latest;
	}

	/** When a debugger had stopped the process. */
	get pauses(): PauseClock {
		return this.debugger.pauses;
	}

	/** Whether a debugger collects asynchronous call stacks now. */
	get collectsStacks(): boolean {
		return this.debugger.asyncStacks.covers(this.latestInHrtime);
	}

	/** For how much of the thread's time one collected them, in µs. */
	get asyncStacksUs(): number {
		return this.debugger.asyncStacks.within(this.beganUs, this.latestInHrtime);
	}
}
