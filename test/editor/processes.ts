// Ends a process with everything it started. A server's terminals lead sessions of their own, so the process group
// alone would leave them behind; children are found by parent id where /proc has it.
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a process may take to end by itself before it is killed. */
const GRACE_MS = 2000;

/** Ends `child` and its descendants: SIGTERM, then SIGKILL for those still there. */
export async function stopTree(child: ChildProcess): Promise<void> {
	if (child.pid === undefined) return;
	const pids = [child.pid, ...descendants(child.pid)];
	for (const pid of pids.reverse()) signal(pid, 'SIGTERM');
	const deadline = Date.now() + GRACE_MS;
	while (Date.now() < deadline && pids.some((pid) => signal(pid, 0))) await sleep(50);
	for (const pid of pids) signal(pid, 'SIGKILL');
}

/** Sends a signal; false when that process is gone. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(pid, name);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
		throw error;
	}
}

/** Process ids below `root`, parents before children; empty where there is no /proc. */
function descendants(root: number): number[] {
	const children = new Map<number, number[]>();
	for (const pid of processIds()) {
		const parent = parentOf(pid);
		if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
	}
	const found: number[] = [];
	for (const queue = [root]; queue.length > 0; ) {
		const below = children.get(queue.shift()!) ?? [];
		found.push(...below);
		queue.push(...below);
	}
	return found;
}

function processIds(): number[] {
	if (process.platform !== 'linux') return [];
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.map(Number);
}

/** The parent's id, or undefined for a process that ended meanwhile or is already reaped in all but name. */
function parentOf(pid: number): number | undefined {
	let stat: string;
	try {
		stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	} catch {
		return undefined;
	}
	// The name is in parentheses and may contain some itself: fields are counted from the last one.
	const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return Number(parent);
}
