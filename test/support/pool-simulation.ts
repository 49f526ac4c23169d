// libuv's thread pool, stepped through time thread by thread: the rules of src/threadpool.c written down a second time,
// in a different way than the engine's.

export interface Task {
	id: number;
	submitted: number;
	length: number;
	isSlow: boolean;
	began: number;
	done: number;
}

/**
 * Sets when each task began and was done. Steps in units of 1, and over those in which nothing happens; submits come before anything else in a unit.
 * @param isLate whether the thread of a slow task that has just ended is slow to update the count: others that check
 * meanwhile still include it
 */
export function simulate(tasks: Task[], threads: number, isLate = () => false): void {
	const queue: (Task | 'slow')[] = [];
	const slow: Task[] = [];
	const running: Task[] = [];
	const cap = Math.floor((threads + 1) / 2);
	let left = tasks.length;
	let ending = 0;
	for (let now = 0; left > 0; now = ending > 0 ? now + 1 : nextMoment(now, tasks, running)) {
		ending = 0;
		for (const task of running.filter(({ done }) => done === now)) {
			running.splice(running.indexOf(task), 1);
			if (task.isSlow && isLate()) ending++;
			if (task.isSlow && slow.length > 0 && !queue.includes('slow')) queue.push('slow');
			left--;
		}
		for (const task of tasks.filter(({ submitted }) => submitted === now)) {
			if (!task.isSlow) queue.push(task);
			else if (slow.push(task) && !queue.includes('slow')) queue.push('slow');
		}
		for (let turns = queue.length + 1; turns > 0 && running.length < threads && queue.length > 0; turns--) {
			const next = queue.shift()!;
			let task: Task | undefined;
			if (next !== 'slow') task = next;
			else if (running.filter(({ isSlow }) => isSlow).length + ending >= cap) queue.push('slow');
			else {
				task = slow.shift();
				if (slow.length > 0) queue.push('slow');
				turns = queue.length + 1;
			}
			if (task === undefined) continue;
			task.began = now;
			task.done = now + task.length;
			running.push(task);
		}
	}
}

/** When the next task is submitted, or done. */
function nextMoment(now: number, tasks: readonly Task[], running: readonly Task[]): number {
	const submits = tasks.map(({ submitted }) => submitted).filter((submitted) => submitted > now);
	return Math.min(...submits, ...running.map(({ done }) => done));
}
