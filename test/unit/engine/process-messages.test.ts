// Which message of a thread is the one that another thread's callback takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelOf, ProcessMessages } from '../../../src/engine/threads/process-messages.ts';

/** Messages posted at these times, in µs, and when each arrived; undefined where it has not. */
function posted(...times: number[]) {
	return postedUntil(
		times,
		times.map((at) => at),
	);
}

/** Messages of which it is known that they were posted between two times; also how long each waited. */
function postedUntil(times: number[], untils: number[]) {
	const messages = new ProcessMessages();
	const channel = channelOf(1, true);
	const arrived: (number | null | undefined)[] = times.map(() => undefined);
	const waited: (number | undefined)[] = times.map(() => undefined);
	times.forEach((at, index) => {
		messages.post(channel, {
			at,
			until: untils[index]!,
			arrive: (time, from) => {
				arrived[index] = time;
				waited[index] = time === null ? undefined : time - from;
			},
		});
	});
	return { arrived, waited, messages, channel };
}

test('messages arrive in their order, each in its own direction', () => {
	const { arrived, messages, channel } = posted(10, 20, 30);
	messages.take(channel, 100, 5);
	messages.take(channelOf(1, false), 150, 5);
	messages.take(channelOf(2, true), 150, 5);
	messages.take(channel, 200, 5);
	assert.deepEqual(arrived, [100, 200, undefined]);
});

test('one that the other loop would have taken before it slept never arrived', () => {
	const { arrived, messages, channel } = posted(10, 1_000_000);
	messages.take(channel, 1_000_100, 1_000_090);
	assert.deepEqual(arrived, [null, 1_000_100]);
	const alone = posted(10);
	alone.messages.take(alone.channel, 1_000_100, 1_000_090);
	assert.deepEqual(alone.arrived, [null], 'whose message it is, is unknown');
});

test('a loop that is woken late on a busy machine takes the message that woke it', () => {
	const { arrived, messages, channel } = posted(10, 20);
	messages.take(channel, 40_000, 40_000);
	assert.deepEqual(arrived, [40_000, undefined]);
});

test('what a Worker has not taken when it ends, nobody takes', () => {
	const { arrived, messages, channel } = posted(10, 20);
	messages.end(channel);
	messages.take(channel, 100, 5);
	assert.deepEqual(arrived, [null, null]);
});

test('a message that its sender computed after it had read postMessage did not wait meanwhile', () => {
	// `parentPort.postMessage(compute())`: the receiver slept until the message came.
	const { waited, messages, channel } = postedUntil([10], [400_010]);
	messages.take(channel, 400_000, 400_000);
	assert.deepEqual(waited, [0]);
	// Its callback may still run when the message is taken.
	const running = postedUntil([10], [Number.POSITIVE_INFINITY]);
	running.messages.take(running.channel, 400_000, 399_000);
	assert.deepEqual(running.waited, [1000]);
	// A receiver that was busy all the time shows nothing.
	const busy = postedUntil([10], [500_000]);
	busy.messages.take(busy.channel, 400_000, 5);
	assert.deepEqual(busy.waited, [399_990]);
});
