// The thread that reads journals for the extension host. In the host all extensions share one loop and one heap, and
// decoding a million operations a minute would make V8 double its memory for new objects. In this thread that memory
// has a limit of its own.
import { parentPort, workerData } from 'node:worker_threads';
import type { Report } from '../protocol/report.ts';
import type {
	Answers,
	FromRecording,
	FromSession,
	Question,
	RecordingTask,
	Task,
	ToSession,
} from './engine-messages.ts';
import { LiveSession, type LiveSessionOptions } from './live-session.ts';
import { readBelow } from './read-text.ts';
import { NotARecording, parseRecording } from './recording-file.ts';
import { ReportSender } from './report-changes.ts';
import { reportSourceOf } from './report-source.ts';

// An error thrown here ends the thread, and the other side is notified of it.
const task = workerData as Task;
if (task.kind === 'session') void followSession(task);
else void reportRecording(task);

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

	const answers: { [Q in Question]: (own: readonly string[]) => Promise<Answers[Q]> } = {
		timeline: async () => session.timeline(),
		overview: async () => session.overview(),
		notes: async () => session.notes(),
		handOver: (own) => session.handOver(own).then(() => undefined),
		stop: async () => {
			await session.stop();
			return { timeline: session.timeline(), overview: session.overview(), notes: session.notes() };
		},
	};

	parentPort!.on('message', (message: ToSession) => {
		if (message.type !== 'ask') {
			session[message.type](message.pid, message.at);
			return;
		}
		const { id, question, own = [] } = message;
		answers[question](own).then(
			(answer) => send({ type: 'answer', id, answer }),
			({ message, code, path }: NodeJS.ErrnoException) =>
				send({ type: 'refusal', id, message, ...(code && { code }), ...(path && { path }) }),
		);
	});
}

async function reportRecording({ bytes, name, folders }: RecordingTask): Promise<void> {
	const send = (message: FromRecording) => parentPort!.postMessage(message);
	try {
		const recording = parseRecording(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name);
		const source = reportSourceOf(recording, readBelow(folders));
		const { sources } = recording;
		const report = await source.report();
		send({ type: 'read', report, timeline: source.timeline(), overview: source.overview(), sources });
	} catch (error) {
		if (!(error instanceof NotARecording)) throw error;
		send({ type: 'refusal', reason: error.reason, message: error.message });
	}
}
