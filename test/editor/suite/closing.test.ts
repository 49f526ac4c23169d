// A window that goes away while it profiles: its extension host is killed, or a person closes it. Programs that its
// debugger does not own go on to their end as if nothing had been, and the tracer in them stops by itself. This suite's
// own window watches.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../../src/host/sessions/journal-folder.ts';
import { KEPT_FILE } from '../../../src/host/sessions/session-storage.ts';
import { JOURNAL_SUFFIX } from '../../../src/protocol/journal.ts';
import { fileOf, journalFolders, sessionStorage, setSetting, until } from './editor.ts';
import { chooseInPalette, closeWindow, openWindow, screenshot, seesWindow } from './window.ts';

const ROUNDS = 'rounds.cjs';
/** Rounds that a program does in about a second: a tracer writes every 200 ms at least. */
const MANY = 20;
/** The attached program, and the child that a program in a terminal left behind. */
const PROGRAMS = ['attached', 'child'] as const;

describe('a window that goes away', () => {
	/** The second window's. */
	let folder: string;
	let attached: ChildProcess | undefined;
	let earlier: Set<string>;
	/** Folders of the sessions of a killed window. */
	let left: readonly string[] = [];

	before(async function () {
		if (!seesWindow) this.skip();
		await setSetting('profileEveryNodeSession', true);
	});
	beforeEach(async () => {
		earlier = new Set(journalFolders());
		folder = mkdtempSync(fileOf('..', 'another window '));
		for (const file of [ROUNDS, 'leaves-child.cjs']) cpSync(fileOf(file), path.join(folder, file));
		const [out, err] = ['out', 'err'].map((kind) => openSync(path.join(folder, `attached.${kind}`), 'w'));
		attached = spawn('node', ['--inspect=127.0.0.1:0', ROUNDS], {
			cwd: folder,
			env: { ...process.env, NODE_OPTIONS: '', STOP_FILE: 'stop' },
			stdio: ['ignore', out!, err!],
		});
		const port = await until('its port', () => /ws:\/\/127\.0\.0\.1:(\d+)/.exec(read('attached.err'))?.[1]);
		cpSync(fileOf('.vscode'), path.join(folder, '.vscode'), { recursive: true });
		writeFileSync(path.join(folder, '.vscode/launch.json'), JSON.stringify(launchConfigurations(Number(port))));
	});
	afterEach(() => writeFileSync(path.join(folder, 'stop'), ''));
	after(() => setSetting('profileEveryNodeSession', undefined));

	function read(name: string): string {
		const file = path.join(folder, name);
		return existsSync(file) ? readFileSync(file, 'utf8') : '';
	}

	const rounds = (program: string) => read(`${program}.out`).split('|').length - 1;

	/** Starts the debugger of the second window, which this host cannot reach, as a person does. */
	async function debugBoth(): Promise<void> {
		// Until the window has read its configurations, it has none of that name.
		await chooseInPalette('Both', 'debug Both');
	}

	/** The folders of the sessions that the second window has begun, and the process that owns them. */
	function sessions(): { host: number; folders: string[] } {
		const names = journalFolders().filter((name) => !earlier.has(name));
		return {
			host: Number.parseInt(names[0] ?? '', 10),
			folders: names.map((name) => path.join(sessionStorage(), name)),
		};
	}

	function journals(): string[] {
		return sessions().folders.flatMap((session) =>
			readdirSync(session)
				.filter((name) => name.endsWith(JOURNAL_SUFFIX))
				.map((name) => path.join(session, name)),
		);
	}

	/** Bytes that the tracers have written. */
	const written = () => journals().reduce((sum, file) => sum + statSync(file).size, 0);

	async function profileBoth(): Promise<void> {
		await openWindow(folder);
		await debugBoth();
		await until('journals of both programs that grow', async () => {
			const [sizeBefore, roundsBefore] = [written(), PROGRAMS.map(rounds)];
			await until('more rounds', () => PROGRAMS.every((program, at) => rounds(program) > roundsBefore[at]!));
			return sessions().folders.length === 2 && journals().length >= 2 && written() > sizeBefore;
		});
	}

	/** Both go on without being traced, and end as they would have. */
	async function assertUnharmed(): Promise<void> {
		await until('the end of the tracing', async () => {
			const [sizeBefore, roundsBefore] = [written(), PROGRAMS.map(rounds)];
			await until('rounds', () => PROGRAMS.every((program, at) => rounds(program) >= roundsBefore[at]! + MANY));
			return written() === sizeBefore;
		});
		writeFileSync(path.join(folder, 'stop'), '');
		await until('the end of both', () => attached!.exitCode !== null && read('child.code') !== '');
		assert.deepEqual([attached!.exitCode, read('child.code').trim()], [0, '0']);
		for (const program of PROGRAMS) {
			assert.match(read(`${program}.out`), /^started\n\|+$/);
			assert.doesNotMatch(read(`${program}.err`), /waitline|error/i);
		}
	}

	it('hurts no program when its extension host is killed', async () => {
		await profileBoth();
		await screenshot('window-to-be-killed');
		const { host, folders } = sessions();
		process.kill(host, 'SIGKILL');
		await assertUnharmed();
		const stopped = journals().filter((file) => /lease/.test(readFileSync(file, 'latin1').slice(-200)));
		assert.equal(stopped.length, PROGRAMS.length, 'each stopped because nobody read it any more');
		left = folders;
	});

	it('hurts no program when it is closed, and leaves on disk only what it showed, and nothing of the one that was killed', async () => {
		await profileBoth();
		// The next window to profile does so, and does not wait for it.
		await until('what the killed one left to be removed', () => !left.some((each) => existsSync(each)));
		const { host, folders } = sessions();
		await closeWindow();
		await until('the end of its host', () => !isAlive(host));
		const kept = folders.filter((each) => existsSync(each));
		assert.equal(kept.length, 1, `${kept} are left`);
		assert.ok(existsSync(path.join(kept[0]!, KEPT_FILE)), 'for the next window');
		await assertUnharmed();
	});
});

function launchConfigurations(port: number): unknown {
	return {
		version: '0.2.0',
		configurations: [
			{ type: 'node', request: 'attach', name: 'Attached', address: '127.0.0.1', port },
			{
				type: 'node-terminal',
				request: 'launch',
				name: 'In a terminal',
				command: 'node leaves-child.cjs',
				env: { STOP_FILE: 'stop' },
			},
		],
		compounds: [{ name: 'Both', configurations: ['Attached', 'In a terminal'] }],
	};
}
