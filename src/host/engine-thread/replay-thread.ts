// Reads recordings in a thread of its own for what is asked for now and then: what if the pool had another size, and what is slower than before.
import { Worker } from 'node:worker_threads';
import type { Comparison } from '../../protocol/comparison.ts';
import type { WhatIfQuestion, WhatIfReport } from '../../protocol/what-if.ts';
import { ENGINE_LIMITS } from './engine-limits.ts';
import type { FromReplay, RecordingTask, Task, ToReplay } from './engine-messages.ts';
import { ThreadEnded } from './thread-ended.ts';

/** A recording that can be replayed again and again, until it is disposed of. */
export class ReplayThread {
	private readonly worker: Worker;
	private waiting: { resolve(report: WhatIfReport): void; reject(error: Error): void } | null = null;

	/** @param program the bundle of engine-thread.ts */
	constructor(recording: RecordingTask, program: string) {
		this.worker = workerFor({ kind: 'replay', ...recording }, program);
		this.worker.on('message', (message: FromReplay) => {
			if (message.type === 'predicted') this.settle(({ resolve }) => resolve(message.report));
			else if (message.type === 'refusal') this.settle(({ reject }) => reject(new Error(message.message)));
		});
		this.worker.on('error', (error: Error) => this.settle(({ reject }) => reject(error)));
		this.worker.on('exit', () => this.settle(({ reject }) => reject(new ThreadEnded())));
	}

	/** One question at a time; the one before is refused. @throws what ended the thread, or that it has ended */
	ask(question: WhatIfQuestion): Promise<WhatIfReport> {
		this.settle(({ reject }) => reject(new ThreadEnded()));
		const message: ToReplay = { type: 'predict', question };
		this.worker.postMessage(message);
		return new Promise((resolve, reject) => {
			this.waiting = { resolve, reject };
		});
	}

	dispose(): void {
		void this.worker.terminate();
	}

	private settle(by: (waiting: NonNullable<ReplayThread['waiting']>) => void): void {
		const { waiting } = this;
		this.waiting = null;
		if (waiting !== null) by(waiting);
	}
}

/**
 * Compares runs of a program before a change with one after it.
 * @param program the bundle of engine-thread.ts
 * @throws an error with the reason why a recording cannot be read, and what ended the thread
 */
export async function compareInThread(
	before: readonly RecordingTask[],
	after: RecordingTask,
	program: string,
): Promise<Comparison> {
	const worker = workerFor({ kind: 'comparison', before, after }, program);
	try {
		return await new Promise((resolve, reject) => {
			worker.once('message', (message: FromReplay) => {
				if (message.type === 'compared') resolve(message.comparison);
				else if (message.type === 'refusal') reject(new Error(message.message));
			});
			worker.once('error', reject);
			worker.once('exit', () => reject(new ThreadEnded()));
		});
	} finally {
		await worker.terminate();
	}
}

function workerFor(task: Task, program: string): Worker {
	return new Worker(program, { workerData: task, execArgv: [], resourceLimits: ENGINE_LIMITS });
}
