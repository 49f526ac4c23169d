// What a thread is called where there are several: by its id and the file that it runs.
import type { Process } from './report.ts';

/** `7 (server.cjs)` for a process, `2 (main.cjs)` for a Worker: the id, with the name of its main script where that is known. */
export function threadName({ pid, threadId, entry }: Pick<Process, 'pid' | 'threadId' | 'entry'>): string {
	const id = threadId === 0 ? pid : threadId;
	const file = /[^\\/]*$/.exec(entry)![0];
	return file === '' ? `${id}` : `${id} (${file})`;
}
