// Starts a headless Chromium through playwright-core, which lives in the server's own package: it is loaded when needed,
// and the few parts of its API that we use are declared here, so that the project type-checks without it.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { WINDOW_SIZES } from './control-protocol.ts';
import { SERVER_PACKAGE } from './install.ts';

export interface Locator {
	click(options?: { button?: 'left' | 'right'; timeout?: number }): Promise<void>;
	hover(options?: { timeout?: number }): Promise<void>;
	first(): Locator;
}

export interface Frame {
	url(): string;
	evaluate(expression: string): Promise<unknown>;
	locator(selector: string): Locator;
}

export interface Page extends Frame {
	goto(url: string): Promise<unknown>;
	/** Runs an expression in each document of the page before anything else does. */
	addInitScript(expression: string): Promise<unknown>;
	/** For all that has no limit of its own, in ms; 30 s if it is never called. */
	setDefaultTimeout(limitMs: number): void;
	frames(): Frame[];
	exposeFunction(name: string, callback: (...args: never[]) => unknown): Promise<void>;
	screenshot(options: { path: string }): Promise<unknown>;
	readonly mouse: { move(x: number, y: number): Promise<void> };
	setViewportSize(size: { width: number; height: number }): Promise<void>;
	on(event: 'crash', listener: () => void): void;
	keyboard: { press(keys: string): Promise<void>; type(text: string): Promise<void> };
	context(): { newCDPSession(page: Page): Promise<DevtoolsSession> };
	close(): Promise<void>;
}

/** Chromium's own protocol, as far as it is asked for. */
export interface DevtoolsSession {
	send(method: 'Emulation.setLocaleOverride', options: { locale: string }): Promise<unknown>;
	send(
		method: 'Emulation.setUserAgentOverride',
		options: { userAgent: string; acceptLanguage: string },
	): Promise<unknown>;
	send(method: 'Performance.enable', options: { timeDomain: 'threadTicks' }): Promise<unknown>;
	send(method: 'Performance.getMetrics'): Promise<{ metrics: { name: string; value: number }[] }>;
}

/** A browser with one profile: what a page has loaded and compiled, the next one has. */
export interface Browser {
	newPage(): Promise<Page>;
	close(): Promise<void>;
}

interface Chromium {
	executablePath(): string;
	launchPersistentContext(
		profile: string,
		options: {
			executablePath: string;
			headless: boolean;
			chromiumSandbox: boolean;
			handleSIGINT: boolean;
			args: string[];
			viewport: { width: number; height: number };
		},
	): Promise<Browser>;
}

/** Where systems keep a browser that Playwright can drive. */
const INSTALLED: Partial<Record<NodeJS.Platform, string[]>> = {
	linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/microsoft-edge'],
	darwin: [
		'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
		'/Applications/Chromium.app/Contents/MacOS/Chromium',
		'/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
	],
};

/** Beside this list Chromium does not read Playwright's own, so what that is for is here, too. */
const FEATURES_OFF = [
	// Otherwise the workbench is compiled while it is still read, and what was compiled before is not looked for.
	'ScriptStreaming',
	'BackgroundResourceFetch',
	'AvoidUnnecessaryBeforeUnloadCheckSync',
	'DestroyProfileOnBrowserClose',
	'HttpsUpgrades',
	'HttpsFirstBalancedModeAutoEnable',
	'MediaRouter',
	'PaintHolding',
	'ThirdPartyStoragePartitioning',
	'OptimizationHints',
	'NetworkTimeServiceQuerying',
];

const FLAGS = [
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// Containers give /dev/shm 64 MB, which the workbench outgrows: the tab would crash.
	'--disable-dev-shm-usage',
	'--no-proxy-server',
	// The page reaches the server and nothing else: no test depends on a network, and nothing leaves the machine.
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
	// The workbench is compiled once for all windows of a browser: the code is kept from the first time on, not from the second.
	'--blink-settings=v8CacheOptions=3',
	`--disable-features=${FEATURES_OFF}`,
];

/** Starts the browser; the caller closes it. @param profile its folder, which is made */
export async function launchBrowser(profile: string): Promise<Browser> {
	const require = createRequire(path.join(SERVER_PACKAGE, 'package.json'));
	const { chromium } = require('playwright-core') as { chromium: Chromium };
	return chromium.launchPersistentContext(profile, {
		executablePath: findBrowser(chromium),
		headless: true,
		// Neither root nor a container can have it. The only pages are our own server's.
		chromiumSandbox: false,
		// The launcher closes the browser itself, after the last screenshot.
		handleSIGINT: false,
		args: FLAGS,
		viewport: WINDOW_SIZES.wide,
	});
}

/** Makes the page one of a person whose browser asks for that language. */
export async function speak(page: Page, language: string): Promise<void> {
	const session = await page.context().newCDPSession(page);
	const userAgent = (await page.evaluate('navigator.userAgent')) as string;
	await session.send('Emulation.setLocaleOverride', { locale: language });
	await session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: language });
}

/** Keeps what the workbench stores in the browser apart from that of the other windows: each is the first of its person. */
export async function storeApart(page: Page, name: string): Promise<void> {
	await page.addInitScript(`(${withStorageOfItsOwn})(${JSON.stringify(`${name} `)})`);
}

/** Runs in the page, in each of its frames. */
function withStorageOfItsOwn(prefix: string): void {
	const open = indexedDB.open.bind(indexedDB);
	indexedDB.open = (name, version) => open(prefix + name, version);
	window.BroadcastChannel = class extends BroadcastChannel {
		constructor(name: string) {
			super(prefix + name);
		}
	};
}

/**
 * Stops what the workbench moves by itself: icons that turn or wiggle while something loads, bars of progress, scroll bars that fade. Without a graphics card
 * the processor draws the window anew for each step.
 */
export async function stopMotion(page: Page): Promise<void> {
	await page.addInitScript(`(${withoutMotion})()`);
}

/** Runs in the page, in each of its frames. */
function withoutMotion(): void {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(`
		.codicon, .codicon::before, .progress-bit { animation: none !important; }
		.monaco-scrollable-element > .scrollbar { transition: none !important; }
	`);
	document.adoptedStyleSheets.push(sheet);
}

function findBrowser(chromium: Chromium): string {
	const named = process.env.WAITLINE_CHROMIUM;
	const candidates = named ? [named] : [...(INSTALLED[process.platform] ?? []), chromium.executablePath()];
	const found = candidates.find((file) => existsSync(file));
	if (found !== undefined) return found;
	throw new Error(
		`No browser found (${candidates.join(', ')}). Install Chromium (apt-get install chromium) or Chrome, or name one in WAITLINE_CHROMIUM.`,
	);
}
