// The launcher's end of the control channel: answers the suite's requests on the workbench's page.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevtoolsSession, Frame, Page } from './browser.ts';
import {
	type AccessibilityFinding,
	CONTROL_TOKEN,
	CONTROL_URL,
	type ControlRequest,
	type ControlResponse,
	type Where,
	WINDOW_SIZES,
} from './control-protocol.ts';

/** Hovers, themes and the status bar fade in; what only became wider or narrower is there with the next frames. */
const SETTLE_MS = { fade: 200, layout: 100, now: 0 };
/** How long an element may take on a busy machine to be there to be clicked. */
const ACTION_LIMIT_MS = 180_000;
/** Between two looks for a webview. */
const LOOK_AGAIN_MS = 100;

/** Opens a second window, as the request of that name says. */
type OpenWindow = (opened: string | undefined, language?: string) => Promise<Page>;

export interface Control {
	/** Variables that give the suite the address for its requests. */
	env: Record<string, string>;
	/** From now on requests are answered with this page; `open` opens another window. */
	attach(page: Page, open: OpenWindow): void;
	/** Resolves at the suite's first word. */
	greeted: Promise<void>;
	close(): void;
}

export async function startControl(screenshots: string): Promise<Control> {
	const token = randomBytes(24).toString('hex');
	let page: Page | undefined;
	let second: Page | undefined;
	let open: OpenWindow | undefined;
	let greet: () => void;
	const greeted = new Promise<void>((resolve) => {
		greet = resolve;
	});

	async function answer(request: ControlRequest): Promise<unknown> {
		if (request.type === 'hello') return greet();
		if (page === undefined || open === undefined) throw new Error('the workbench is not open yet');
		if (request.type === 'openWindow') {
			second = await open(request.opened, request.language);
			return;
		}
		if (request.type === 'closeWindow') {
			await second?.goto('about:blank');
			await second?.close();
			second = undefined;
			return;
		}
		return perform(second ?? page, request, screenshots);
	}

	const server = createServer(async (request, response) => {
		let reply: ControlResponse;
		if (request.headers.authorization !== `Bearer ${token}`) {
			response.statusCode = 401;
			reply = { ok: false, error: 'wrong token' };
		} else {
			try {
				reply = { ok: true, value: (await answer(JSON.parse(await bodyOf(request)) as ControlRequest)) ?? null };
			} catch (error) {
				reply = { ok: false, error: error instanceof Error ? error.message : String(error) };
			}
		}
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(reply));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;

	return {
		env: { [CONTROL_URL]: `http://127.0.0.1:${port}/`, [CONTROL_TOKEN]: token },
		attach: (opened, openOther) => {
			page = opened;
			open = openOther;
		},
		greeted,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}

/** What is asked of a window. */
type WindowRequest = Exclude<ControlRequest, { type: 'hello' | 'openWindow' | 'closeWindow' }>;

async function perform(page: Page, request: WindowRequest, screenshots: string) {
	switch (request.type) {
		case 'evaluate':
			return (await frameOf(page, request.where)).evaluate(`(${request.source})(${JSON.stringify(request.argument)})`);
		case 'click':
			return (await frameOf(page, request.where))
				.locator(request.selector)
				.first()
				.click({ button: request.button, timeout: ACTION_LIMIT_MS });
		case 'hover':
			return (await frameOf(page, request.where)).locator(request.selector).first().hover({ timeout: ACTION_LIMIT_MS });
		case 'pointAt':
			return page.mouse.move(request.x, request.y);
		case 'audit':
			return audit(await frameOf(page, request.where));
		case 'press':
			return page.keyboard.press(request.keys);
		case 'type':
			return page.keyboard.type(request.text);
		case 'cpuTime':
			return cpuTime(page);
		case 'resize':
			return page.setViewportSize(WINDOW_SIZES[request.to]);
		case 'screenshot': {
			mkdirSync(screenshots, { recursive: true });
			await sleep(SETTLE_MS[request.after]);
			if (request.after !== 'now') await page.evaluate(`(${animationsEnd})()`);
			const file = path.join(screenshots, `${request.name.replace(/[^\w.-]+/g, '-')}.png`);
			await page.screenshot({ path: file });
			return file;
		}
	}
}

/** Waits, in the page, for what fades in or moves: on a busy machine that takes longer than it should. */
async function animationsEnd(): Promise<void> {
	const ending = document
		.getAnimations()
		.filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
	await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** The sum of the main thread's tasks since the page was first asked, in ms of CPU time. */
async function cpuTime(page: Page): Promise<number> {
	let session = sessions.get(page);
	if (session === undefined) {
		session = await page.context().newCDPSession(page);
		sessions.set(page, session);
		await session.send('Performance.enable', { timeDomain: 'threadTicks' });
	}
	const { metrics } = await session.send('Performance.getMetrics');
	return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
}

/** They count only while they are open. */
const sessions = new WeakMap<Page, DevtoolsSession>();

/**
 * A webview's content lives two frames down, in a frame without a name of its own: the one with the element is it. While the editor makes it anew, as when it moves, there is none.
 */
async function frameOf(page: Page, where: Where): Promise<Frame> {
	if (where === 'workbench') return page;
	const probe = `document.querySelector(${JSON.stringify(where.webviewWith)}) !== null`;
	const deadline = Date.now() + (where.isOptional === true ? 0 : ACTION_LIMIT_MS);
	for (;;) {
		for (const frame of page.frames().filter((candidate) => candidate.url() !== page.url())) {
			if (await holds(frame, probe)) return frame;
		}
		if (Date.now() >= deadline) throw new Error(`no webview holds ${where.webviewWith}`);
		await sleep(LOOK_AGAIN_MS);
	}
}

/** A frame that is being replaced cannot be queried; then it does not contain the element. */
async function holds(frame: Frame, probe: string): Promise<boolean> {
	try {
		return (await frame.evaluate(probe)) === true;
	} catch (error) {
		if (/detached|destroyed|navigat/i.test(String(error))) return false;
		throw error;
	}
}

/** The rules of WCAG 2.1, levels A and AA, and axe-core's own best practices. */
async function audit(frame: Frame): Promise<AccessibilityFinding[]> {
	// Colours that fade in have another contrast until they are there.
	await frame.evaluate(`(${animationsEnd})()`);
	// A document keeps it.
	if ((await frame.evaluate('typeof axe')) === 'undefined') {
		const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
		await frame.evaluate(`${source}; undefined`);
	}
	const found = (await frame.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
		violations: { id: string; impact: string | null; nodes: { html: string }[] }[];
	};
	return found.violations.map(({ id, impact, nodes }) => ({
		rule: id,
		impact,
		elements: nodes.map(({ html }) => html),
	}));
}
