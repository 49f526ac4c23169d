// A loop that is blocked is told while it is, by a look from outside; the program's own clock says when it was.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { follow } from '../support/live.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';

interface Sample {
	/** ms of hrtime. */
	at: number;
	sinceMs: number;
}

const skip = process.platform === 'linux' ? false : 'only Linux shows another process’s threads';
/** The two processes read their clocks a little apart, and a tick of the scheduler may come between. */
const SLACK_MS = 30;

for (const node of nodes()) {
	describe(`blocked right now, on Node ${node.major}`, { skip }, () => {
		it('is told while one callback works, and neither idling, turning nor sleeping', async () => {
			const samples: Sample[] = [];
			let isBlocked = false;
			const { session, stdout, code } = await follow(node, [join(tracerPrograms, 'holds-its-loop.cjs')], (live) => {
				live.onUpdate(() => {
					const at = Number(process.hrtime.bigint()) / 1e6;
					const blocked = live.blockedNow();
					isBlocked = blocked.length > 0;
					samples.push(...blocked.map(({ sinceMs }) => ({ at, sinceMs })));
					assert.deepEqual(
						live.now().flatMap(({ threads }) => threads.map(({ blockedMs }) => blockedMs)),
						live
							.now()
							.flatMap(({ pid, threads }) =>
								threads.map(
									({ threadId }) =>
										blocked.find((thread) => thread.pid === pid && thread.threadId === threadId)?.sinceMs ?? null,
								),
							),
					);
				});
			});
			await session.stop();
			assert.equal(code, 0);
			const { from, to } = JSON.parse(stdout) as { from: number; to: number };
			assert.ok(samples.length >= 3, `seen several times while it lasted: ${samples.length}`);
			assert.ok(samples.at(-1)!.sinceMs > 600, 'for most of its time');
			assert.equal(isBlocked, false, 'and told when it was over');
			for (const { at, sinceMs } of samples) {
				assert.ok(sinceMs <= at - from + SLACK_MS, `${sinceMs} ms told after ${at - from}`);
				// What is told was seen before a listener runs.
				assert.ok(at - sinceMs <= to && at >= from + 300 - SLACK_MS, `told from ${from} to ${to}, at ${at}`);
			}
		});

		it('is not told of a program that stands at a breakpoint', async () => {
			let told = 0;
			let stops = 0;
			let client: WebSocket | undefined;
			let said = '';
			const { session, stdout } = await follow(
				node,
				['--inspect=0', join(tracerPrograms, 'stops-in-debugger.cjs')],
				(live) =>
					live.onUpdate(() => {
						told += live.blockedNow().length;
					}),
				{
					onStderr: (text) => {
						said += text;
						const url = /ws:\S+/.exec(said)?.[0];
						if (url === undefined || client !== undefined) return;
						client = new WebSocket(url);
						client.onopen = () => client?.send(JSON.stringify({ id: 1, method: 'Debugger.enable' }));
						client.onmessage = ({ data }) => {
							const { method } = JSON.parse(String(data)) as { method?: string };
							if (method !== 'Debugger.paused') return;
							stops++;
							setTimeout(() => {
								client?.send(JSON.stringify({ id: 2, method: 'Debugger.resume' }));
								client?.close();
							}, 1000);
						};
					},
				},
			);
			await session.stop();
			assert.equal(stdout, 'went on\n');
			assert.deepEqual({ stops, told }, { stops: 1, told: 0 }, said);
		});
	});
}
