// The panel's own bundle in a headless browser, without VS Code: a recording in a thread of its own answers it, as it does in the editor.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import type { ReadRecording } from '../../../src/host/engine-thread/recording-thread.ts';
import { ReportSender } from '../../../src/protocol/report-changes.ts';
import type { HostToView, SentState, ViewToHost } from '../../../src/protocol/webview.ts';
import { launchBrowser, type Page } from '../../editor/browser.ts';
import { root } from '../../support/paths.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** Of VS Code's colours, those without which nothing could be seen. */
const COLOURS = {
	'editor-background': '#1f1f1f',
	foreground: '#cccccc',
	descriptionForeground: '#9d9d9d',
	focusBorder: '#0078d4',
	'charts-yellow': '#cca700',
	'charts-blue': '#3794ff',
	'charts-red': '#f14c4c',
	'charts-green': '#89d185',
	'charts-orange': '#d18616',
	'charts-purple': '#b180d7',
	'waitline-blockForeground': '#f14c4c',
	'textLink-foreground': '#4daafc',
	'font-size': '13px',
	'font-family': 'sans-serif',
};

export interface PanelPage {
	page: Page;
	/** How large each answer about the timeline was, in bytes, and how long it took to make, in ms. */
	answers: { bytes: number; ms: number }[];
	close(): Promise<void>;
}

/** Opens the panel with a recording. @param setUp an expression that runs in the page before it does */
export async function openPanel(read: ReadRecording, width: number, height: number): Promise<PanelPage> {
	const browser = await launchBrowser(scratchFolder('browser'));
	const page = await browser.newPage();
	await page.setViewportSize({ width, height });
	const answers: PanelPage['answers'] = [];
	const send = (message: HostToView) => page.evaluate(`window.receive(${JSON.stringify(message, tagged)})`);
	const state = stateOf(read);
	await page.exposeFunction('fromPanel', async (message: ViewToHost) => {
		if (message.type === 'ready') {
			await send({ type: 'strings', strings: panelWords() });
			await send({ type: 'state', state });
			await send({ type: 'overview', overview: read.overview });
		} else if (message.type === 'timeline') {
			const from = performance.now();
			const timeline = await read.timeline(message.query);
			answers.push({ bytes: serialize(timeline).length, ms: performance.now() - from });
			await send({ type: 'timeline', id: message.id, timeline });
		}
	});
	await page.goto('about:blank');
	await page.evaluate(
		`(${inPage})(${JSON.stringify(COLOURS)}, ${JSON.stringify(readFileSync(join(root, 'dist/webview/panel.css'), 'utf8'))})`,
	);
	await page.evaluate(readFileSync(join(root, 'dist/webview/main.js'), 'utf8'));
	return { page, answers, close: () => browser.close() };
}

/** Runs in the page: what VS Code gives to a webview. */
function inPage(colours: Record<string, string>, css: string): void {
	const sheet = document.createElement('style');
	const vars = Object.entries(colours).map(([name, colour]) => `--vscode-${name}: ${colour};`);
	sheet.textContent = `:root { ${vars.join(' ')} } body { background: var(--vscode-editor-background); color: var(--vscode-foreground); font: 13px sans-serif; } ${css}`;
	document.head.append(sheet);
	document.body.innerHTML = '<main id="root"></main>';
	const scope = window as unknown as Record<string, unknown>;
	const post = scope.fromPanel as (message: unknown) => void;
	scope.acquireVsCodeApi = () => ({
		postMessage: (message: unknown) => post(message),
		getState: () => undefined,
		setState: () => undefined,
	});
	const types: Record<string, new (buffer: ArrayBuffer) => unknown> = {
		Uint8Array,
		Uint16Array,
		Uint32Array,
		Int32Array,
		Float32Array,
		Float64Array,
	};
	const revive = (value: unknown): unknown => {
		if (typeof value !== 'object' || value === null) return value;
		const { $type, $data } = value as { $type?: string; $data?: string };
		if ($type !== undefined)
			return new types[$type]!(Uint8Array.from(atob($data!), (each) => each.charCodeAt(0)).buffer);
		for (const [key, each] of Object.entries(value)) (value as Record<string, unknown>)[key] = revive(each);
		return value;
	};
	scope.receive = (message: unknown) => window.dispatchEvent(new MessageEvent('message', { data: revive(message) }));
}

/** Columns as what they are, which JSON does not know. */
function tagged(_key: string, value: unknown): unknown {
	if (!ArrayBuffer.isView(value)) return value;
	const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
	return { $type: value.constructor.name, $data: bytes.toString('base64') };
}

function stateOf({ report }: ReadRecording): SentState {
	const files = [...new Set(report.lines.map(({ file }) => file))].map((path, id) => ({
		id,
		path,
		label: path.slice(path.lastIndexOf('/') + 1),
	}));
	return {
		sessionName: 'bench',
		live: false,
		session: 'recording',
		limit: null,
		date: '',
		actions: [],
		changes: new ReportSender().changesOf(report),
		files,
		findings: [],
	};
}

/** The panel's texts in English, as the extension has them. */
function panelWords(): never {
	const text = readFileSync(join(root, 'src/vscode/details/strings.ts'), 'utf8');
	const entries = [...text.matchAll(/^\t\t(?:'([^']+)'|(\w+)): l10n\.t\(\s*'((?:[^'\\]|\\.)*)'/gm)];
	return Object.fromEntries(entries.map(([, quoted, plain, words]) => [quoted ?? plain, words])) as never;
}
