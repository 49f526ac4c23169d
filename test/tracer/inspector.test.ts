// What the host evaluates in a thread of the program runs to its end, though the person has just asked the debugger to stop the program. Otherwise
// a program that was paused while its stack samples were read had js-debug save our profiles in the workspace.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { it } from 'node:test';
import { Inspector } from '../../src/host/injection/inspector.ts';
import { nodes } from '../support/nodes.ts';
import { plainEnvironment } from '../support/process.ts';

/** Nothing of the program's runs, and it listens: what is evaluated in the middle of running code would swallow a pause that was asked for right before it. */
const IS_IDLE = `new Error().stack.split('\\n').length === 2 && process.stdin.listenerCount('data') > 0`;

for (const node of nodes()) {
	it(`a pause that was asked for stops the program, and not what is evaluated before, on Node ${node.major}`, async () => {
		// It runs only when it receives something.
		const args = ['--inspect=127.0.0.1:0', '-e', "function program() {} process.stdin.on('data', program)"];
		const child = spawn(node.path, args, { env: plainEnvironment({}), stdio: ['pipe', 'ignore', 'pipe'] });
		try {
			let said = '';
			child.stderr.on('data', (piece) => {
				said += piece;
			});
			while (!/ws:\/\/\S+\n/.test(said)) await once(child.stderr, 'data');
			const stops = new EventEmitter();
			const stopped = once(stops, 'Debugger.paused');
			const [url] = /ws:\/\/\S+/.exec(said)!;
			const inspector = await Inspector.connect(url, 'it has ended', (method) => stops.emit(method));
			await inspector.call('Debugger.enable', {});
			// The inspector listens before the program runs.
			while (!(await inspector.evaluate(IS_IDLE)));
			const paused = inspector.call('Debugger.pause', {});
			assert.equal(await Promise.race([inspector.evaluate('(() => 7)()'), stopped]), 7);
			child.stdin.write('run');
			await Promise.all([paused, stopped]);
			inspector.close();
		} finally {
			child.kill('SIGKILL');
		}
	});
}
