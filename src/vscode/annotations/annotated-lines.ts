// Which lines of the editor's documents the report names, and where they are now. Keeps them until the report or the
// document changes: an editor that scrolls needs them all the time, and there may be 10,000.
import type * as vscode from 'vscode';
import { weightMs } from '../../protocol/heat.ts';
import { factsByFile, type LineFacts } from '../../protocol/line-facts.ts';
import type { Report } from '../../protocol/report.ts';
import { DocumentKeys, pathKey } from '../common/documents.ts';
import type { ShownSession } from '../sessions/shown-session.ts';
import { DocumentLines, type RanText } from './document-lines.ts';
import type { LineShifts } from './line-shifts.ts';

/** A line's facts, and where the line is now. */
export interface AnnotatedLine {
	/** 0-based, in the document as it is. */
	line: number;
	facts: LineFacts;
	shifts: LineShifts;
}

/** A line whose text was compared with the text that ran. */
export interface Placed {
	/** 0-based, in the document as it is. */
	line: number;
	facts: LineFacts;
	/** The line is not the one that ran. */
	edited: boolean;
}

/** The first and the last of some lines, 0-based. */
export interface LineWindow {
	from: number;
	to: number;
}

export const NO_LINES: readonly AnnotatedLine[] = [];

export class AnnotatedLines implements vscode.Disposable {
	readonly #keys = new DocumentKeys();
	readonly #documentLines = new DocumentLines();
	readonly #disposables: vscode.Disposable[];
	/** By path key; empty when the annotations were cleared. */
	#files = new Map<string, Map<number, LineFacts>>();
	/** Those of them that the threshold lets through. */
	#shown = new Map<string, readonly LineFacts[]>();
	#lines = new WeakMap<vscode.TextDocument, readonly AnnotatedLine[]>();
	#thresholdMs: number;

	/** Texts that ran have been read: documents that could not be annotated before now can be. */
	readonly onDidRead = this.#documentLines.onDidRead;
	/** An edit moved lines of a document. */
	readonly onDidMove = this.#documentLines.onDidMove;
	/** Any edit of a document that the report names. */
	readonly onDidEdit = this.#documentLines.onDidEdit;

	constructor(thresholdMs: number) {
		this.#thresholdMs = thresholdMs;
		this.#disposables = [
			this.#documentLines,
			this.onDidRead(() => this.#forget()),
			this.onDidEdit((document) => this.#lines.delete(document)),
		];
	}

	/** See `DocumentLines.attend`. */
	attend(sessions: readonly ShownSession[]): void {
		this.#documentLines.attend(sessions);
	}

	/** From now on reports belong to that session. */
	show(session: ShownSession | undefined): void {
		this.#keys.forget();
		this.#documentLines.show(session);
		this.#forget();
	}

	/** Replaces the report; undefined when there is none, or its annotations were cleared. */
	take(report: Report | undefined): void {
		this.#files = new Map();
		this.#forget();
		if (report === undefined) return;
		for (const [file, lines] of factsByFile(report)) this.#files.set(pathKey(file), lines);
		this.#documentLines.name(this.#files.keys());
	}

	/** Lines that waited and ran for less are left out. */
	setThreshold(thresholdMs: number): void {
		this.#thresholdMs = thresholdMs;
		this.#forget();
	}

	#forget(): void {
		this.#shown.clear();
		this.#lines = new WeakMap();
	}

	/** The annotated lines of a document, top to bottom; the same object until one of them changes. */
	of(document: vscode.TextDocument): readonly AnnotatedLine[] {
		let lines = this.#lines.get(document);
		if (lines === undefined) {
			lines = this.#place(document);
			this.#lines.set(document, lines);
		}
		return lines;
	}

	/** The annotated lines of a file as it ran, top to bottom. */
	ofFile(uri: vscode.Uri): readonly LineFacts[] {
		return this.#shownOf(this.#keyOf(uri));
	}

	/** The facts of a line of a document; undefined when there are none, whatever the threshold. @param line 0-based */
	at(document: vscode.TextDocument, line: number): Placed | undefined {
		const key = this.#keyOf(document.uri);
		const lines = key === undefined ? undefined : this.#files.get(key);
		const shifts = key === undefined ? undefined : this.#documentLines.of(document, key);
		if (lines === undefined || shifts === undefined) return undefined;
		for (const facts of lines.values()) {
			if (shifts.current(facts.line) === line + 1) return placed(document, { line, facts, shifts });
		}
		return undefined;
	}

	/**
	 * Where a line as it ran is in a document now; its old number when that is unknown, or the line is gone. 1-based.
	 */
	lineNow(document: vscode.TextDocument, line: number): number {
		const key = this.#keyOf(document.uri);
		const shifts = key === undefined ? undefined : this.#documentLines.of(document, key);
		return shifts?.current(line) ?? line;
	}

	/**
	 * Whether a document has different code than ran on a line of the report, or no longer has that line.
	 * @param line 1-based, as it ran
	 */
	isEdited(document: vscode.TextDocument, line: number): boolean {
		const key = this.#keyOf(document.uri);
		const shifts = key === undefined ? undefined : this.#documentLines.of(document, key);
		if (shifts === undefined) return false;
		const now = shifts.current(line);
		return now === undefined || shifts.edited(line, document.lineAt(now - 1).text);
	}

	/** A file as that session's program ran it; undefined when it was not read. */
	textOf(session: ShownSession, file: string): RanText | undefined {
		return this.#documentLines.textOf(session, pathKey(file));
	}

	#place(document: vscode.TextDocument): readonly AnnotatedLine[] {
		const key = this.#keyOf(document.uri);
		const shifts = key === undefined ? undefined : this.#documentLines.of(document, key);
		if (shifts === undefined) return NO_LINES;
		const lines: AnnotatedLine[] = [];
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
			shown = all.filter((facts) => weightMs(facts) >= this.#thresholdMs).sort((a, b) => a.line - b.line);
			this.#shown.set(key, shown);
		}
		return shown;
	}

	dispose(): void {
		for (const disposable of this.#disposables) disposable.dispose();
	}
}

/** The annotated lines that are in a window. */
export function placedIn(
	document: vscode.TextDocument,
	lines: readonly AnnotatedLine[],
	{ from, to }: LineWindow,
): Placed[] {
	return lines.filter(({ line }) => line >= from && line <= to).map((each) => placed(document, each));
}

function placed(document: vscode.TextDocument, { line, facts, shifts }: AnnotatedLine): Placed {
	return { line, facts, edited: shifts.edited(facts.line, document.lineAt(line).text) };
}
