// What every visible editor shows of the current session: which lines, where they are now, and what stands on them. New
// figures are taken over at the pace of the settings; scrolling and the settings themselves take effect at once.
import * as vscode from 'vscode';
import { annotationText, factsByFile, type LineFacts } from '../protocol/annotation.ts';
import { AnnotationTemplate } from '../protocol/annotation-template.ts';
import { heatOf, type Totals, totalsOf, weightMs } from '../protocol/heat.ts';
import type { Report } from '../protocol/report.ts';
import type { SettingValue } from '../protocol/settings.ts';
import type { ViewStrings } from '../protocol/webview.ts';
import type { Annotation } from './api.ts';
import { onSettingChange, setting } from './config.ts';
import { DocumentLines } from './document-lines.ts';
import { DocumentKeys, pathKey } from './documents.ts';
import { LineDecorations, type LineLook } from './line-decorations.ts';
import type { LineShifts } from './line-shifts.ts';
import type { Sessions } from './sessions.ts';
import type { ShownSession } from './shown-session.ts';
import { reportUnknownPlaceholders } from './template-notice.ts';
import { Throttle } from './throttle.ts';

/** Lines drawn above and below what an editor shows, so that scrolling a little needs no drawing. Each text costs the window a rule of style. */
const MARGIN_LINES = 25;
/** How long scrolling and cursor movements are gathered, in ms: less than a person notices, more than a frame. */
const GATHER_MS = 50;

/** What a line has to say, and where it is now. */
export interface Placed {
	/** 0-based, in the document as it is. */
	line: number;
	facts: LineFacts;
	/** The line is not the one that ran. */
	edited: boolean;
}

