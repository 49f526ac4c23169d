// A thread of the runner: tries its share of the mutations one after the other, and shows at which it is, so that one that hangs or takes
// all memory is known.
import { parentPort, workerData } from 'node:worker_threads';
import type { Reader } from './reader.ts';
import { Trial, type Tried } from './try.ts';
import type { Share } from './worker-share.ts';

/** Results are sent together: a message for each would often cost more than the mutation. */
const TOGETHER = 200;

const { originals, seed, from, step, to, reader, at } = workerData as Share;
const { read } = (await import(reader)) as { read: Reader };
// A message between threads makes plain bytes of a Buffer.
const trial = new Trial(
	originals.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })),
	seed,
	read,
);
await trial.warmUp();
let tried: Tried[] = [];
for (let index = from; index < to; index += step) {
	Atomics.store(at, 0, index);
	tried.push(await trial.attempt(index));
	if (tried.length === TOGETHER) send();
}
send();

function send(): void {
	parentPort!.postMessage(tried);
	tried = [];
}
