// What every visible editor shows of the current session: which lines, where they are now, and the texts on them. New
// figures are shown at the pace of the settings and not while the person types; scrolling and the settings take effect
// at once.
import * as vscode from 'vscode';
import { annotationText } from '../../protocol/annotation.ts';
import { AnnotationTemplate } from '../../protocol/annotation-template.ts';
import { heatOf, type Totals, totalsOf } from '../../protocol/heat.ts';
import type { LineFacts } from '../../protocol/line-facts.ts';
import type { Report, SourceLine } from '../../protocol/report.ts';
import type { SettingValue } from '../../protocol/settings.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import type { ViewStrings } from '../../protocol/webview.ts';
import { onSettingChange, setting } from '../common/config.ts';
import { DocumentKeys, pathKey } from '../common/documents.ts';
import { Throttle } from '../common/throttle.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { ShownSession } from '../sessions/shown-session.ts';
import {
	type AnnotatedLine,
	AnnotatedLines,
	type LineWindow,
	NO_LINES,
	type Placed,
	placedIn,
} from './annotated-lines.ts';
import type { RanText } from './document-lines.ts';
import { LineDecorations, type LineLook, type RulerMarks } from './line-decorations.ts';
import { reportUnknownPlaceholders } from './template-notice.ts';

/** Lines drawn above and below what an editor shows, so that scrolling a little needs no drawing. Each text costs the window a rule of style. */
const MARGIN_LINES = 25;
/**
 * Lines that are only scrolled past, and lines on the cursor's way, are not drawn; an editor is drawn once it has
 * rested for this long, in ms. A person perceives that as immediate.
 */
const REST_MS = 100;

/** One annotation as shown behind its line. */
export interface Annotation {
	/** 1-based line in the document as it is now. */
	line: number;
	/** The text behind the line, without the space in front of it. */
	text: string;
}

