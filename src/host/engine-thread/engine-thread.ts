// The thread that reads journals for the extension host. In the host all extensions share one loop and one heap, and
// decoding a million operations a minute would make V8 double its memory for new objects. In this thread that memory
// has a limit of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { type ComparedRun, compareRuns } from '../../engine/compare/comparison.ts';
import type { Report } from '../../protocol/report.ts';
import { ReportSender } from '../../protocol/report-changes.ts';
import { type ReadText, readAny, readBelow } from '../common/read-text.ts';
import { ReadingProgress, ReadingStopped } from '../common/reading-progress.ts';
import { NotARecording, parseRecording, type Recording } from '../recordings/recording-file.ts';
import { comparedRun } from '../sessions/compared-run.ts';
import { LiveSession, type LiveSessionOptions } from '../sessions/live-session.ts';
import { RecordedSession } from '../sessions/recorded-session.ts';
import { WhatIfSource } from '../sessions/what-if-source.ts';
import type {
	Answers,
	FromRecording,
	FromReplay,
	FromSession,
	Question,
	Questions,
	RecordingTask,
	Task,
	ToRecording,
	ToReplay,
	ToSession,
} from './engine-messages.ts';

// An error thrown here ends the thread, and the other side is notified of it.
const task = workerData as Task;
switch (task.kind) {
	case 'session':
		void followSession(task);
		break;
	case 'recording':
		void reportRecording(task);
		break;
	case 'replay':
		void replayRecording(task);
		break;
	case 'comparison':
		void compareRecordings(task);
		break;
	default:
		task satisfies never;
}

async function followSession(options: LiveSessionOptions): Promise<void> {
	const session = await LiveSession.start(options);
	const sender = new ReportSender();
	let sent: Report | undefined;
	const send = (message: FromSession) => parentPort!.postMessage(message);
	session.onUpdate(() => {
		if (session.failure !== null) throw session.failure;
		const report = session.report();
		send({ type: 'update', changes: report === sent ? null : sender.changesOf(report), now: session.now() });
		sent = report;
	});

	const answers: { [Q in Question]: (...about: Questions[Q]) => Promise<Answers[Q]> } = {
		timeline: (query) => session.timeline(query),
		part: (range) => session.part(range),
		overview: async () => session.overview(),
		summary: () => session.summary(),
		notes: async () => session.notes(),
		handOver: (own) => session.handOver(own).then(() => undefined),
		stop: async () => {
			await session.stop();
			return { overview: session.overview(), notes: session.notes() };
		},
	};

	parentPort!.on('message', (message: ToSession) => {
		if (message.type === 'endByPerson') {
			session.endByPerson();
			return;
		}
		if (message.type !== 'ask') {
			session[message.type](message.pid, message.at);
			return;
		}
		const { id, question, about } = message;
		(answers[question] as (...about: unknown[]) => Promise<Answers[Question]>)(...about).then(
			(answer) => send({ type: 'answer', id, answer }),
			({ message, code, path }: NodeJS.ErrnoException) =>
				send({ type: 'refusal', id, message, ...(code && { code }), ...(path && { path }) }),
		);
	});
}

async function reportRecording(task: RecordingTask): Promise<void> {
	const send = (message: FromRecording) => parentPort!.postMessage(message);
	const { folders, cancel } = task;
	const progress = new ReadingProgress((share) => send({ type: 'progress', share }), cancel);
	try {
		const recording = parsed(task);
		const session = new RecordedSession(recording, readFor(folders), (share) => progress.at(share));
		send({ type: 'read', ...(await session.first()), sources: recording.sources });
		parentPort!.on('message', async (message: ToRecording) => {
			const { id } = message;
			try {
				if (message.question === 'part') send({ type: 'part', id, report: await session.part(message.range) });
				else send({ type: 'timeline', id, timeline: await session.timeline(message.query) });
			} catch (error) {
				const isStopped = error instanceof ReadingStopped;
				send({ type: 'failure', id, message: (error as Error).message, isStopped });
			}
			progress.end();
		});
	} catch (error) {
		if (!(error instanceof NotARecording)) throw error;
		send({ type: 'refusal', reason: error.reason, message: error.message });
	}
}

function readFor(folders: RecordingTask['folders']): ReadText {
	return folders === null ? readAny : readBelow(folders);
}

function parsed({ bytes, name }: RecordingTask): Recording {
	return parseRecording(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name);
}

async function replayRecording(task: RecordingTask): Promise<void> {
	const source = WhatIfSource.of(parsed(task), readFor(task.folders));
	parentPort!.on('message', ({ question }: ToReplay) => {
		const send = (message: FromReplay) => parentPort!.postMessage(message);
		source.then(
			(read) => send({ type: 'predicted', report: read.predict(question) }),
			(error: Error) => send({ type: 'refusal', message: error.message }),
		);
	});
}

async function compareRecordings({ before, after }: Task & { kind: 'comparison' }): Promise<void> {
	const send = (message: FromReplay) => parentPort!.postMessage(message);
	try {
		const runs: ComparedRun[] = [];
		// One after the other: each may be as large as memory allows.
		for (const task of [...before, after]) runs.push(await comparedRun(parsed(task), readFor(task.folders)));
		send({ type: 'compared', comparison: compareRuns(runs.slice(0, -1), runs.slice(-1)) });
	} catch (error) {
		send({ type: 'refusal', message: (error as Error).message });
	}
}
