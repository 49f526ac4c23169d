// Stack samples in debug sessions: a block names what computed, and the debugger's own profiler is as it would be without them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { fileOf, lineWith, setSetting, until, waitline, workspaceFolder } from './editor.ts';
import { debug, type Launch, stopAll } from './session.ts';

const PROGRAM = 'computes.cjs';
/** For how long it computes at a time. */
const COMPUTES_MS = 90;

describe('stack samples in a debug session', () => {
	const stopFile = fileOf('stop-computing');

	let api: WaitlineApi;

	before(async () => {
		api = await waitline();
	});
	afterEach(async () => {
		writeFileSync(stopFile, '');
		await stopAll();
		rmSync(stopFile);
		await setSetting('sampleBlocks', undefined);
	});

	const start = () => debug(PROGRAM, { env: { STOP_FILE: stopFile }, [PROFILE_MARK]: true });
	const blocks = () => (api.report()?.loops ?? []).flatMap((loop) => loop.blocks.filter(({ isStartUp }) => !isStartUp));
	const culprits = () => blocks().flatMap((block) => block.culprits.slice(0, 1));
	/** Of the blocks by what the program computes: where the machine stops the program, other code has a block, of which it ran for little. */
	const busy = () => culprits().filter(({ totalMs }) => totalMs >= COMPUTES_MS / 2);
	const outputs = (launch: Launch) => launch.events('output').map(({ body }) => String(body?.output));
	const profiles = () => readdirSync(workspaceFolder().uri.fsPath).filter((name) => name.endsWith('.cpuprofile'));
	const threadOf = (launch: Launch) => launch.children.at(-1)!;

	/** Ten blocks more than now: windows were read meanwhile. */
	async function tenBlocks(): Promise<void> {
		const before = blocks().length;
		await until('ten blocks', () => blocks().length >= before + 10);
	}

	it('name what computed while the program runs, and the debugger prints and saves nothing', async () => {
		const launch = await start();
		await until('culprits', () => busy().length >= 10);
		const line = lineWith(fileOf(PROGRAM), 'JSON.stringify');
		const names = busy().map(({ file, function: name }) => `${name} ${file}`);
		// V8 puts the one function into the other once it has optimized them, and may then take a line of it for the other's.
		const foreign = names.filter(
			(each) => ![`buildReport ${fileOf(PROGRAM)}`, `run ${fileOf(PROGRAM)}`].includes(each),
		);
		assert.deepEqual(foreign, []);
		assert.ok(names.filter((each) => each.startsWith('buildReport ')).length > names.length / 2, names.join('\n'));
		assert.ok(busy().some((culprit) => Math.abs(culprit.line - line) <= 1));
		assert.deepEqual(profiles(), []);
		assert.doesNotMatch(outputs(launch).join(''), /profile/i);
	});

	it('pause while the person takes a CPU profile with the debugger, which works', async () => {
		const launch = await start();
		await until('culprits', () => culprits().length >= 3);
		const thread = threadOf(launch);
		await thread.customRequest('startProfile', { type: 'cpu' });
		await until('the profile', () => launch.events('profileStarted').length > 0);
		await tenBlocks();
		await thread.customRequest('stopProfile', {});
		// js-debug puts it into the workspace.
		const [name] = await until('the file', () => profiles().length > 0 && profiles());
		const { nodes } = JSON.parse(readFileSync(fileOf(name!), 'utf8')) as {
			nodes: { callFrame: { functionName: string } }[];
		};
		const names = nodes.map(({ callFrame }) => callFrame.functionName);
		// V8 has no name for the optimized code that ran when its profiler began.
		assert.ok(names.includes('run'), names.join());
		assert.equal(profiles().length, 1);
		rmSync(fileOf(name!));
		assert.doesNotMatch(outputs(launch).join(''), /Console profile/);
	});

	it('leave the debugger to save what the program profiles itself', async () => {
		const launch = await start();
		await until('culprits', () => culprits().length >= 3);
		const expression = "console.profile('own'); console.profileEnd('own')";
		await threadOf(launch).customRequest('evaluate', { expression, context: 'repl' });
		await until('the file', () => outputs(launch).some((text) => text.includes('own.cpuprofile')));
		assert.deepEqual(profiles(), ['own.cpuprofile']);
		rmSync(fileOf('own.cpuprofile'));
	});

	it('are not taken where the setting is off', async () => {
		await setSetting('sampleBlocks', false);
		await start();
		await tenBlocks();
		assert.deepEqual(culprits(), []);
	});
});