export class Annotations implements vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #words: ViewStrings;
	readonly #decorations = new LineDecorations();
	readonly #news = new Throttle(
		() => this.#take(),
		() => this.#options.updateDelayMs,
	);
	readonly #movements = new Throttle(
		() => this.#draw(),
		() => REST_MS,
	);
	readonly #drawn = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[];

	readonly #keys = new DocumentKeys();
	#options = readOptions();
	readonly #lines = new AnnotatedLines(this.#options.thresholdMs);
	#session: ShownSession | undefined;
	#report: Report | undefined;
	#totals: Totals = { wallMs: 0, wait: null, run: null };
	/** What was drawn last in each editor: its lines, and those of the marks beside its scroll bar. */
	readonly #windows = new WeakMap<vscode.TextEditor, LineWindow>();
	readonly #marked = new WeakMap<vscode.TextEditor, readonly AnnotatedLine[]>();

	/** The editors show the latest report. */
	readonly onDidDraw = this.#drawn.event;

	constructor(sessions: Sessions, words: ViewStrings) {
		this.#sessions = sessions;
		this.#words = words;
		this.#disposables = [
			this.#lines,
			this.#decorations,
			this.#news,
			this.#movements,
			this.#drawn,
			sessions.onDidChange(() => this.#onSessionsChange()),
			onSettingChange('annotations', () => this.#configure()),
			vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
			// Typing changes what is visible too, by a column or a line.
			vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
				if (!this.#isDrawn(textEditor)) this.#movements.requestAfterPause();
			}),
			vscode.window.onDidChangeTextEditorSelection(() => {
				if (this.#options.followCursor !== 'allLines') this.#movements.requestAfterPause();
			}),
			this.#lines.onDidRead(() => this.#draw()),
			this.#lines.onDidMove((document) => {
				for (const editor of vscode.window.visibleTextEditors) {
					if (editor.document === document) this.#decorations.forget(editor);
				}
			}),
			// Drawing while the person types would slow the window down.
			this.#lines.onDidEdit(() => this.#news.requestAfterPause()),
		];
		reportUnknownPlaceholders(this.#options.template);
	}

	/** The report that the editors show; undefined when there is none, or its annotations were cleared. */
	get report(): Report | undefined {
		return this.#report;
	}

	/** The session that the editors show. */
	get session(): ShownSession | undefined {
		return this.#session;
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
			const all = { from: 0, to: document.lineCount - 1 };
			return placedIn(document, this.#lines.of(document), all).map((placed) => ({
				line: placed.line + 1,
				text: this.#text(placed),
			}));
		}
		return this.#lines.ofFile(wanted).map((facts) => ({
			line: facts.line,
			text: this.#text({ facts, line: facts.line - 1, edited: false }),
		}));
	}

	/** The facts of a document's lines, top to bottom. */
	linesOf(document: vscode.TextDocument): readonly AnnotatedLine[] {
		return this.#lines.of(document);
	}

	/** The facts of a line of a document, shown or not; undefined when there are none. @param line 0-based */
	at(document: vscode.TextDocument, line: number): Placed | undefined {
		return this.#lines.at(document, line);
	}

	/**
	 * The facts of the line under a cursor, in the report's own terms; undefined when there are none.
	 * @param line 0-based
	 */
	factsAt(document: vscode.TextDocument, line: number): LineFacts | undefined {
		return this.at(document, line)?.facts;
	}

	/**
	 * Where a line of the report is in a document now; its old number when that is unknown, or the line is gone.
	 * 1-based.
	 */
	lineNow(document: vscode.TextDocument, line: number): number {
		return this.#lines.lineNow(document, line);
	}

	/** An open document that is this file of the report. */
	documentOf(file: string): vscode.TextDocument | undefined {
		return vscode.workspace.textDocuments.find(({ uri }) => this.#keys.of(uri).includes(pathKey(file)));
	}

	/** Whether an open document has different code on a line of the report than ran there. */
	isEdited({ file, line }: SourceLine): boolean {
		const document = this.documentOf(file);
		return document !== undefined && this.#lines.isEdited(document, line);
	}

	/** A file as that session's program ran it; undefined when it was not read. */
	ranText(session: ShownSession, file: string): RanText | undefined {
		return this.#lines.textOf(session, file);
	}

	/** Another session or another state of it is shown at once; new figures of the same one can wait. */
	#onSessionsChange(): void {
		const { all, current } = this.#sessions;
		this.#lines.attend(all);
		const isCleared = current?.cleared === true && this.#report !== undefined;
		if (current !== this.#session || isCleared) this.#take();
		else this.#news.request();
	}

	/** Takes the current session's report, and draws. */
	#take(): void {
		const session = this.#sessions.current;
		if (session !== this.#session) {
			this.#session = session;
			this.#keys.forget();
			this.#lines.show(session);
		}
		const report = session?.cleared ? undefined : session?.report();
		if (report !== this.#report) {
			this.#report = report;
			if (report !== undefined) this.#totals = totalsOf(report);
			this.#lines.take(report);
		}
		this.#draw();
	}

	#configure(): void {
		this.#options = readOptions();
		this.#lines.setThreshold(this.#options.thresholdMs);
		reportUnknownPlaceholders(this.#options.template);
		this.#draw();
	}

	#draw(): void {
		for (const editor of vscode.window.visibleTextEditors) this.#drawEditor(editor);
		this.#drawn.fire();
	}

	#drawEditor(editor: vscode.TextEditor): void {
		const { document } = editor;
		const window = this.#windowOf(editor);
		const isEnabled = this.#report !== undefined && setting('annotations.enabled', document);
		const lines = isEnabled ? this.#lines.of(document) : NO_LINES;
		const activeLine = editor.selection.active.line;
		this.#decorations.drawLines(
			editor,
			placedIn(document, lines, window).map((each) => this.#look(each, each.line === activeLine)),
		);
		if (this.#marked.get(editor) === lines) return;
		this.#marked.set(editor, lines);
		this.#decorations.drawRuler(editor, marksOf(this.#options.overviewRuler ? lines : NO_LINES));
	}

	/** The lines to draw: the same as last time while the editor shows none beyond them. */
	#windowOf(editor: vscode.TextEditor): LineWindow {
		if (!this.#isDrawn(editor)) {
			const { from, to } = visibleLines(editor);
			this.#windows.set(editor, { from: from - MARGIN_LINES, to: to + MARGIN_LINES });
		}
		return this.#windows.get(editor)!;
	}

	#isDrawn(editor: vscode.TextEditor): boolean {
		const { from, to } = visibleLines(editor);
		const drawn = this.#windows.get(editor);
		return drawn !== undefined && drawn.from <= from && drawn.to >= to;
	}

	#look(placed: Placed, isActive: boolean): LineLook {
		const { facts, line, edited } = placed;
		const { followCursor, gutter, lineBackground } = this.#options;
		const hasText = followCursor === 'allLines' || (followCursor === 'activeLine') === isActive;
		const blocks = facts.blocks.length > 0;
		const heat = heatOf(facts, this.#totals);
		const icon = blocks ? 'block' : gutter === 'heat' ? (`heat${heat}` as const) : (facts.entries[0]?.class ?? 'block');
		return {
			line,
			blocks,
			edited,
			text: hasText ? this.#text(placed) || undefined : undefined,
			icon: gutter === 'off' ? undefined : icon,
			// The heat is that of the code that ran.
			background: lineBackground && !edited && facts.entries.length > 0 ? heat : undefined,
		};
	}

	#text({ facts, edited }: Placed): string {
		const text = annotationText(facts, this.#words, { ...this.#options, totals: this.#totals });
		// The template may come from a workspace.
		return visibleText(edited && text !== '' ? `${text}  (${this.#words.edited})` : text);
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}

function visibleLines({ visibleRanges }: vscode.TextEditor): LineWindow {
	return {
		from: Math.min(...visibleRanges.map(({ start }) => start.line)),
		to: Math.max(...visibleRanges.map(({ end }) => end.line)),
	};
}

function marksOf(lines: readonly AnnotatedLine[]): RulerMarks {
	const linesWhere = (has: (facts: LineFacts) => boolean) =>
		lines.filter(({ facts }) => has(facts)).map(({ line }) => line);
	return {
		waits: linesWhere(({ entries }) => entries.length > 0),
		blocks: linesWhere(({ blocks, warnings }) => blocks.length > 0 || warnings.length > 0),
	};
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
