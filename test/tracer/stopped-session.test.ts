// A session that is stopped while its program continues, as when a debugger detaches: what was done until then is in
// the report.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { LiveSession } from '../../src/host/sessions/live-session.ts';
import type { Report } from '../../src/protocol/report.ts';
import { follow } from '../support/live.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';

const LOOKS = 30;

describe('a session stopped while its program runs', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			for (const [when, marks] of [
				['at work', LOOKS - 5],
				['at rest', LOOKS],
			] as const) {
				it(`has all that was done, ${when}`, async () => {
					let live: LiveSession | undefined;
					let done = 0;
					let atStop = 0;
					let stopped: Promise<Report> | undefined;
					const { code } = await follow(
						node,
						[join(tracerPrograms, 'marks-its-work.cjs')],
						(session) => {
							live = session;
						},
						{
							onStderr: (text) => {
								assert.equal(text.replaceAll('+', ''), '');
								done += text.length;
								if (done < marks || stopped !== undefined) return;
								atStop = done;
								stopped = live!.stop();
								// The program runs until the session has stopped.
								void stopped.then(({ processes }) => process.kill(processes[0]!.pid, 'SIGTERM'));
							},
						},
					);
					const { lines, processes } = await stopped!;
					assert.equal(code, 0);
					const count = lines.find(({ op }) => op === 'fs.stat')?.count ?? 0;
					assert.ok(count >= atStop && count <= LOOKS, `${count} looks, after ${atStop}`);
					assert.deepEqual(
						processes.map(({ end }) => end),
						['running'],
					);
				});
			}
		});
	}
});
