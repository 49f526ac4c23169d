// Sends work to a busy Worker and is busy itself when the results come. Each message contains when it was posted, and whoever takes it knows how long that
// was ago. It reads the clock before it reads `postMessage`, since a message counts as posted from then. The main thread prints that, and how long it must have been at least, wherever the machine stopped meanwhile. One message cannot be posted at all.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

const TOGETHER = 4;
const WORK_MS = 30;
/** The same clock in both threads, ms. */
const now = () => Number(process.hrtime.bigint()) / 1e6;
/** @param due when it was taken at the earliest @param by it was posted by then */
const spent = (what, ms, due, by) =>
	console.log(`${what}: 0 to ${ms.toFixed(3)} ms, at least ${Math.max(0, due - by).toFixed(3)} ms`);

function spin(ms) {
	const end = now() + ms;
	while (now() < end);
}

if (isMainThread) main();
else {
	/** When the Worker had posted its answers by, shared with the main thread. */
	let answeredBy;
	let answers = 0;
	parentPort.on('message', ({ posted, work, gate, shared }) => {
		if (gate) {
			answeredBy = shared;
			Atomics.store(gate, 0, 1);
			Atomics.wait(gate, 0, 1);
			return;
		}
		const waited = now() - posted;
		if (work < 0) return parentPort.close();
		spin(work);
		// The other end prints it: the output of a Worker goes through the main thread.
		const answered = now();
		parentPort.postMessage({ posted: answered, waited }); // the way back
		answeredBy[answers++] = now();
	});
}

async function main() {
	const worker = new Worker(__filename);
	/** Until the Worker has posted an answer, that is not over. */
	const answeredBy = new Float64Array(new SharedArrayBuffer(8 * (TOGETHER + 3))).fill(Infinity);
	/** Of all messages: when each was posted by, and when it was taken at the earliest. */
	const there = [];
	/** When this thread was busy last. */
	let busyUntil = 0;
	let answered = 0;
	/** What a Worker answers to each message, printed. */
	const answers = (count) =>
		new Promise((resolve) => {
			worker.on('message', function take({ posted, waited }) {
				spent('back', now() - posted, busyUntil, answeredBy[answered]);
				spent('there', waited, there[answered].due, there[answered].by);
				answered++;
				if (--count > 0) return;
				worker.off('message', take);
				resolve();
			});
		});
	await new Promise((resolve) => worker.once('online', resolve));
	// It takes none of the four before all are posted.
	const gate = new Int32Array(new SharedArrayBuffer(4));
	worker.postMessage({ gate, shared: answeredBy }); // what blocks it
	while (Atomics.load(gate, 0) === 0);
	let over = answers(TOGETHER);
	for (let i = 0; i < TOGETHER; i++) {
		const posted = now();
		worker.postMessage({ posted, work: WORK_MS }); // to the Worker
		there.push({ by: now() });
	}
	const opened = now();
	for (const [before, message] of there.entries()) message.due = opened + before * WORK_MS;
	Atomics.store(gate, 0, 2);
	Atomics.notify(gate, 0);
	// Two of the answers come meanwhile, and wait.
	while (answeredBy[1] === Infinity) spin(1);
	spin(20);
	busyUntil = now();
	await over;

	try {
		worker.postMessage(() => undefined); // what cannot be cloned
	} catch (error) {
		console.log(error.name);
	}
	for (let i = 0; i < 3; i++) {
		await new Promise((resolve) => setTimeout(resolve, 120));
		over = answers(1);
		there.push({ by: 0, due: 0 });
		const posted = now();
		worker.postMessage({ posted, work: 0 }); // after that
		await over;
	}
	worker.postMessage({ posted: 0, work: -1 });
}
