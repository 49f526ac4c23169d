// A window that is loaded again shows what it showed before: a session that had ended, and one that was under way. A second window is
// loaded again, since this suite runs in the first; what it shows is read from its panel.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileOf, journalFolders, sessionStorage, until } from './editor.ts';
import { choose, inWebview, inWindow, openWindow, runCommand, screenshot, seesWindow } from './window.ts';

const PROGRAMS = { ended: 'seed3-five-hashes.cjs', live: 'rounds.cjs' } as const;

/** What the panel says. */
interface Seen {
	session: string;
	/** The words of its state. */
	state: string;
	/** Number of operations by line and operation. */
	counts: Record<string, string>;
}

function seen(): Promise<Seen | undefined> {
	return inWebview('table.lines tbody tr', () => {
		const texts = (parent: Element, cells: string) =>
			[...parent.querySelectorAll(cells)].map((cell) => cell.textContent?.trim() ?? '');
		const columns = texts(document.querySelector('table.lines')!, 'thead th');
		const at = ['Location', 'Operation', 'Count'].map((name) => columns.findIndex((text) => text.startsWith(name)));
		const rows = [...document.querySelectorAll('table.lines tbody tr')].map((row) => texts(row, 'td'));
		return {
			session: document.querySelector('h1')!.textContent ?? '',
			state: document.querySelector('.state')!.textContent ?? '',
			counts: Object.fromEntries(rows.map((cells) => [`${cells[at[0]!]} ${cells[at[1]!]}`, cells[at[2]!] ?? ''])),
		};
	});
}

describe('a window that is loaded again', () => {
	/** The second window's. */
	let folder: string;
	let earlier: Set<string>;

	before(function () {
		if (!seesWindow) this.skip();
	});
	beforeEach(() => {
		earlier = new Set(journalFolders());
		folder = mkdtempSync(fileOf('..', 'loaded again '));
		for (const program of Object.values(PROGRAMS)) cpSync(fileOf(program), path.join(folder, program));
		mkdirSync(path.join(folder, '.vscode'));
		const configurations = Object.entries(PROGRAMS).map(([name, program]) => ({
			type: 'node',
			request: 'launch',
			name: `to be ${name}`,
			program: path.join(folder, program),
			env: { UV_THREADPOOL_SIZE: '1', STOP_FILE: path.join(folder, 'stop') },
		}));
		writeFileSync(path.join(folder, '.vscode/launch.json'), JSON.stringify({ version: '0.2.0', configurations }));
	});
	afterEach(() => writeFileSync(path.join(folder, 'stop'), ''));

	/** The names of the folders of the second window's sessions. */
	const folders = () => journalFolders().filter((name) => !earlier.has(name));

	async function profile(name: string): Promise<void> {
		await openWindow(folder);
		await runCommand('Waitline: Debug with Async Profile');
		await choose(name);
		await until('its folder', () => folders().length > 0);
		await runCommand('Waitline: Show Panel');
	}

	/** Loads the window again as a person does, and waits until it is another one. */
	async function loadAgain(): Promise<void> {
		await inWindow(() => document.body.classList.add('before'), undefined);
		await unlessNavigating(() => runCommand('Developer: Reload Window'));
		await until('another window', () =>
			unlessNavigating(() =>
				inWindow(
					() => !document.body.classList.contains('before') && document.querySelector('.statusbar-item') !== null,
					undefined,
				),
			),
		);
	}

	/** @throws an error that names the tabs and the sessions on disk, where nothing is shown: CI keeps no screenshots */
	async function shownAgain(what: string): Promise<Seen> {
		try {
			return await until(what, seen);
		} catch (error) {
			const tabs = await inWindow(
				() => [...document.querySelectorAll('.tab')].map((tab) => tab.textContent),
				undefined,
			);
			const kept = folders().map((name) => [name, readdirSync(path.join(sessionStorage(), name))]);
			throw new Error(`${what}: the tabs are ${JSON.stringify(tabs)}, the sessions ${JSON.stringify(kept)}`, {
				cause: error,
			});
		}
	}

	/** Undefined where the page went away meanwhile. */
	async function unlessNavigating<T>(look: () => Promise<T>): Promise<T | undefined> {
		try {
			return await look();
		} catch (error) {
			if (/context was destroyed|navigat/i.test(String(error))) return undefined;
			throw error;
		}
	}

	it('shows the session that had ended, and once more', async () => {
		await profile('to be ended');
		const before = await until('its end', async () => {
			const shown = await seen();
			return shown?.state === 'Ended' && Object.values(shown.counts).includes('5') ? shown : undefined;
		});
		for (const time of ['first', 'second']) {
			await loadAgain();
			assert.deepEqual(await shownAgain(`what was shown, the ${time} time`), before);
			await screenshot(`loaded-again-${time}`);
		}
		assert.equal(folders().length, 1, 'only the shown session has a folder');
	});

	it('shows the session that was under way, as one that has ended', async () => {
		await profile('to be live');
		const before = await until('figures', async () => {
			const shown = await seen();
			return shown?.state === 'Live' && Object.values(shown.counts).some((count) => Number(count) >= 3)
				? shown
				: undefined;
		});
		await loadAgain();
		const after = await shownAgain('what was shown');
		assert.equal(after.session, before.session);
		assert.equal(after.state, 'Ended');
		for (const [line, count] of Object.entries(before.counts)) {
			assert.ok(Number(after.counts[line]) >= Number(count), `${line}: ${after.counts[line]} after ${count}`);
		}
	});
});
