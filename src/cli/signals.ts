// The signals that reach `waitline run` while the program runs, and what becomes of them on each system.

/** What `waitline run` does with a signal that it receives. */
export interface Signals {
	/** A supervisor sends it to us instead of the program, which gets it from us. */
	forwarded: readonly NodeJS.Signals[];
	/** A terminal sends it for its keys to every process of the group in its foreground; the program gets it from us only if it came to us alone. */
	fromTerminal: readonly NodeJS.Signals[];
	/** A console of Windows sends it to all its processes, whether or not their outputs are redirected: we stay until the program has ended. */
	fromConsole: readonly NodeJS.Signals[];
}

/**
 * On Windows none is forwarded: Node's `kill` ends a process there at once, and throws for SIGHUP. Its console says SIGINT for Ctrl-C, SIGBREAK for
 * Ctrl-Break, and SIGHUP when it is closed (nodejs.org/api/process.html#signal-events).
 */
export function signalsOf(platform: NodeJS.Platform): Signals {
	return platform === 'win32'
		? { forwarded: [], fromTerminal: [], fromConsole: ['SIGINT', 'SIGBREAK', 'SIGHUP'] }
		: { forwarded: ['SIGTERM', 'SIGHUP', 'SIGUSR2'], fromTerminal: ['SIGINT', 'SIGQUIT'], fromConsole: [] };
}
