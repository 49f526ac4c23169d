// The suite's end of the control channel: reads the workbench's page as a person sees it. There is no such channel in a
// desktop VS Code; `seesWindow` is false there, and the tests that look at the window say that they are skipped.
import { setTimeout as sleep } from 'node:timers/promises';
import {
	type AccessibilityFinding,
	CONTROL_TOKEN,
	CONTROL_URL,
	type ControlRequest,
	type ControlResponse,
	type Where,
	type WindowWidth,
} from '../control-protocol.ts';
import { PICTURES_VARIABLE } from '../environment.ts';
import { until } from './editor.ts';

const url = process.env[CONTROL_URL];
const token = process.env[CONTROL_TOKEN];

/** How long a hover or a tooltip may take to stand: a third of a second in which the mouse rests, and then its content is asked for. */
const HOVER_MS = 2000;

/** Pictures are for people to look at: `npm run pictures` makes them. */
export const MAKES_PICTURES = process.env[PICTURES_VARIABLE] === '1';

/** Whether the tests can look at the window. */
export const seesWindow = url !== undefined && token !== undefined;

async function ask(request: ControlRequest): Promise<unknown> {
	const response = await fetch(url!, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}` },
		body: JSON.stringify(request),
	});
	const reply = (await response.json()) as ControlResponse;
	if (!reply.ok) throw new Error(`${request.type}: ${reply.error}`);
	return reply.value;
}

/** Reports to the launcher, if there is one, that the suite runs. */
export async function sayHello(): Promise<void> {
	if (seesWindow) await ask({ type: 'hello' });
}

/**
 * Opens a second window on a folder, with a host of its own, and waits for its workbench and until that knows the extensions: until it is
 * closed, all here is about it.
 */
export async function openWindow(opened: string | undefined, language?: string): Promise<void> {
	const request = { ...(opened === undefined ? {} : { opened }), ...(language === undefined ? {} : { language }) };
	await ask({ type: 'openWindow', ...request });
	await until('the second window', () =>
		inWindow(() => document.querySelector('.monaco-workbench .statusbar-item') !== null, undefined),
	);
	await untilFirstInPalette('Waitline:', '>Waitline:');
	await press('Escape');
	await until('no list', async () => (await quickPickRows()).length === 0);
}

/** Closes it as a person closes a tab. After each test this happens by itself. */
export async function closeWindow(): Promise<void> {
	await ask({ type: 'closeWindow' });
}

/** Writes a screenshot where there is a window to see, in any run. @param after what it has to wait for */
export async function capture(name: string, after: 'fade' | 'layout' | 'now' = 'fade'): Promise<void> {
	if (seesWindow) await ask({ type: 'screenshot', name, after });
}

/** As `capture`, in a run that makes pictures: each takes the processor a third of a second, and 190 of them a fifteenth of the editor tests. */
export async function screenshot(name: string, after?: 'fade' | 'layout' | 'now'): Promise<void> {
	if (MAKES_PICTURES) await capture(name, after);
}

/** Makes the window as wide as usual, or half as wide. What follows the mouse closes then. */
export async function resize(to: WindowWidth): Promise<void> {
	await ask({ type: 'resize', to });
}

/** Calls `look` in the page; it may use nothing but its argument and the page. */
export async function inWindow<A, R>(look: (argument: A) => R, argument: A, where: Where = 'workbench'): Promise<R> {
	return (await ask({ type: 'evaluate', where, source: look.toString(), argument })) as R;
}

/**
 * The same in the webview that contains such an element; undefined while there is none: it comes seconds after its
 * editor, and some are recreated.
 */
export async function inWebview<R, A = undefined>(
	selector: string,
	look: (argument: A) => R,
	argument?: A,
): Promise<R | undefined> {
	try {
		return await inWindow(look, argument as A, { webviewWith: selector, isOptional: true });
	} catch (error) {
		if (/no webview holds|frame was detached/i.test(String(error))) return undefined;
		throw error;
	}
}

export async function click(selector: string, where: Where = 'workbench'): Promise<void> {
	await ask({ type: 'click', where, selector, button: 'left' });
}

export async function hover(selector: string, where: Where = 'workbench'): Promise<void> {
	await ask({ type: 'hover', where, selector });
}

/** What axe-core has against a webview, or the workbench, and is serious. */
export async function seriousFindings(where: Where): Promise<AccessibilityFinding[]> {
	const found = (await ask({ type: 'audit', where })) as AccessibilityFinding[];
	return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}

export async function press(keys: string): Promise<void> {
	await ask({ type: 'press', keys });
}

/** Types into whatever has the focus. */
export async function type(text: string): Promise<void> {
	await ask({ type: 'type', text });
}

/** CPU time of the window's main thread so far, in ms. */
export async function cpuTime(): Promise<number> {
	return (await ask({ type: 'cpuTime' })) as number;
}

/** Texts of the rows of the list that asks a person to choose; empty when none is open. */
export function quickPickRows(): Promise<string[]> {
	return inWindow(
		() =>
			[...document.querySelectorAll('.quick-input-widget:not([style*="display: none"]) .monaco-list-row')].map(
				(row) => row.getAttribute('aria-label') ?? row.textContent ?? '',
			),
		undefined,
	);
}

/**
 * The text in the field of a dialog that asks for a file; empty while it does not have the focus: keys would go
 * elsewhere.
 */
export function dialogField(): Promise<string> {
	return inWindow(() => {
		const input = document.querySelector<HTMLInputElement>('.quick-input-widget:not([style*="display: none"]) input');
		return input !== null && input === document.activeElement ? input.value : '';
	}, undefined);
}

/** A dialog that has taken a key is closed by then. */
const CLOSE_MS = 3000;

/** How long a list or a dialog may take to find what was typed: typing again sooner would start the search again. */
const FIND_MS = 3000;

/** Presses a key while a dialog's field has the focus, until the command that asked is over. */
export async function answerDialog<T>(keys: string, asking: Thenable<T>): Promise<T> {
	let isOver = false;
	const over = () => {
		isOver = true;
	};
	asking.then(over, over);
	await pressInDialog(keys, () => isOver);
	return asking;
}

/** Presses a key while a dialog's field has the focus, until that is over: a field that is being filled takes nothing in. */
async function pressInDialog(keys: string, isOver: () => boolean | Promise<boolean>): Promise<void> {
	let pressedAt = Number.NEGATIVE_INFINITY;
	await until(`the end by ${keys}`, async () => {
		if (await isOver()) return true;
		// Pressed again sooner, it might reach the editor behind a dialog that is about to close.
		if (Date.now() - pressedAt > CLOSE_MS && (await dialogField()) !== '') {
			pressedAt = Date.now();
			await press(keys);
		}
		return false;
	});
}

/** Types the name of a file into the dialog that is open. @param file absolute */
export async function typeInDialog(file: string): Promise<void> {
	// What the dialog completes by itself may come between the keys.
	await typeUntil(`"${file}" in the field`, file, async () => (await dialogField()) === file);
}

/** Opens a recording in a second window, by the dialog. */
export async function openRecordingByDialog(file: string): Promise<void> {
	// A window registers custom editors when it is idle first, which takes long on a busy machine: a recording that is opened before is a text. Ours runs behind its
	// own, which no limit brings forward.
	await inWindow(
		() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 60_000 })),
		undefined,
	);
	await openByDialog(file);
}

/** Opens a file in the window with the keyboard by VS Code's own dialog: its list of files would have to search first. @param file absolute */
export async function openByDialog(file: string): Promise<void> {
	await press('Control+O');
	await until('the dialog', async () => (await dialogField()) !== '');
	await typeInDialog(file);
	await pressInDialog('Enter', async () => (await dialogField()) === '');
}

/** The titles of the commands of a category that the palette offers, sorted. */
export async function paletteCommands(category: string): Promise<string[]> {
	const prefix = `${category}: `;
	await untilFirstInPalette(prefix, `>${prefix}`);
	const titles = new Set<string>();
	const take = async () => {
		for (const row of await quickPickRows())
			if (row.startsWith(prefix)) titles.add(row.slice(prefix.length).split(', ')[0]!);
	};
	// Only the rows that it has room for are drawn.
	await take();
	await press('End');
	await take();
	await press('Escape');
	await until('no list', async () => (await quickPickRows()).length === 0);
	// VS Code's own, for each view of a container.
	titles.delete('Focus on Async I/O View');
	return [...titles].sort();
}

/** Presses a key until what it opens takes keys: a change of the file, or a window that still starts, closes it again, or has not taken the key at all. */
export async function pressUntil(what: string, keys: string, takesThem: () => Promise<boolean>): Promise<void> {
	let pressedAt = Number.NEGATIVE_INFINITY;
	await until(what, async () => {
		if (await takesThem()) return true;
		if (Date.now() - pressedAt > CLOSE_MS) {
			pressedAt = Date.now();
			await press(keys);
		}
		return false;
	});
}

/** Types into the list that is open, until it puts a row first. @param row part of its text */
async function untilFirst(row: string, typed: string): Promise<void> {
	await until('the list', async () => (await quickPickRows()).length > 0);
	await typeUntil(`"${row}" in the list`, typed, () => isFirst(row));
}

/**
 * Opens the palette and types into it, until it puts a row first. A window that has just been opened may still give the focus to an editor, which closes
 * the palette: then it is opened again. @param row part of its text
 */
async function untilFirstInPalette(row: string, typed: string): Promise<void> {
	let openedAt = Number.NEGATIVE_INFINITY;
	await typeUntil(`"${row}" in the palette`, typed, async () => {
		if (await isFirst(row)) return true;
		if (Date.now() - openedAt > CLOSE_MS && (await quickPickRows()).length === 0 && !(await takesKeys())) {
			openedAt = Date.now();
			await press('F1');
		}
		return false;
	});
}

/** Whether keys go into the field of a list or a dialog: on a busy machine it is drawn before it has the focus, and they would go into an editor. */
function takesKeys(): Promise<boolean> {
	return inWindow(
		() =>
			document.querySelector('.quick-input-widget:not([style*="display: none"]) input') === document.activeElement &&
			document.activeElement !== null,
		undefined,
	);
}

/**
 * Types into the field of a list or a dialog, again until it is taken: one that is being filled takes nothing in. Each time it has twice as long: what was
 * typed before would start its search again.
 * @throws an error that names the rows and what has the focus, when it is not taken
 */
async function typeUntil(what: string, typed: string, isTaken: () => Promise<boolean>): Promise<void> {
	let typedAt = Number.NEGATIVE_INFINITY;
	let findsWithin = FIND_MS / 2;
	try {
		await until(what, async () => {
			if (await isTaken()) return true;
			if (Date.now() - typedAt < findsWithin || !(await takesKeys())) return false;
			typedAt = Date.now();
			findsWithin *= 2;
			await press('Control+A');
			await type(typed);
			return false;
		});
	} catch (error) {
		const focus = await inWindow(() => document.activeElement?.outerHTML.slice(0, 200) ?? 'nothing', undefined);
		const rows = JSON.stringify((await quickPickRows()).slice(0, 3));
		throw new Error(`${what}: the rows are ${rows}, the focus is in ${focus}`, { cause: error });
	}
}

async function isFirst(row: string): Promise<boolean> {
	return (await quickPickRows())[0]?.includes(row) === true;
}

/** Takes the row that a list puts first for what is typed. @param row part of its text */
export async function choose(row: string, typed = row): Promise<void> {
	await untilFirst(row, typed);
	await take(row);
}

async function take(row: string): Promise<void> {
	await press('Enter');
	await until('it to be taken', async () => !(await isFirst(row)));
}

/** Opens the palette and takes the row that it puts first for what is typed. @param row part of its text */
export async function chooseInPalette(row: string, typed: string): Promise<void> {
	await untilFirstInPalette(row, typed);
	await take(row);
}

/** Runs a command from the palette. @param title with its category */
export function runCommand(title: string): Promise<void> {
	return chooseInPalette(title, `>${title}`);
}

/** The text behind one line of an open editor. */
export interface SeenLine {
	/** The editor's file, from its tab or its accessible name. */
	editor: string;
	line: number;
	/** The line's own text. */
	code: string;
	/** The text that decorations add behind it. */
	after: string;
	/** The colour of that text, as a style has it. */
	color: string;
}

/** Every visible editor line, with the text that decorations put behind it. */
export function seenLines(): Promise<SeenLine[]> {
	return inWindow(() => {
		const seen: SeenLine[] = [];
		for (const editor of document.querySelectorAll<HTMLElement>('.editor-instance .monaco-editor')) {
			const name = editor.closest('.editor-instance')?.getAttribute('aria-label') ?? '';
			const numbers = new Map<string, number>();
			for (const row of editor.querySelectorAll<HTMLElement>('.margin-view-overlays > div')) {
				const number = Number(row.querySelector('.line-numbers')?.textContent);
				if (number > 0) numbers.set(row.style.top, number);
			}
			for (const row of editor.querySelectorAll<HTMLElement>('.view-lines > .view-line')) {
				let after = '';
				let color = '';
				for (const span of row.querySelectorAll('span')) {
					const style = getComputedStyle(span, '::after');
					// `none` and `normal` where there is nothing, else a CSS string.
					if (!style.content.startsWith('"')) continue;
					after += style.content.slice(1, -1).replace(/\\(.)/g, '$1');
					color = style.color;
				}
				seen.push({
					editor: name,
					line: numbers.get(row.style.top) ?? 0,
					code: (row.textContent ?? '').replaceAll('\u00a0', ' '),
					after,
					color,
				});
			}
		}
		return seen;
	}, undefined);
}

/** A picture in the gutter of an open editor. */
export interface SeenIcon {
	line: number;
	/** Its address: our icons are data URIs. */
	picture: string;
}

/** The pictures in the gutters of all open editors, as far as extensions put them there. */
export function seenIcons(): Promise<SeenIcon[]> {
	return inWindow(() => {
		const seen: SeenIcon[] = [];
		for (const editor of document.querySelectorAll<HTMLElement>('.editor-instance .monaco-editor')) {
			const numbers = new Map<string, number>();
			for (const row of editor.querySelectorAll<HTMLElement>('.margin-view-overlays > div')) {
				numbers.set(row.style.top, Number(row.querySelector('.line-numbers')?.textContent));
			}
			for (const icon of editor.querySelectorAll<HTMLElement>('.glyph-margin-widgets > div')) {
				const [, picture] = /^url\("(data:.*)"\)$/.exec(getComputedStyle(icon).backgroundImage) ?? [];
				if (picture !== undefined) seen.push({ line: numbers.get(icon.style.top) ?? 0, picture });
			}
		}
		return seen;
	}, undefined);
}

/**
 * Puts the mouse on the text that decorations add behind a line of an open editor, until a hover stands. An editor that lays itself out,
 * as while its window still starts, drops the hover that it was about to show; a hand moves the mouse again. While a session is live
 * its text changes, and its element is replaced: the mouse goes to where the text is now.
 */
export async function hoverAfter({ editor, line }: SeenLine): Promise<void> {
	let aside = 0;
	await until('a hover of the line', async () => {
		const at = await inWindow(middleOfTextAfter, { editor, line });
		if (at === null) return false;
		aside = 1 - aside;
		await ask({ type: 'pointAt', x: at.x + aside, y: at.y });
		return withinHoverTime(() =>
			inWindow(() => {
				const shown = [...document.querySelectorAll<HTMLElement>('.monaco-hover')];
				return shown.some((each) => each.getBoundingClientRect().height > 0 && (each.textContent ?? '') !== '');
			}, undefined),
		);
	});
}

/**
 * Puts the mouse on an element until its tooltip stands, and returns what it says. One that is drawn anew meanwhile drops the tooltip that it was
 * about to show; a hand moves the mouse again.
 * @param aside another element, to come from: the mouse may be on the first one already
 */
export async function tooltipOf<T>(
	selector: string,
	aside: string,
	look: () => Promise<T | undefined | false>,
): Promise<T> {
	return until<T | undefined | false>(`the tooltip of ${selector}`, async () => {
		await hover(aside);
		// One that is still there is about to go.
		await until('no tooltip', async () => !(await look()));
		await hover(selector);
		return withinHoverTime(look);
	}) as Promise<T>;
}

/** Looks until there is something, for as long as a hover may take. */
async function withinHoverTime<T>(look: () => Promise<T | undefined | false>): Promise<T | undefined | false> {
	const deadline = Date.now() + HOVER_MS;
	for (;;) {
		const seen = await look();
		if (seen || Date.now() > deadline) return seen;
		await sleep(50);
	}
}

/** Runs in the window. @returns in its pixels; null where there is no text behind the line */
function middleOfTextAfter({ editor, line }: Pick<SeenLine, 'editor' | 'line'>): { x: number; y: number } | null {
	for (const instance of document.querySelectorAll<HTMLElement>('.editor-instance')) {
		if ((instance.getAttribute('aria-label') ?? '') !== editor) continue;
		const numbers = [...instance.querySelectorAll<HTMLElement>('.margin-view-overlays > div')];
		const top = numbers.find((row) => Number(row.querySelector('.line-numbers')?.textContent) === line)?.style.top;
		const row = [...instance.querySelectorAll<HTMLElement>('.view-lines > .view-line')].find(
			({ style }) => style.top === top,
		);
		const span = [...(row?.querySelectorAll('span') ?? [])].find((each) =>
			getComputedStyle(each, '::after').content.startsWith('"'),
		);
		if (span === undefined) continue;
		const { x, y, width, height } = span.getBoundingClientRect();
		return { x: Math.min(x + width / 2, window.innerWidth - 2), y: y + height / 2 };
	}
	return null;
}
