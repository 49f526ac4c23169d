// One process of the fleet: its main thread and its Workers write journals as the tracer does, with made operations at a steady rate. Real
// operations would take far more of the machine than the extension host, which is what is measured. A process sends `ready` once all of its threads
// write, and when it is sent anything, how many operations it has started.
import { once } from 'node:events';
import { join } from 'node:path';
import { parentPort, threadId, Worker, workerData } from 'node:worker_threads';
import { LEASE_FILE } from '../../../src/protocol/journal.ts';
import { TAG } from '../../../src/protocol/journal-records.ts';
import { hasReader } from '../../../tracer/journal/lease.ts';
import { JournalWriter } from '../../../tracer/journal/writer.ts';
import { MadeOperations } from '../engine/made-journal.ts';

/** What each thread of the fleet is given. */
export interface Share {
	folder: string;
	workers: number;
	/** Operations a second of each thread. */
	rate: number;
}

/** The tracer flushes when a callback ends and 20 ms have passed; a busy program's callbacks end all the time. */
const FLUSH_MS = 50;

const share: Share = parentPort === null ? (JSON.parse(process.argv[2]!) as Share) : (workerData as Share);
const beganUs = Math.round(nowUs());
const lease = join(share.folder, LEASE_FILE);
const file = join(share.folder, `${process.pid}.${threadId}.${beganUs}.journal`);
const writer = new JournalWriter(file, () => hasReader(lease), writeThread);
const made = new MadeOperations(writer);
const workers = parentPort === null ? Array.from({ length: share.workers }, () => startWorker()) : [];
writer.flush(null);

let last = 0;
const timer = setInterval(() => {
	const now = nowUs() - beganUs;
	const due = Math.floor((now * share.rate) / 1e6) - made.count;
	for (let i = 1; i <= due; i++) {
		const at = Math.round(last + ((now - last) * i) / (due + 1));
		made.start(at);
		made.callBack(at, at);
	}
	last = now;
	writer.flush(now);
}, FLUSH_MS);

if (parentPort === null) {
	process.once('message', () => void end());
	await Promise.all(workers.map(({ online }) => online));
	process.send!('ready');
} else {
	parentPort.once('message', () => void end());
}

function nowUs(): number {
	return Number(process.hrtime.bigint() / 1000n);
}

async function end(): Promise<void> {
	clearInterval(timer);
	writer.record(TAG.exit);
	writer.time(Math.round(last));
	writer.uint(0);
	writer.flush(null);
	if (parentPort !== null) {
		parentPort.postMessage(made.count);
		parentPort.unref();
		return;
	}
	const counts = workers.map(({ worker }) => {
		worker.postMessage('end');
		return once(worker, 'message') as Promise<[number]>;
	});
	process.send!((await Promise.all(counts)).reduce((sum, [count]) => sum + count, made.count));
}

function startWorker(): { worker: Worker; online: Promise<unknown> } {
	const worker = new Worker(new URL(import.meta.url), { workerData: share });
	return { worker, online: once(worker, 'online') };
}

function writeThread(target: JournalWriter): void {
	target.record(TAG.thread);
	for (const field of [1, process.pid, process.ppid, threadId]) target.uint(field);
	for (const field of ['24.0.0', '1.51.0', 'linux', '/app/main.js']) target.text(field);
	for (const field of [beganUs, Date.now(), 1, 1, 0, 0, 0]) target.uint(field);
}
