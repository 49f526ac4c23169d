// Reads a recording in a thread of its own: a long one takes seconds, during which the extension host must not be
// blocked. The thread stays for the timeline, which it reads again from the recording's journals, stretch by stretch.
import { Worker } from 'node:worker_threads';
import type { Overview, TimeLimit } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import { OpenQuestions } from '../common/open-questions.ts';
import { ReadingStopped } from '../common/reading-progress.ts';
import { NotARecording } from '../recordings/recording-file.ts';
import { ENGINE_LIMITS } from './engine-limits.ts';
import type { FromRecording, RecordingTask, Task, ToRecording } from './engine-messages.ts';
import { ThreadEnded } from './thread-ended.ts';

export interface ReadRecording {
	report: Report;
	overview: Overview;
	/** When the first journal began, in ms since 1970; null where that is unknown. */
	beganAt: number | null;
	/** The texts that ran, by path, as far as the file contains them. */
	sources: ReadonlyMap<string, string>;
	/** A stretch of it; where it is short, one by one. @throws when the thread has ended */
	timeline(query: TimelineQuery): Promise<Timeline>;
	/** The report of what ended in a stretch of it. @throws when the thread has ended */
	part(range: TimeLimit): Promise<Report>;
	/** Calls `listener` while a question takes long because the journals have to be read: with how much was, from 0 to 1; with 1 when that is over. */
	onProgress(listener: (share: number) => void): void;
	/** Stops reading the journals: the questions that wait for it fail with `ReadingStopped`. What is asked later has them read again. */
	stopReading(): void;
	/** Ends the thread: there is no timeline any more. */
	close(): Promise<void>;
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
	const cancel = new Int32Array(new SharedArrayBuffer(4));
	const task: Task = { kind: 'recording', ...recording, cancel };
	const worker = new Worker(program, { workerData: task, execArgv: [], resourceLimits: ENGINE_LIMITS });
	const questions = new OpenQuestions(worker);
	let onProgress: (share: number) => void = () => undefined;
	try {
		const read = await new Promise<FromRecording & { type: 'read' }>((resolve, reject) => {
			worker.on('message', (message: FromRecording) => {
				if (message.type === 'read') resolve(message);
				else if (message.type === 'timeline') questions.answer(message.id, message.timeline);
				else if (message.type === 'part') questions.answer(message.id, message.report);
				else if (message.type === 'progress') onProgress(message.share);
				else if (message.type === 'failure') questions.refuse(message.id, failureOf(message));
				else reject(new NotARecording(message.reason, message.message));
			});
			worker.on('error', (error) => {
				questions.end(error);
				reject(error);
			});
			worker.once('exit', () => {
				questions.end(new ThreadEnded());
				reject(new ThreadEnded());
			});
			signal.addEventListener('abort', () => reject(signal.reason), { once: true });
		});
		questions.rest();
		const { report, overview, beganAt, sources } = read;
		const ask = <Answer>(question: (id: number) => ToRecording): Promise<Answer> =>
			questions.ask((id) => worker.postMessage(question(id)));
		return {
			report,
			overview,
			beganAt,
			sources,
			timeline: (query) => ask((id) => ({ id, question: 'timeline', query })),
			part: (range) => ask((id) => ({ id, question: 'part', range })),
			onProgress: (listener) => {
				onProgress = listener;
			},
			stopReading: () => {
				Atomics.store(cancel, 0, 1);
			},
			close: async () => {
				await worker.terminate();
			},
		};
	} catch (error) {
		await worker.terminate();
		throw error;
	}
}

function failureOf({ message, isStopped }: FromRecording & { type: 'failure' }): Error {
	return isStopped ? new ReadingStopped() : new Error(message);
}
