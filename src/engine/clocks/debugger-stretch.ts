// What a debugger did to the processes of a session, as a recording keeps it.

/** A stretch of one process's time, in µs of hrtime. */
export interface DebuggerStretch {
	pid: number;
	from: number;
	/** Infinity while it lasts. */
	to: number;
}

export interface DebuggerStretches {
	/** The debugger had stopped the process. */
	pauses: DebuggerStretch[];
	/** It had V8 collect asynchronous call stacks. */
	asyncStacks: DebuggerStretch[];
}
