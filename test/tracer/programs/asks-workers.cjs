// Sends work to a busy Worker and is busy itself when the results come. Each message contains when it was posted, and whoever takes it prints how long that
// was ago. One message cannot be posted at all.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

/** The same clock in both threads, ms. */
const now = () => performance.timeOrigin + performance.now();
const spent = (what, from) => console.log(`${what}: 0 to ${(now() - from).toFixed(3)} ms`);

function spin(ms) {
	const end = performance.now() + ms;
	while (performance.now() < end);
}

if (isMainThread) main();
else {
	parentPort.on('message', ({ posted, work, gate }) => {
		if (gate) {
			Atomics.store(gate, 0, 1);
			Atomics.wait(gate, 0, 1);
			return;
		}
		const waited = now() - posted;
		if (work < 0) return parentPort.close();
		spin(work);
		// The other end prints it: the output of a Worker goes through the main thread.
		parentPort.postMessage({ posted: now(), waited }); // the way back
	});
}

async function main() {
	const worker = new Worker(__filename);
	/** What a Worker answers to each message, printed. */
	const answers = (count) =>
		new Promise((resolve) => {
			worker.on('message', function take({ posted, waited }) {
				spent('back', posted);
				console.log(`there: 0 to ${waited.toFixed(3)} ms`);
				if (--count > 0) return;
				worker.off('message', take);
				resolve();
			});
		});
	await new Promise((resolve) => worker.once('online', resolve));
	// It takes none of the four before all are posted.
	const gate = new Int32Array(new SharedArrayBuffer(4));
	worker.postMessage({ gate }); // what blocks it
	while (Atomics.load(gate, 0) === 0);
	let answered = answers(4);
	for (let i = 0; i < 4; i++) worker.postMessage({ posted: now(), work: 30 }); // to the Worker
	Atomics.store(gate, 0, 2);
	Atomics.notify(gate, 0);
	await new Promise((resolve) => setTimeout(resolve, 20));
	spin(50);
	await answered;

	try {
		worker.postMessage(() => undefined); // what cannot be cloned
	} catch (error) {
		console.log(error.name);
	}
	for (let i = 0; i < 3; i++) {
		await new Promise((resolve) => setTimeout(resolve, 120));
		answered = answers(1);
		worker.postMessage({ posted: now(), work: 0 }); // after that
		await answered;
	}
	worker.postMessage({ posted: 0, work: -1 });
}
