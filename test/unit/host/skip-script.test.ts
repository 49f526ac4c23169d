// What a debugger steps over, with V8's own inspector.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { skipScript } from '../../../src/host/injection/skip-script.ts';

/** Runs `use` with V8's inspector of this thread, and how to have a script compiled: its id. */
async function inspected(use: (call: Session['post'], compile: (name: string) => string) => Promise<void>) {
	const session = new Session();
	session.connect();
	const ids = new Map<string, string>();
	session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => ids.set(url, scriptId));
	const call = ((method: string, params: object) => session.post(method as never, params as never)) as Session['post'];
	await session.post('Debugger.enable');
	try {
		await use(call, (name) => {
			runInNewContext('0', {}, { filename: name });
			return ids.get(name) ?? assert.fail(`${name} was not announced`);
		});
	} finally {
		session.disconnect();
	}
}

describe('skipping a script', () => {
	it('that V8 has collected by then does nothing, and profiling goes on: on a slow machine that was “No script with passed id”', async () => {
		await inspected(async (call, compile) => {
			const id = compile('collected.js');
			setFlagsFromString('--expose-gc');
			const collect = runInNewContext('gc') as () => void;
			for (let round = 0; round < 3; round++) {
				await new Promise((resolve) => setImmediate(resolve));
				collect();
			}
			const ranges = { scriptId: id, positions: [] };
			await assert.rejects(async () => call('Debugger.setBlackboxedRanges', ranges), /No script with passed id/);
			await skipScript({ call } as never, id);
		});
	});

	it('fails with what the inspector answers otherwise', async () => {
		await assert.rejects(skipScript({ call: () => Promise.reject(new Error('planted')) }, '1'), /planted/);
	});
});
