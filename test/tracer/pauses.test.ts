// A person pauses a program in the debugger. Where V8 stops in Node's own code, a debugger steps on until it comes to the program's, through all that the
// tracer calls of Node's, too. While the tracer's clock stands still it calls nothing, so the way is as long as with a hook that does nothing. And a request
// that V8 takes inside the tracer is lost, so it is repeated.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Inspector } from '../../src/host/injection/inspector.ts';
import { LEASE_FILE, TRACER_MARK, WINDOW_TITLE } from '../../src/protocol/journal.ts';
import { askForPause, repeatPause } from '../../src/vscode/debugging/asked-pause.ts';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { root } from '../support/paths.ts';
import { plainEnvironment } from '../support/process.ts';
import { scratchFolder } from '../support/scratch.ts';

const PAUSES = 3;
/** From the end of one pause to the next. */
const BETWEEN_MS = 300;
/** Enough that one of them reaches the tracer while it runs. */
const PAUSES_OF_BUSY = 20;
/** How many steps of the way may be our own, of some 75: Node 18 and 20 call hooks in another way than an empty one's. */
const TOLERANCE = 10;
const PROGRAM = 'function program() {} setInterval(program, 20)';
/** Most of its time is the tracer's. */
const BUSY = 'function program() { setImmediate(program) } program()';
const EMPTY_HOOK = `require('node:async_hooks').createHook({ init() {}, before() {}, after() {} }).enable();`;
const CONTROL = `Object.getOwnPropertyDescriptor(Object.getPrototypeOf(process), 'emit').get[Symbol.for('${TRACER_MARK}')]`;
/** As the host does while a program is debugged: the sampler then writes what it has of blocks. */
const END_WINDOW = `profile('${WINDOW_TITLE}'); profileEnd('${WINDOW_TITLE}')`;

interface Paused {
	callFrames: { functionName: string }[];
}

/**
 * How many steps each pause of a program takes to come to the program's own function.
 * @param env of a traced program
 * @param isEnough whether a pause has come when the thread stops in a function of this name
 */
async function stepsOfPauses(
	node: NodeBuild,
	program: string,
	env: Record<string, string>,
	pauses = PAUSES,
	isEnough: (name: string) => boolean = (name) => name === 'program',
): Promise<number[]> {
	const preload = Object.keys(env).length === 0 ? [] : ['--require', join(root, 'dist', 'tracer.cjs')];
	const child = spawn(node.path, ['--inspect=127.0.0.1:0', ...preload, '-e', program], {
		env: plainEnvironment(env),
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	// A test that is ended for lasting too long does not come to its own end.
	const kill = () => child.kill('SIGKILL');
	process.once('exit', kill);
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
		for (let pause = 0; pause < pauses; pause++) {
			await delay(BETWEEN_MS);
			if (preload.length > 0) await inspector.evaluate(END_WINDOW);
			let stop = once(events, 'Debugger.paused') as Promise<[Paused]>;
			await Promise.all([inspector.call('Debugger.pause', {}), control(true)]);
			const ask = () => askForPause(inspector, `${CONTROL}(true)`);
			const endRepeating = preload.length > 0 ? repeatPause(ask) : undefined;
			for (let steps = 0; ; steps++) {
				const [{ callFrames }] = await stop;
				if (isEnough(callFrames[0]!.functionName)) {
					counts.push(steps);
					break;
				}
				stop = once(events, 'Debugger.paused') as Promise<[Paused]>;
				await inspector.call('Debugger.stepInto', {});
			}
			endRepeating?.();
			await control(false);
			await inspector.call('Debugger.resume', {});
		}
		inspector.close();
		return counts;
	} finally {
		process.off('exit', kill);
		kill();
	}
}

/** The environment of a traced program. */
function traced(): Record<string, string> {
	const folder = scratchFolder('pauses');
	// With the holder's id: the steps may take longer than a lease that nobody renews.
	writeFileSync(join(folder, LEASE_FILE), String(process.pid));
	return {
		WAITLINE_FOLDER: folder,
		WAITLINE_SAMPLER: join(root, 'dist', 'sampler.cjs'),
		WAITLINE_SAMPLER_WAITS: '1',
	};
}

// Nearly all of the time is the inspector's, some 40 ms for each step.
describe('pauses', { concurrency: true }, () => {
	for (const node of nodes()) {
		it(`every pause of a busy program comes on Node ${node.major}: V8 forgets what it is asked inside the tracer`, async () => {
			const counts = await stepsOfPauses(node, BUSY, traced(), PAUSES_OF_BUSY, () => true);
			assert.equal(counts.length, PAUSES_OF_BUSY);
		});

		it(`a pause comes after as many steps of the debugger as with an empty hook, on Node ${node.major}`, async () => {
			const [bare, ours] = await Promise.all([
				stepsOfPauses(node, EMPTY_HOOK + PROGRAM, {}),
				stepsOfPauses(node, PROGRAM, traced()),
			]);
			// A pause that comes while the tracer writes its journal is some 300 steps longer: the clock stops after that.
			const most = Math.max(...bare) + TOLERANCE;
			assert.ok(
				ours.sort((a, b) => a - b)[PAUSES >> 1]! <= most,
				`${ours.join(', ')} steps instead of ${bare.join(', ')}`,
			);
		});
	}
});