export class Annotations implements vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #words: ViewStrings;
	readonly #keys = new DocumentKeys();
	readonly #documentLines = new DocumentLines();
	readonly #decorations = new LineDecorations();
	readonly #news = new Throttle(
		() => this.#take(),
		() => this.#options.updateDelayMs,
	);
	readonly #movements = new Throttle(
		() => this.#draw(),
		() => GATHER_MS,
	);
	readonly #drawn = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[];

	#options = readOptions();
	#session: ShownSession | undefined;
	#report: Report | undefined;
	#totals: Totals = { wait: null, run: null };
	/** By path key; empty when the annotations were cleared. */
	#files = new Map<string, Map<number, LineFacts>>();
	/** Of those, what the threshold lets through. */
	#shown = new Map<string, readonly LineFacts[]>();

	/** What was drawn last in each editor. */
	readonly #windows = new WeakMap<vscode.TextEditor, LineWindow>();

	/** The editors show the latest report. */
	readonly onDidDraw = this.#drawn.event;

	constructor(sessions: Sessions, words: ViewStrings) {
		this.#sessions = sessions;
		this.#words = words;
		this.#disposables = [
			this.#documentLines,
			this.#decorations,
			this.#news,
			this.#movements,
			this.#drawn,
			sessions.onDidChange(() => this.#hear()),
			onSettingChange('annotations', () => this.#configure()),
			vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
			vscode.window.onDidChangeTextEditorVisibleRanges(() => this.#movements.request()),
			vscode.window.onDidChangeTextEditorSelection(() => {
				if (this.#options.followCursor !== 'allLines') this.#movements.request();
			}),
			this.#documentLines.onDidRead(() => this.#draw()),
			this.#documentLines.onDidMove((document) => {
				for (const editor of vscode.window.visibleTextEditors) {
					if (editor.document === document) this.#decorations.forget(editor);
				}
			}),
			this.#documentLines.onDidEdit(() => this.#news.request()),
		];
		reportUnknownPlaceholders(this.#options.template);
	}

	/** The report that the editors show; undefined when there is none, or its annotations were cleared. */
	get report(): Report | undefined {
		return this.#report;
	}

	/** How many decorations the editors were sent. */
	get sent(): number {
		return this.#decorations.sent;
	}

	/** The annotations of a document, given by URI or absolute path, top to bottom. */
	of(uri: string): Annotation[] {
		const wanted = /^[a-z][\w+.-]+:/i.test(uri) ? vscode.Uri.parse(uri, true) : vscode.Uri.file(uri);
		const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === wanted.toString());
		if (!setting('annotations.enabled', document)) return [];
		if (document !== undefined) {
			return this.#place(document, 0, document.lineCount).map((placed) => ({
				line: placed.line + 1,
				text: this.#text(placed),
			}));
		}
		const facts = this.#shownOf(this.#keyOf(wanted));
		return facts.map((each) => ({
			line: each.line,
			text: this.#text({ facts: each, line: each.line - 1, edited: false }),
		}));
	}

	/** What stands on a line of a document; undefined when there is nothing, shown or not. @param line 0-based */
	at(document: vscode.TextDocument, line: number): Placed | undefined {
		const key = this.#keyOf(document.uri);
		const lines = key === undefined ? undefined : this.#files.get(key);
		const shifts = key === undefined ? undefined : this.#documentLines.of(document, key);
		if (lines === undefined || shifts === undefined) return undefined;
		for (const facts of lines.values()) {
			if (shifts.current(facts.line) === line + 1) return placed(document, line, facts, shifts);
		}
		return undefined;
	}

	/** What the line under a cursor says, in the report's own terms; undefined when it says nothing. @param line 0-based */
	factsAt(document: vscode.TextDocument, line: number): LineFacts | undefined {
		return this.at(document, line)?.facts;
	}

	/** Another session or another state of it shows at once; new figures of the same one can wait. */
	#hear(): void {
		const { current } = this.#sessions;
		const isCleared = current?.cleared === true && this.#report !== undefined;
		if (current !== this.#session || isCleared) this.#take();
		else this.#news.request();
	}

	/** Takes over the current session's report, and draws. */
	#take(): void {
		const session = this.#sessions.current;
		if (session !== this.#session) {
			this.#session = session;
			this.#keys.forget();
			this.#documentLines.show(session);
		}
		const report = session?.cleared ? undefined : session?.report();
		if (report !== this.#report) {
			this.#report = report;
			this.#files = new Map();
			this.#shown.clear();
			if (report !== undefined) {
				this.#totals = totalsOf(report);
				for (const [file, lines] of factsByFile(report)) this.#files.set(pathKey(file), lines);
				this.#documentLines.name(this.#files.keys());
			}
		}
		this.#draw();
	}

	#configure(): void {
		this.#options = readOptions();
		this.#shown.clear();
		reportUnknownPlaceholders(this.#options.template);
		this.#draw();
	}

	#draw(): void {
		for (const editor of vscode.window.visibleTextEditors) this.#drawEditor(editor);
		this.#drawn.fire();
	}

	#drawEditor(editor: vscode.TextEditor): void {
		const { document } = editor;
		const { from, to } = this.#windowOf(editor);
		const enabled = this.#files.size > 0 && setting('annotations.enabled', document);
		const all = enabled ? this.#place(document, from, to) : [];
		const activeLine = editor.selection.active.line;
		this.#decorations.drawLines(
			editor,
			all.map((each) => this.#look(each, each.line === activeLine)),
		);
		const marks = { waits: [] as number[], held: [] as number[] };
		if (enabled && this.#options.overviewRuler) {
			for (const { line, facts } of this.#lines(document)) {
				if (facts.entries.length > 0) marks.waits.push(line);
				if (facts.blocks.length > 0 || facts.warnings.length > 0) marks.held.push(line);
			}
		}
		this.#decorations.drawRuler(editor, marks);
	}

	/** The lines to draw: those of the last time as long as the editor shows none beyond them. */
	#windowOf(editor: vscode.TextEditor): LineWindow {
		const shown = {
			from: Math.min(...editor.visibleRanges.map(({ start }) => start.line)),
			to: Math.max(...editor.visibleRanges.map(({ end }) => end.line)),
		};
		const last = this.#windows.get(editor);
		if (last !== undefined && last.from <= shown.from && last.to >= shown.to) return last;
		const window = { from: shown.from - MARGIN_LINES, to: shown.to + MARGIN_LINES };
		this.#windows.set(editor, window);
		return window;
	}

	#look(placed: Placed, isActive: boolean): LineLook {
		const { facts, line, edited } = placed;
		const { followCursor, gutter, lineBackground } = this.#options;
		const hasText = followCursor === 'allLines' || (followCursor === 'activeLine') === isActive;
		const held = facts.blocks.length > 0;
		const heat = heatOf(facts, this.#totals);
		const icon = held ? 'held' : gutter === 'heat' ? (`heat${heat}` as const) : (facts.entries[0]?.class ?? 'held');
		return {
			line,
			held,
			edited,
			text: hasText ? this.#text(placed) || undefined : undefined,
			icon: gutter === 'off' ? undefined : icon,
			background: lineBackground && facts.entries.length > 0 ? heat : undefined,
		};
	}

	#text({ facts, edited }: Placed): string {
		const text = annotationText(facts, this.#words, { ...this.#options, totals: this.#totals });
		return edited && text !== '' ? `${text}  (${this.#words.edited})` : text;
	}

	/** The annotated lines of a document from `from` to `to`, 0-based, top to bottom. */
	#place(document: vscode.TextDocument, from: number, to: number): Placed[] {
		return this.#lines(document)
			.filter(({ line }) => line >= from && line <= to)
			.map(({ line, facts, shifts }) => placed(document, line, facts, shifts));
	}

	/** What the lines of a document say, annotated or not, and where they are now. `line` is 0-based. */
	linesOf(document: vscode.TextDocument): { line: number; facts: LineFacts }[] {
		return this.#lines(document);
	}

	/** All annotated lines of a document, top to bottom. */
	#lines(document: vscode.TextDocument): { line: number; facts: LineFacts; shifts: LineShifts }[] {
		const key = this.#keyOf(document.uri);
		const shifts = key === undefined ? undefined : this.#documentLines.of(document, key);
		if (shifts === undefined) return [];
		const lines: { line: number; facts: LineFacts; shifts: LineShifts }[] = [];
		for (const facts of this.#shownOf(key)) {
			const line = shifts.current(facts.line);
			if (line !== undefined) lines.push({ line: line - 1, facts, shifts });
		}
		return lines.sort((a, b) => a.line - b.line);
	}

	/** The key of the report's file that the document is, if it is one. */
	#keyOf(uri: vscode.Uri): string | undefined {
		return this.#keys.of(uri).find((key) => this.#files.has(key));
	}

	#shownOf(key: string | undefined): readonly LineFacts[] {
		if (key === undefined) return [];
		let shown = this.#shown.get(key);
		if (shown === undefined) {
			const all = [...(this.#files.get(key)?.values() ?? [])];
			shown = all.filter((facts) => weightMs(facts) >= this.#options.thresholdMs).sort((a, b) => a.line - b.line);
			this.#shown.set(key, shown);
		}
		return shown;
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}

/** The first and the last of the lines that are drawn, 0-based. */
interface LineWindow {
	from: number;
	to: number;
}

function placed(document: vscode.TextDocument, line: number, facts: LineFacts, shifts: LineShifts): Placed {
	return { line, facts, edited: shifts.edited(facts.line, document.lineAt(line).text) };
}

interface Options {
	template: AnnotationTemplate;
	figures: SettingValue<'annotations.figures'>;
	thresholdMs: number;
	followCursor: SettingValue<'annotations.followCursor'>;
	gutter: SettingValue<'annotations.gutter'>;
	overviewRuler: boolean;
	lineBackground: boolean;
	updateDelayMs: number;
}

function readOptions(): Options {
	return {
		template: new AnnotationTemplate(setting('annotations.template')),
		figures: setting('annotations.figures'),
		thresholdMs: setting('annotations.thresholdMs'),
		followCursor: setting('annotations.followCursor'),
		gutter: setting('annotations.gutter'),
		overviewRuler: setting('annotations.overviewRuler'),
		lineBackground: setting('annotations.lineBackground'),
		updateDelayMs: setting('annotations.updateDelayMs'),
	};
}
