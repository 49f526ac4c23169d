// What a busy program costs the extension host: the delay of its event loop and its memory while a million operations a
// minute come in, for as long as the benchmark's argument says.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { BENCH_SECONDS_VARIABLE, OUT_VARIABLE } from '../environment.ts';
import { fileOf, open, until, waitline } from './editor.ts';
import { debug, type Launch, stopAll } from './session.ts';

/** A million a minute. */
const RATE = 16_667;
/** The timer that measures the delay, in ms; it is what the monitor reports when there is none. */
const RESOLUTION_MS = 5;
const SAMPLE_S = 5;
/** After this time the memory must be flat, as it is without a profile. */
const SETTLE_S = 120;

export interface Ingest {
	seconds: number;
	operations: number;
	p50Ms: number;
	p99Ms: number;
	maxMs: number;
	sampleSeconds: number;
	/** Of the extension host, at every sample, in MiB. */
	rssMib: number[];
	/**
	 * The size of its heap and its buffers after a full collection, in MiB: after each minute but the first, and at the
	 * end.
	 */
	usedMib: number[];
}

/** Of the whole extension host, in MiB. */
function usedAfterCollection(): number {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	collect();
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / 2 ** 20;
}

describe('a million operations a minute', function () {
	const seconds = Number(process.env[BENCH_SECONDS_VARIABLE] ?? 60);
	this.timeout((2 * seconds + 120) * 1000);
	let api: WaitlineApi;

	before(async () => {
		api = await waitline();
		await open(fileOf('at-rate.cjs'));
	});
	after(stopAll);

	async function observe(launch: Launch, stopFile: string): Promise<Ingest> {
		const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
		const rssMib: number[] = [];
		const usedMib: number[] = [];
		await sleep(3000);
		delay.enable();
		for (let second = SAMPLE_S; second <= seconds; second += SAMPLE_S) {
			await sleep(SAMPLE_S * 1000);
			rssMib.push(process.memoryUsage().rss / 2 ** 20);
			if ((second % 60 !== 0 || second < SETTLE_S) && second !== seconds) continue;
			// The collection that we request does not count as our delay.
			delay.disable();
			usedMib.push(usedAfterCollection());
			delay.enable();
		}
		delay.disable();
		writeFileSync(stopFile, '');
		await launch.end();
		const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
		return {
			seconds,
			operations: Number(readFileSync(stopFile, 'utf8')),
			p50Ms: ms(delay.percentile(50)),
			p99Ms: ms(delay.percentile(99)),
			maxMs: ms(delay.max),
			sampleSeconds: SAMPLE_S,
			rssMib,
			usedMib,
		};
	}

	function start(stopFile: string, isProfiled: boolean): Promise<Launch> {
		const env = { RATE: String(RATE), STOP_FILE: stopFile };
		return debug('at-rate.cjs', { env, [PROFILE_MARK]: isProfiled });
	}

	it('measures what it costs the extension host', async () => {
		const control = await observe(await start(fileOf('stop plain'), false), fileOf('stop plain'));
		const profiled = await observe(await start(fileOf('stop profiled'), true), fileOf('stop profiled'));
		await until('the end of the profile', () => !api.live());
		const { emitted, decoded, dropped, lost } = api.report()!.accounting;
		assert.deepEqual({ decoded, dropped, lost }, { decoded: emitted, dropped: 0, lost: 0 });
		assert.ok(profiled.operations > RATE * seconds * 0.9, `${profiled.operations} operations in ${seconds} s`);
		writeFileSync(path.join(process.env[OUT_VARIABLE]!, 'ingest.json'), JSON.stringify({ control, profiled }));
	});
});
