// What ends a process whose journal has no end.

/**
 * What ended a process, as the host knows it: a person who ended the debug session, or a signal by its name; `exit` where nothing did, but it left with a code of
 * its own, such as that of a program that took its place (`process.execve`).
 */
export type Kill = 'stop' | 'exit' | `SIG${string}`;

/** Whether that is one; a recording may claim anything. */
export function isKill(text: string): text is Kill {
	return text === 'stop' || text === 'exit' || /^SIG[A-Z0-9]{1,10}$/.test(text);
}
