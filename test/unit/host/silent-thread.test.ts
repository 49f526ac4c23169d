// A simulated thread gets a CPU by chance, idles, runs short callbacks and long ones, and is watched by a host at
// random times. What is claimed of it must be true however little CPU either of them got.
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Look, SilentThread } from '../../../src/host/injection/silent-thread.ts';
import { random } from '../../support/random.ts';

/** ms; the machine of the simulation advances so far at a time. */
const STEP = 1;
/** After a callback that ends, the tracer writes its journal unless it has done so this recently, in ms. */
const FLUSH_MS = 50;
/** The host's least time between two looks, in ms. */
const POLL_MS = 100;
const SPAN_MS = 60_000;

interface Claim {
	at: number;
	ms: number;
	/** For how long one callback had really been under way by then; 0 where none was. */
	truth: number;
}

/**
 * @param cpu the share of the time, 0 to 1, in which a CPU is free for the thread
 * @param hostDelay the longest delay of the host's visits, and the longest time that one of its readings takes, in ms
 */
function simulate(seed: number, cpu: number, hostDelay: number): Claim[] {
	const next = random(seed);
	const claims: Claim[] = [];
	let onCpu = 0;
	let wanted = 0;
	/** What the thread has still to do in the current callback, and when that began; null where it idles or only wants to begin. */
	let callback: { began: number; left: number } | null = null;
	let idle = 0;
	let hasCpu = true;
	let stretch = 0;
	let flushed = 0;
	let grown = 0;
	let seen = 0;
	let thread: SilentThread | null = null;
	let nextLook = POLL_MS;
	let reading: { before: number; at: number; after: number; truth: number } | null = null;
	let read: Pick<Look, 'onCpu' | 'wanted'> | null = null;

	for (let now = 0; now < SPAN_MS; now += STEP) {
		// The scheduler changes its mind every 1 to 40 ms.
		if (--stretch <= 0) {
			hasCpu = next() < cpu;
			stretch = 1 + Math.floor(next() * 40);
		}
		if (idle > 0) idle -= STEP;
		else {
			wanted += STEP;
			if (hasCpu) {
				onCpu += STEP;
				// A callback begins once the thread has a CPU.
				callback ??= { began: now, left: next() < 0.02 ? 500 + next() * 2000 : 1 + next() * 20 };
				callback.left -= STEP;
				if (callback.left <= 0) {
					callback = null;
					if (now - flushed > FLUSH_MS) {
						flushed = now;
						grown++;
					}
					idle = next() < 0.5 ? 0 : next() * 150;
				}
			}
		}
		if (reading === null && now >= nextLook) {
			const at = now + next() * hostDelay;
			const truth = callback === null ? 0 : now - callback.began;
			reading = { before: now, at, after: at + next() * hostDelay, truth };
			// The journals are read before the threads are looked at.
			if (grown !== seen) {
				seen = grown;
				thread = null;
				reading = null;
				nextLook = now + POLL_MS + next() * hostDelay;
			}
		}
		if (reading === null) continue;
		if (now >= reading.at) read ??= { onCpu, wanted };
		if (read === null || now < reading.after) continue;
		const look = { before: reading.before, after: now, ...read };
		const ms = thread?.lookAgain(look) ?? null;
		thread ??= new SilentThread(look);
		if (ms !== null) claims.push({ at: look.before, ms, truth: reading.truth });
		reading = null;
		read = null;
		nextLook = now + POLL_MS + next() * hostDelay;
	}
	return claims;
}

for (const [cpu, hostDelay] of [
	[1, 0],
	[0.6, 5],
	[0.2, 5],
	[0.05, 0],
] as const)
	test(`no claim is longer than the callback has run, with a CPU for ${cpu * 100} % of the time`, () => {
		let claimed = 0;
		for (let seed = 1; seed <= 40; seed++)
			for (const { at, ms, truth } of simulate(seed, cpu, hostDelay)) {
				claimed++;
				assert.ok(ms <= truth, `seed ${seed}: ${ms} ms claimed at ${at}, ${truth} ms are true`);
			}
		assert.ok(claimed > 100, `${claimed} claims were checked`);
	});

test('a block is claimed from the second look on, but for the time that the loop may take between callbacks', () => {
	const thread = new SilentThread({ before: 0, after: 0, onCpu: 0, wanted: 0 });
	const claims = [100, 200, 300, 400, 500].map((at) =>
		thread.lookAgain({ before: at, after: at, onCpu: at, wanted: at }),
	);
	assert.deepEqual(claims, [null, null, null, 380, 480]);
});

test('a thread that sleeps, or only waits for a CPU, is not blocked', () => {
	const asleep = new SilentThread({ before: 0, after: 0, onCpu: 0, wanted: 0 });
	const starved = new SilentThread({ before: 0, after: 0, onCpu: 0, wanted: 0 });
	for (let at = 100; at < 2000; at += 100) {
		assert.equal(asleep.lookAgain({ before: at, after: at, onCpu: at / 2, wanted: at / 2 }), null);
		assert.equal(starved.lookAgain({ before: at, after: at, onCpu: at / 200, wanted: at }), null);
	}
});
