// What a thread with the engine was asked and has not answered yet. While the thread has something to answer, it keeps this process alive.
import type { Worker } from 'node:worker_threads';

interface OpenQuestion {
	resolve: (answer: unknown) => void;
	reject: (error: Error) => void;
}

export class OpenQuestions {
	private readonly waiting = new Map<number, OpenQuestion>();
	private asked = 0;
	/** Why there will be no more answers. */
	private reason: Error | undefined;
	/** Whether the thread has nothing to do but to answer. */
	private isResting = false;
	private readonly worker: Worker;

	constructor(worker: Worker) {
		this.worker = worker;
	}

	/** @param send sends the question under that number. @throws when the thread has ended, or ends before it answers */
	ask<Answer>(send: (id: number) => void): Promise<Answer> {
		if (this.reason !== undefined) return Promise.reject(this.reason);
		const id = this.asked++;
		return new Promise((resolve, reject) => {
			this.waiting.set(id, { resolve: resolve as OpenQuestion['resolve'], reject });
			if (this.isResting) this.worker.ref();
			send(id);
		});
	}

	answer(id: number, answer: unknown): void {
		this.take(id)?.resolve(answer);
	}

	refuse(id: number, error: Error): void {
		this.take(id)?.reject(error);
	}

	/** From now on the thread only answers: by itself it does not keep this process alive. */
	rest(): void {
		this.isResting = true;
		if (this.waiting.size === 0) this.worker.unref();
	}

	/** The thread has ended. */
	end(reason: Error): void {
		this.reason ??= reason;
		for (const { reject } of this.waiting.values()) reject(this.reason);
		this.waiting.clear();
	}

	private take(id: number): OpenQuestion | undefined {
		const waiting = this.waiting.get(id);
		this.waiting.delete(id);
		if (this.isResting && this.waiting.size === 0) this.worker.unref();
		return waiting;
	}
}
