// A blocked loop is reported while it is blocked, by a look from outside; the program's own clock says when it was.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { follow } from '../support/live.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { scratchFolder } from '../support/scratch.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';

interface Sample {
	/** The look was not before this time, nor after that one, in ms of hrtime: what it found is reported later. */
	after: number;
	at: number;
	sinceMs: number;
}

const skip = process.platform === 'linux' ? false : 'only Linux shows another process’s threads';
/** The kernel counts a running thread's time at its ticks, at most 10 ms apart, and two processes read their clocks. */
const SLACK_MS = 20;
/** The program stops working once the host has reported it this often, and for this long, in ms. */
const ENOUGH = 3;
const LONG_MS = 600;
/** How long a program stands at its breakpoint, in ms. */
const STANDS_MS = 1000;
/** And when to give up, in ms. */
const LIMIT_MS = 240_000;

/** ms of the clock that all processes share. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

describe('blocked right now', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, { skip }, () => {
			it('is reported while one callback works, and not while the loop idles, turns or sleeps', async () => {
				const samples: Sample[] = [];
				let isBlocked = false;
				let previous = now();
				const enough = join(scratchFolder('blocked'), 'enough');
				const program = [join(tracerPrograms, 'blocks-its-loop.cjs'), enough];
				const { session, stdout, code } = await follow(node, program, (live) => {
					live.onUpdate(() => {
						const [after, at] = [previous, now()];
						previous = at;
						const blocked = live.blockedNow();
						isBlocked = blocked.length > 0;
						samples.push(...blocked.map(({ sinceMs }) => ({ after, at, sinceMs })));
						if (samples.length >= ENOUGH && samples.at(-1)!.sinceMs > LONG_MS) writeFileSync(enough, '');
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
				assert.ok(existsSync(enough), `seen ${samples.length} times, for ${samples.at(-1)?.sinceMs} ms`);
				assert.equal(isBlocked, false, 'and no longer once it was over');
				for (const { after, at, sinceMs } of samples) {
					assert.ok(sinceMs <= at - from + SLACK_MS, `${sinceMs} ms reported after ${at - from}`);
					assert.ok(after - sinceMs <= to, `${sinceMs} ms reported ${after - to} ms after the end`);
				}
			});

			it('is not reported of a program that stands at a breakpoint', async () => {
				const claims: Sample[] = [];
				let stoppedAt = 0;
				let stops = 0;
				let isBlockedInTheEnd = true;
				let client: WebSocket | undefined;
				let said = '';
				let isBlocked = () => false;
				let previous = now();
				const { session, stdout } = await follow(
					node,
					[join(tracerPrograms, 'stops-in-debugger.cjs')],
					(live) => {
						isBlocked = () => live.blockedNow().length > 0;
						live.onUpdate(() => {
							const [after, at] = [previous, now()];
							previous = at;
							if (stops > 0) claims.push(...live.blockedNow().map(({ sinceMs }) => ({ after, at, sinceMs })));
						});
					},
					{
						onStderr: (text) => {
							said += text;
							const url = /ws:\S+(?=\s)/.exec(said)?.[0];
							if (url === undefined || client !== undefined) return;
							client = new WebSocket(url);
							client.onopen = () => {
								client?.send(JSON.stringify({ id: 1, method: 'Debugger.enable' }));
								const params = { expression: 'globalThis.isDebugged = true' };
								client?.send(JSON.stringify({ id: 2, method: 'Runtime.evaluate', params }));
							};
							client.onmessage = ({ data }) => {
								const { method } = JSON.parse(String(data)) as { method?: string };
								if (method !== 'Debugger.paused') return;
								stops++;
								stoppedAt = now();
								// What was said of the program's start stays until the next look.
								const goOn = () => {
									isBlockedInTheEnd = isBlocked();
									if (isBlockedInTheEnd && now() < stoppedAt + LIMIT_MS) return setTimeout(goOn, 100);
									client?.send(JSON.stringify({ id: 3, method: 'Debugger.resume' }));
									client?.close();
								};
								setTimeout(goOn, STANDS_MS);
							};
						},
					},
				);
				await session.stop();
				assert.equal(stdout, 'went on\n');
				// On a busy machine the program's own start may be a block.
				const since = claims.filter(({ after, sinceMs }) => after - sinceMs > stoppedAt);
				assert.deepEqual({ stops, since, isBlockedInTheEnd }, { stops: 1, since: [], isBlockedInTheEnd: false }, said);
			});
		});
	}
});
