// The texts behind source lines in every visible editor, with a hover each; redrawn at most four times a second.
import * as vscode from 'vscode';
import { annotationText, factsByFile, type LineFacts } from '../protocol/annotation.ts';
import type { Report } from '../protocol/report.ts';
import type { ViewStrings } from '../protocol/webview.ts';
import type { Annotation } from './api.ts';
import { onSettingChange, setting } from './config.ts';
import { DocumentKeys, pathKey } from './documents.ts';
import { lineHover } from './hover.ts';
import { LineShifts } from './line-shifts.ts';
import type { ProfiledSession } from './profiled-session.ts';
import type { Sessions } from './sessions.ts';
import { Throttle } from './throttle.ts';

/** What a document's line has to say, and where that line is now. */
interface Placed {
	/** 0-based, in the document as it is. */
	line: number;
	facts: LineFacts;
	text: string;
}

export class Annotations implements vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #words: ViewStrings;
	readonly #keys = new DocumentKeys();
	readonly #waits = decorationType('waitline.annotationForeground');
	readonly #blocks = decorationType('waitline.blockForeground');
	readonly #throttle = new Throttle(() => this.#draw());
	readonly #drawn = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[];

	#session: ProfiledSession | undefined;
	#report: Report | undefined;
	/** By path key; empty when annotations are off or cleared. */
	#files = new Map<string, Map<number, LineFacts>>();
	/** Edits since the session started, by document. */
	#shifts = new WeakMap<vscode.TextDocument, LineShifts>();

	/** The editors show the latest report. */
	readonly onDidDraw = this.#drawn.event;

	constructor(sessions: Sessions, words: ViewStrings) {
		this.#sessions = sessions;
		this.#words = words;
		this.#disposables = [
			this.#waits,
			this.#blocks,
			this.#throttle,
			this.#drawn,
			sessions.onDidChange(() => this.#throttle.request()),
			onSettingChange('lineAnnotations', () => this.#throttle.request()),
			vscode.window.onDidChangeVisibleTextEditors(() => this.#throttle.request()),
			vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
		];
	}

	/** The annotations of a document, given by URI or absolute path, top to bottom. */
	of(uri: string): Annotation[] {
		const wanted = /^[a-z][\w+.-]+:/i.test(uri) ? vscode.Uri.parse(uri, true) : vscode.Uri.file(uri);
		const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === wanted.toString());
		return this.#place(wanted, document).map(({ line, text }) => ({ line: line + 1, text }));
	}

	/** What the line under a cursor says, in the report's own terms; undefined when it says nothing. */
	factsAt(document: vscode.TextDocument, line: number): LineFacts | undefined {
		return this.#place(document.uri, document).find((placed) => placed.line === line)?.facts;
	}

	/** Takes over the current session's report if it changed. */
	#refresh(): void {
		const session = this.#sessions.current;
		if (session !== this.#session) {
			this.#session = session;
			this.#keys.forget();
			this.#shifts = new WeakMap();
		}
		const shown = session !== undefined && !session.cleared && setting('lineAnnotations');
		const report = shown ? session.report() : undefined;
		if (report === this.#report) return;
		this.#report = report;
		this.#files = new Map();
		if (report === undefined) return;
		for (const [file, lines] of factsByFile(report)) this.#files.set(pathKey(file), lines);
	}

	#draw(): void {
		this.#refresh();
		for (const editor of vscode.window.visibleTextEditors) {
			const placed = this.#place(editor.document.uri, editor.document);
			const options = (blocked: boolean) =>
				placed
					.filter(({ facts }) => facts.blocks.length > 0 === blocked)
					.map((each) => this.#decoration(editor.document, each));
			editor.setDecorations(this.#waits, options(false));
			editor.setDecorations(this.#blocks, options(true));
		}
		this.#drawn.fire();
	}

	#decoration(document: vscode.TextDocument, { line, facts, text }: Placed): vscode.DecorationOptions {
		const end = document.lineAt(line).range.end;
		return {
			range: new vscode.Range(end, end),
			hoverMessage: lineHover(facts, this.#words),
			renderOptions: { after: { contentText: text } },
		};
	}

	#place(uri: vscode.Uri, document: vscode.TextDocument | undefined): Placed[] {
		const lines = this.#keys
			.of(uri)
			.map((key) => this.#files.get(key))
			.find((found) => found !== undefined);
		if (lines === undefined) return [];
		const shifts = document && this.#shifts.get(document);
		const placed: Placed[] = [];
		for (const facts of lines.values()) {
			const text = annotationText(facts, this.#words);
			const line = shifts ? shifts.current(facts.line) : facts.line;
			if (text === '' || line === undefined || line < 1) continue;
			// The file may have been shortened before it was opened.
			if (document !== undefined && line > document.lineCount) continue;
			placed.push({ line: line - 1, facts, text });
		}
		return placed.sort((a, b) => a.line - b.line);
	}

	#follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
		if (contentChanges.length === 0 || this.#session === undefined) return;
		let shifts = this.#shifts.get(document);
		if (shifts === undefined) {
			shifts = new LineShifts();
			this.#shifts.set(document, shifts);
		}
		for (const { range, text } of contentChanges) {
			shifts.add({
				startLine: range.start.line,
				endLine: range.end.line,
				// Indentation is no code: a line break after it takes the line along.
				keepsStart: document.lineAt(range.start.line).text.slice(0, range.start.character).trim() !== '',
				newBreaks: text.split('\n').length - 1,
			});
		}
		this.#throttle.request();
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}

/** Leading spaces of an after-text collapse, so the distance to the code is a margin. */
function decorationType(color: string): vscode.TextEditorDecorationType {
	return vscode.window.createTextEditorDecorationType({
		after: { color: new vscode.ThemeColor(color), margin: '0 0 0 3ch', fontStyle: 'italic' },
		rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
	});
}
