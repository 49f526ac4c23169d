// What the panel is sent while a program runs: how many messages, of which size, as the panel's own page receives them. A program starts operations from a number
// of lines at a rate; the panel shows its lines, all of its timeline, and the end of the timeline, which moves with the program.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { PROFILE_MARK } from '../../../src/vscode/api.ts';
import { OUT_VARIABLE } from '../environment.ts';
import { fileOf, setSetting, until, waitline } from './editor.ts';
import { debug, stopAll } from './session.ts';
import { click, inWebview, inWindow, press } from './window.ts';

/** An element that only our webview's document contains. */
const PANEL = { webviewWith: 'table.lines' };
/** How long each view is looked at, and how long each is given to become what it shows, in ms. */
const LOOK_MS = 10_000;
const SETTLE_MS = 3000;

/** Operations a second; Infinity for as many as the machine can. */
const LOADS = [
	{ rate: 1000, lines: 10 },
	{ rate: 20_000, lines: 10 },
	{ rate: Number.POSITIVE_INFINITY, lines: 10 },
	{ rate: 20_000, lines: 100 },
	{ rate: 20_000, lines: 1000 },
] as const;

export type MessageView = 'lines' | 'timeline' | 'following';

/** A message that the panel's page received: its size as the editor sends it, JSON and the bytes of its columns. */
interface Received {
	type: string;
	bytes: number;
	/** In ms of the page's clock. */
	at: number;
}

export interface MessageLoad {
	/** Null for as many as the machine can. */
	rate: number | null;
	lines: number;
	/** That were really started. */
	operationsPerSecond: number;
	views: Record<MessageView, Received[]>;
	lookMs: number;
}

/** A program with that many lines that start something, by turns of 10 ms. It writes how many it started in how many ms once a file is there. */
function programOf(lines: number): string {
	const calls = ['setImmediate(done)', 'setTimeout(done, 2)', 'setImmediate(done)', 'fs.stat(__filename, done)'];
	return `const fs = require('node:fs');
const began = performance.now();
let started = 0;
setInterval(() => {
	if (fs.existsSync(process.env.STOP_FILE)) {
		fs.writeFileSync(process.env.STOP_FILE, JSON.stringify([started, performance.now() - began]));
		process.exit();
	}
	const from = performance.now();
	const due = ((from - began) / 1000) * Number(process.env.RATE);
	while (started < due && performance.now() < from + 20) {
		batch();
		started += ${lines};
	}
}, 10);
function done() {}
function batch() {
${Array.from({ length: lines }, (_, line) => `\t${calls[line % calls.length]};`).join('\n')}
}
`;
}

describe('what the panel is sent', function () {
	this.timeout(LOADS.length * 90_000);

	before(async () => {
		await waitline();
		// Otherwise the tracer would rest, and there would be less to send.
		await setSetting('budgetPercent', 100);
	});
	after(async () => {
		await setSetting('budgetPercent', undefined);
		await stopAll();
	});

	/** Makes the page note what it receives from now on. */
	function note(): Promise<void> {
		return inWindow(
			() => {
				const scope = window as unknown as { received?: Received[] };
				const isNew = scope.received === undefined;
				scope.received = [];
				if (!isNew) return;
				window.addEventListener('message', ({ data }) => {
					let bytes = 0;
					const json = JSON.stringify(data, (_key, value: unknown) => {
						if (!ArrayBuffer.isView(value)) return value;
						bytes += value.byteLength;
						return null;
					});
					bytes += new TextEncoder().encode(json).length;
					const { type } = data as { type: string };
					scope.received!.push({ type, bytes, at: performance.now() });
				});
			},
			undefined,
			PANEL,
		);
	}

	async function look(): Promise<Received[]> {
		await sleep(SETTLE_MS);
		await note();
		await sleep(LOOK_MS);
		return inWindow(() => (window as unknown as { received: Received[] }).received, undefined, PANEL);
	}

	async function measure(rate: number, lines: number): Promise<MessageLoad> {
		const [name, stopFile] = [`lines-${rate}-${lines}.cjs`, fileOf(`stop-${rate}-${lines}`)];
		writeFileSync(fileOf(name), programOf(lines));
		const api = await waitline();
		const launch = await debug(name, { env: { RATE: String(rate), STOP_FILE: stopFile }, [PROFILE_MARK]: true });
		await until('its lines', () => api.live() && (api.report()?.lines.length ?? 0) >= lines);
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the panel', () => inWebview('table.lines tbody tr', () => true));
		await click('vscode-panel-tab#lines', PANEL);
		const seen = { lines: await look(), timeline: [] as Received[], following: [] as Received[] };
		await click('vscode-panel-tab#timeline', PANEL);
		seen.timeline = await look();
		await click('.chart', PANEL);
		for (let step = 0; step < 6; step++) await press('w');
		await press('f');
		seen.following = await look();
		writeFileSync(stopFile, '');
		await launch.end();
		await until('the end of the profile', () => !api.live());
		const [started, ms] = JSON.parse(readFileSync(stopFile, 'utf8')) as [number, number];
		const { emitted, decoded } = api.report()!.accounting;
		assert.equal(decoded, emitted);
		const operationsPerSecond = (1000 * started) / ms;
		return { rate: Number.isFinite(rate) ? rate : null, lines, operationsPerSecond, views: seen, lookMs: LOOK_MS };
	}

	it('measures how much it is, and how often', async () => {
		const loads: MessageLoad[] = [];
		for (const { rate, lines } of LOADS) loads.push(await measure(rate, lines));
		writeFileSync(path.join(process.env[OUT_VARIABLE]!, 'messages.json'), JSON.stringify(loads));
	});
});
