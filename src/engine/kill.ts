// What ends a process that does not end by itself.

/** What killed a process, as the host knows it: a person who ended the debug session, or a signal by its name. */
export type Kill = 'stop' | `SIG${string}`;

/** Whether that is one; a recording may claim anything. */
export function isKill(text: string): text is Kill {
	return text === 'stop' || /^SIG[A-Z0-9]{1,10}$/.test(text);
}
