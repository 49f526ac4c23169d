// What a debugger did to one process while it was profiled.
import { AsyncStackLog } from './async-stack-log.ts';
import { PauseClock } from './pause-clock.ts';

export class DebuggerLog {
	/** When it stopped the process. */
	readonly pauses = new PauseClock();
	/** When it had V8 collect asynchronous call stacks. */
	readonly asyncStacks = new AsyncStackLog();
}
