// A stand-in for desktop VS Code where that cannot be downloaded: takes its test flags (as @vscode/test-electron gives
// them) and runs them on VS Code's own server and workbench in a headless browser. The extension host, js-debug and the
// workbench are the real ones; only Electron's shell is missing. Exits with the test run's code, or 98 when there was none.
import path from 'node:path';
import { format, parseArgs } from 'node:util';
import { type Browser, launchBrowser, type Page, speak, stopMotion, storeApart } from './browser.ts';
import { type Control, startControl } from './control.ts';
import { OUT_VARIABLE, SCREENSHOTS_VARIABLE, TRUST_VARIABLE } from './environment.ts';
import { type Server, startServer } from './server.ts';

/** The workbench is ready in 4–8 s, in a minute on a machine that is very busy. */
const START_LIMIT_MS = 300_000;
/** The window with the most work takes some five minutes on two idle cores; all of `main` in one window takes twenty, and a slow machine three times as long. */
const RUN_LIMIT_MS = 70 * 60_000;
/** Our own exit code, apart from 0 and 1 of a run. */
const NO_RUN = 98;

const { values, positionals } = parseArgs({
	// Desktop VS Code takes many flags that mean nothing here.
	strict: false,
	allowPositionals: true,
	options: {
		extensionDevelopmentPath: { type: 'string', multiple: true },
		extensionTestsPath: { type: 'string' },
		'user-data-dir': { type: 'string' },
		'extensions-dir': { type: 'string' },
	},
});
const out = process.env[OUT_VARIABLE];
const screenshots = process.env[SCREENSHOTS_VARIABLE];
const userData = values['user-data-dir'];
const extensions = values['extensions-dir'];
const developmentPaths = (values.extensionDevelopmentPath ?? []) as string[];
const testsPath = values.extensionTestsPath;
const folder = positionals[0];
if (
	out === undefined ||
	screenshots === undefined ||
	typeof userData !== 'string' ||
	typeof extensions !== 'string' ||
	typeof testsPath !== 'string' ||
	folder === undefined
) {
	console.error(
		`launcher: needs ${OUT_VARIABLE}, ${SCREENSHOTS_VARIABLE}, --user-data-dir=, --extensions-dir=, --extensionTestsPath= and a folder`,
	);
	process.exit(2);
}

const started: { control?: Control; server?: Server; browser?: Browser } = {};
let closing = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void finish(NO_RUN));

try {
	await finish(await run());
} catch (error) {
	// Stopping tears down what `run` waits for; that failure is ours.
	if (!closing) {
		console.error('launcher:', error);
		await finish(NO_RUN);
	}
}

/** Opens the workbench on the folder with the extension and the suite; resolves with the suite's exit code. */
async function run(): Promise<number> {
	const control = await startControl(screenshots!);
	started.control = control;
	const server = await startServer({
		home: path.join(userData as string, '..', 'home'),
		userData: userData as string,
		extensions: extensions as string,
		log: path.join(out!, 'server.log'),
		workspaceTrust: process.env[TRUST_VARIABLE] === '1',
		env: control.env,
	});
	started.server = server;
	const browser = await launchBrowser(path.join(userData as string, '..', 'browser'));
	started.browser = browser;
	const page = await browser.newPage();
	page.setDefaultTimeout(START_LIMIT_MS);
	await stopMotion(page);
	const ended = endOf(page, server);
	// It is waited for below; what goes wrong before then is the reason to report, and ends the server too.
	ended.catch(() => undefined);

	const suite = [['extensionTestsPath', remote(server, testsPath as string)]];
	await page.goto(workbenchAddress(server, folder!, suite));
	let others = 0;
	control.attach(page, async (other, language) => {
		const opened = await browser.newPage();
		await storeApart(opened, `window ${++others}`);
		if (language !== undefined) await speak(opened, language);
		// What moves there stays: a second page that nothing draws may get no idle callback and no animation frame for minutes.
		opened.setDefaultTimeout(START_LIMIT_MS);
		await opened.goto(workbenchAddress(server, other));
		return opened;
	});
	try {
		await Promise.race([ended, within(control.greeted, START_LIMIT_MS, 'the suite did not start')]);
		return await within(ended, RUN_LIMIT_MS, 'the suite did not end');
	} catch (error) {
		await page.screenshot({ path: path.join(screenshots!, 'launcher-gave-up.png') });
		throw error;
	}
}

/** The test run's exit code, which the workbench hands to the page. */
function endOf(page: Page, server: Server): Promise<number> {
	return new Promise((resolve, reject) => {
		const exposed = [
			page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => console.log(format(...args))),
			page.exposeFunction('codeAutomationExit', (code: number) => resolve(code)),
		];
		Promise.all(exposed).catch(reject);
		page.on('crash', () => reject(new Error('the workbench page crashed')));
		server.process.once('exit', (code, signal) =>
			reject(new Error(`VS Code's server ended with ${code ?? signal} during the run`)),
		);
	});
}

/** The workbench on a folder, a `.code-workspace` file or nothing, with the extension under test; `more` is added to the window's payload. */
function workbenchAddress(server: Server, opened: string | undefined, more: string[][] = []): string {
	const payload = [...developmentPaths.map((file) => ['extensionDevelopmentPath', remote(server, file)]), ...more];
	const query = new URLSearchParams({ payload: JSON.stringify(payload) });
	if (opened === undefined) query.set('ew', 'true');
	else query.set(opened.endsWith('.code-workspace') ? 'workspace' : 'folder', path.resolve(opened));
	return `http://${server.authority}/?${query}`;
}

function remote(server: Server, file: string): string {
	return `vscode-remote://${server.authority}${encodeURI(path.resolve(file))}`;
}

async function within<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(() => reject(new Error(`${what} within ${limitMs / 1000} s`)), limitMs);
	});
	try {
		return await Promise.race([promise, limit]);
	} finally {
		clearTimeout(timer);
	}
}

/** Closes everything that was started and exits. */
async function finish(code: number): Promise<void> {
	if (closing) return;
	closing = true;
	started.control?.close();
	await started.browser?.close();
	await started.server?.stop();
	process.exit(code);
}
