// Reads a recording in a thread of its own: a long one takes seconds, during which the extension host must not be
// blocked.
import { Worker } from 'node:worker_threads';
import type { Overview } from '../protocol/overview.ts';
import type { Report } from '../protocol/report.ts';
import type { Timeline } from '../protocol/timeline.ts';
import { ENGINE_LIMITS } from './engine-limits.ts';
import type { FromRecording, RecordingTask, Task } from './engine-messages.ts';
import { NotARecording } from './recording-file.ts';
import { ThreadEnded } from './thread-ended.ts';

export interface ReadRecording {
	report: Report;
	timeline: Timeline;
	overview: Overview;
	/** The texts that ran, by path, as far as the file contains them. */
	sources: ReadonlyMap<string, string>;
}

/**
 * @param recording the recording to read
 * @param program the bundle of engine-thread.ts
 * @param signal ends it early
 * @throws NotARecording, the signal's reason, and what ended the thread
 */
export async function readInThread(
	recording: RecordingTask,
	program: string,
	signal: AbortSignal,
): Promise<ReadRecording> {
	signal.throwIfAborted();
	const task: Task = { kind: 'recording', ...recording };
	const worker = new Worker(program, { workerData: task, execArgv: [], resourceLimits: ENGINE_LIMITS });
	try {
		return await new Promise((resolve, reject) => {
			worker.once('message', (message: FromRecording) => {
				if (message.type === 'read') resolve(message);
				else reject(new NotARecording(message.reason, message.message));
			});
			worker.once('error', reject);
			worker.once('exit', () => reject(new ThreadEnded()));
			signal.addEventListener('abort', () => reject(signal.reason), { once: true });
		});
	} finally {
		await worker.terminate();
	}
}
