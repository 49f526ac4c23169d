// A person pauses a program in the debugger. Where V8 stops in Node's own code, a debugger steps on until it comes to the program's, through all that the
// tracer calls of Node's, too. While the tracer's clock stands still it calls nothing, so the way is as long as with a hook that does nothing.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Inspector } from '../../src/host/inspector.ts';
import { LEASE_FILE, TRACER_MARK, WINDOW_TITLE } from '../../src/protocol/journal.ts';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { root } from '../support/paths.ts';
import { plainEnvironment } from '../support/process.ts';
import { scratchFolder } from '../support/scratch.ts';

const PAUSES = 3;
/** How many steps of the way may be our own, of some 75: Node 18 and 20 call hooks in another way than an empty one's. */
const TOLERANCE = 10;
const PROGRAM = 'function program() {} setInterval(program, 20)';
const EMPTY_HOOK = `require('node:async_hooks').createHook({ init() {}, before() {}, after() {} }).enable();`;
const CONTROL = `Object.getOwnPropertyDescriptor(Object.getPrototypeOf(process), 'emit').get[Symbol.for('${TRACER_MARK}')]`;
/** As the host does while a program is debugged: the sampler then writes what it has of blocks. */
const END_WINDOW = `profile('${WINDOW_TITLE}'); profileEnd('${WINDOW_TITLE}')`;

interface Paused {
	callFrames: { functionName: string }[];
}

/** How many steps each pause of a program takes to come to the program's own function. @param env of a traced program */
async function stepsOfPauses(node: NodeBuild, program: string, env: Record<string, string>): Promise<number[]> {
	const preload = Object.keys(env).length === 0 ? [] : ['--require', join(root, 'dist', 'tracer.cjs')];
	const child = spawn(node.path, ['--inspect=127.0.0.1:0', ...preload, '-e', program], {
		env: plainEnvironment(env),
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	try {
		let said = '';
		child.stderr.on('data', (piece) => {
			said += piece;
		});
		while (!/ws:\/\/\S+\n/.test(said)) await once(child.stderr, 'data');
		const events = new EventEmitter();
		const emit = (method: string, params: object) => events.emit(method, params);
		const inspector = await Inspector.connect(/ws:\/\/\S+/.exec(said)![0], `it has ended: ${said}`, emit);
		await inspector.call('Debugger.enable', {});
		await inspector.call('Debugger.setBlackboxPatterns', { patterns: ['tracer\\.cjs$', 'sampler\\.cjs$'] });
		// The inspector listens before the program runs.
		while ((await inspector.evaluate('typeof program')) !== 'function');
		const control = (isStill: boolean) => preload.length > 0 && inspector.evaluate(`${CONTROL}(${isStill})`);
		const counts: number[] = [];
		for (let pause = 0; pause < PAUSES; pause++) {
			await delay(300);
			if (preload.length > 0) await inspector.evaluate(END_WINDOW);
			let stop = once(events, 'Debugger.paused') as Promise<[Paused]>;
			await Promise.all([inspector.call('Debugger.pause', {}), control(true)]);
			for (let steps = 0; ; steps++) {
				const [{ callFrames }] = await stop;
				if (callFrames[0]!.functionName === 'program') {
					counts.push(steps);
					break;
				}
				stop = once(events, 'Debugger.paused') as Promise<[Paused]>;
				await inspector.call('Debugger.stepInto', {});
			}
			await control(false);
			await inspector.call('Debugger.resume', {});
		}
		inspector.close();
		return counts;
	} finally {
		child.kill('SIGKILL');
	}
}

// Nearly all of the time is the inspector's, some 40 ms for each step.
describe('pauses', { concurrency: true }, () => {
	for (const node of nodes()) {
		it(`a pause comes after as many steps of the debugger as with an empty hook, on Node ${node.major}`, async () => {
			const folder = scratchFolder('pauses');
			writeFileSync(join(folder, LEASE_FILE), '');
			const env = {
				WAITLINE_FOLDER: folder,
				WAITLINE_SAMPLER: join(root, 'dist', 'sampler.cjs'),
				WAITLINE_SAMPLER_WAITS: '1',
			};
			const [bare, traced] = await Promise.all([
				stepsOfPauses(node, EMPTY_HOOK + PROGRAM, {}),
				stepsOfPauses(node, PROGRAM, env),
			]);
			const most = Math.max(...bare) + TOLERANCE;
			assert.ok(Math.max(...traced) <= most, `${traced.join(', ')} steps instead of ${bare.join(', ')}`);
		});
	}
});
