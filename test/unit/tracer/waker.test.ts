// When the tracer may wait for the loop to rest: a program that hears of promises must hear of none of ours.
import assert from 'node:assert/strict';
import test from 'node:test';

// In the bundle, the program is in another realm than the tracer.
Object.assign(globalThis, { program: globalThis });
const { Waker } = await import('../../../tracer/waker.ts');

type Parts = ConstructorParameters<typeof Waker>;

/** Waits until a waker has woken the loop once. @returns how often it began a rest @param turnsOn whether the program turns on a hook meanwhile */
async function rests(turnsOn: boolean): Promise<number> {
	let begun = 0;
	const otherHooks = { areThere: false, look: () => undefined, unwatch: () => undefined };
	const upkeep = { pause: 1000, now: () => 0, wake: () => false, loopDelay: () => undefined };
	const begin = () => {
		begun++;
		return 0;
	};
	const woken = new Promise<void>((resolve) => {
		const guard = (step: () => void) => {
			step();
			resolve();
		};
		const hooks = { sawPromise: false, checkGarbage: () => undefined };
		const waker = new Waker(...([upkeep, otherHooks, guard, hooks, { begin }] as unknown as Parts));
		waker.isBeginning = false;
		waker.wakeSoon(null);
	});
	otherHooks.areThere = turnsOn;
	// The wait itself keeps no process alive.
	const alive = setInterval(() => undefined, 1000);
	await woken;
	clearInterval(alive);
	return begun;
}

test('no rest begins once the program has a hook that would see its promise', async () => {
	assert.deepEqual([await rests(false), await rests(true)], [1, 0]);
});
