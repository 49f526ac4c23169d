// Where the lines that a session's program ran are in the editor's documents: compares each document with the text that ran
// when it is first asked for, and follows its edits from then on.
import * as vscode from 'vscode';
import { factsByFile } from '../../protocol/line-facts.ts';
import { DocumentKeys, pathKey } from '../common/documents.ts';
import { isRecording, readerFor } from '../sessions/session-texts.ts';
import type { ShownSession } from '../sessions/shown-session.ts';
import { type LineEdit, LineShifts } from './line-shifts.ts';
import { RanTexts } from './ran-texts.ts';

/** A file as a session's program ran it. */
export interface RanText {
	lines: readonly string[];
	/** Whether the recording lacks it: then the text on disk now is taken for it. */
	isFromDisk: boolean;
}

export class DocumentLines implements vscode.Disposable {
	/** For every session that was shown: it may be shown again after its files have changed. */
	readonly #ran = new WeakMap<ShownSession, RanTexts>();
	/** Those whose programs may still run. */
	readonly #live = new Set<ShownSession>();
	readonly #keys = new DocumentKeys();
	readonly #arrived = new vscode.EventEmitter<void>();
	readonly #moved = new vscode.EventEmitter<vscode.TextDocument>();
	readonly #edited = new vscode.EventEmitter<vscode.TextDocument>();
	readonly #disposables: vscode.Disposable[];
	#texts: RanTexts | undefined;
	#shifts = new WeakMap<vscode.TextDocument, LineShifts>();

	/** Texts that ran have been read: documents that could not be annotated before now can be. */
	readonly onDidRead = this.#arrived.event;
	/** An edit moved lines of a document. */
	readonly onDidMove = this.#moved.event;
	/** Any edit of a document that was asked for. */
	readonly onDidEdit = this.#edited.event;

	constructor() {
		this.#disposables = [
			this.#arrived,
			this.#moved,
			this.#edited,
			vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
			vscode.workspace.onDidOpenTextDocument((document) => {
				// The editor has just read the file. To read it again takes until it may have been edited and saved.
				const text = document.isDirty ? undefined : document.getText();
				for (const session of this.#live) this.#keep(document, this.#textsOf(session), text);
			}),
		];
	}

	/** The sessions that exist, shown or not: what a person edits from now on is not what a live one runs. */
	attend(sessions: readonly ShownSession[]): void {
		for (const session of sessions) this.#textsOf(session);
		for (const session of this.#live) {
			if (session.live) continue;
			this.#live.delete(session);
			void this.#textsOf(session).settle([...factsByFile(session.report()).keys()].map(pathKey));
		}
	}

	/** From now on the lines are those of that session's program. */
	show(session: ShownSession | undefined): void {
		this.#shifts = new WeakMap();
		this.#keys.forget();
		this.#texts = session && this.#textsOf(session);
	}

	#textsOf(session: ShownSession): RanTexts {
		let texts = this.#ran.get(session);
		if (texts === undefined) {
			texts = new RanTexts(broughtBy(session), readerFor(session), () => this.#arrived.fire());
			this.#ran.set(session, texts);
			if (session.live) {
				this.#live.add(session);
				for (const document of vscode.workspace.textDocuments) this.#keep(document, texts);
			}
		}
		return texts;
	}

	#keep(document: vscode.TextDocument, texts: RanTexts, text?: string): void {
		for (const file of this.#keys.of(document.uri)) void texts.keep(file, text);
	}

	/** The program has these files; texts of new ones are read. */
	name(files: Iterable<string>): void {
		void this.#texts?.name(files);
	}

	/** A file as that session's program ran it; undefined when it was not read. */
	textOf(session: ShownSession, file: string): RanText | undefined {
		const texts = this.#ran.get(session);
		const lines = texts?.of(file) ?? undefined;
		return lines && { lines, isFromDisk: isRecording(session) && texts!.isFromDisk(file) };
	}

	/** Undefined until the text that ran was read. */
	of(document: vscode.TextDocument, file: string): LineShifts | undefined {
		let shifts = this.#shifts.get(document);
		if (shifts === undefined) {
			const ran = this.#texts?.of(file);
			if (ran === undefined) return undefined;
			// For a text that cannot be read, the editor's text is used.
			shifts = new LineShifts(ran ?? document.getText().split(/\r\n|\r|\n/), document);
			this.#shifts.set(document, shifts);
		}
		shifts.settle(document);
		return shifts;
	}

	#follow(event: vscode.TextDocumentChangeEvent): void {
		const shifts = this.#shifts.get(event.document);
		if (shifts === undefined || event.contentChanges.length === 0) return;
		const edits = editsOf(event);
		for (const edit of edits) shifts.add(edit);
		if (edits.some(({ startLine, endLine, newBreaks }) => newBreaks > 0 || endLine > startLine)) {
			this.#moved.fire(event.document);
		}
		this.#edited.fire(event.document);
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}

function broughtBy({ sources }: ShownSession): ReadonlyMap<string, string> {
	return new Map([...(sources ?? [])].map(([file, text]) => [pathKey(file), text]));
}

/** The changes in their own order, from the end of the document to its start: each in lines as they were before the event. */
function editsOf({ document, contentChanges }: vscode.TextDocumentChangeEvent): LineEdit[] {
	// The document is in its state after the event: changes further up have moved the line on which a change starts.
	let movedBy = 0;
	const edits: LineEdit[] = [];
	for (const { range, text } of contentChanges.toReversed()) {
		const newBreaks = text.split('\n').length - 1;
		const before = document.lineAt(range.start.line + movedBy).text.slice(0, range.start.character);
		edits.push({
			startLine: range.start.line,
			endLine: range.end.line,
			// Indentation is not code: a line break after it moves the line down.
			keepsStart: before.trim() !== '',
			newBreaks,
		});
		movedBy += newBreaks - (range.end.line - range.start.line);
	}
	return edits.reverse();
}
