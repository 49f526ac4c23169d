// The commands about one line of the report. A link or a tree item names the line by a file number that we issued; without one,
// as from the palette, it is the line of the cursor.
import * as vscode from 'vscode';
import { factsByFile, type LineFacts } from '../../protocol/line-facts.ts';
import { answer } from '../common/notices.ts';
import { plainMarkdown } from '../common/rich-text.ts';
import { type DetailContext, lineDetails } from '../details/line-details.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Annotations } from './annotations.ts';
import { openLine } from './open-line.ts';
import type { ViewFiles } from './view-files.ts';

/** What the commands do with the line. */
export interface LineActions {
	reveal(facts: LineFacts): void;
	/** There is nothing to reveal: the panel alone. */
	showPanel(): void;
	filter(facts: LineFacts): void;
}

/** A line of the report as commands name it: by a file number and a line, or by an item of the tree. */
type LineArguments = [file?: unknown, line?: unknown];

export class LineCommands implements vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #annotations: Annotations;
	readonly #files: ViewFiles;
	readonly #details: DetailContext;
	readonly #disposables: vscode.Disposable[];

	constructor(
		sessions: Sessions,
		annotations: Annotations,
		{ files, details, actions }: { files: ViewFiles; details: DetailContext; actions: LineActions },
	) {
		this.#sessions = sessions;
		this.#annotations = annotations;
		this.#files = files;
		this.#details = details;
		const command = (id: string, run: (...at: LineArguments) => unknown) =>
			vscode.commands.registerCommand(`waitline.${id}`, run);
		this.#disposables = [
			command('openLine', (...at) => this.#open(...at)),
			command('copyLine', (...at) => this.#copy(...at)),
			command('showLineDetails', () => this.#showDetails()),
			command('revealInPanel', (...at) => {
				const facts = this.#factsOf(at);
				if (facts === undefined) actions.showPanel();
				else actions.reveal(facts);
			}),
			command('filterToLine', (...at) => {
				const facts = this.#factsOrNotice(at);
				if (facts !== undefined) actions.filter(facts);
			}),
		];
	}

	async #open(id: unknown, line: unknown): Promise<void> {
		const file = typeof id === 'number' ? this.#files.path(id) : undefined;
		if (file === undefined || !Number.isSafeInteger(line) || (line as number) < 1) return;
		await openLine(file, line as number, this.#annotations);
	}

	/** Puts the line's details on the clipboard. */
	async #copy(...at: LineArguments): Promise<void> {
		const facts = this.#factsOrNotice(at);
		const report = this.#sessions.current?.report();
		if (facts === undefined || report === undefined) return;
		const { label } = this.#details.issue(facts.file);
		const place = { paragraph: [{ strong: { data: `${label}:${facts.line}` } }] };
		await vscode.env.clipboard.writeText(plainMarkdown([place, ...lineDetails(facts, report, this.#details)]));
		answer(vscode.l10n.t('Copied {0} as Markdown.', `${label}:${facts.line}`));
	}

	/** Shows the hover of the cursor's line without a mouse: it belongs to the line's end. */
	async #showDetails(): Promise<void> {
		const editor = vscode.window.activeTextEditor;
		const facts = this.#factsOrNotice([]);
		if (editor === undefined || facts === undefined) return;
		const { end } = editor.document.lineAt(editor.selection.active.line).range;
		editor.selection = new vscode.Selection(end, end);
		await vscode.commands.executeCommand('editor.action.showHover', { focus: 'autoFocusImmediately' });
	}

	#factsOrNotice(at: LineArguments): LineFacts | undefined {
		const facts = this.#factsOf(at);
		if (facts === undefined) {
			answer(vscode.l10n.t('Waitline has no figures for this line.'));
		}
		return facts;
	}

	#factsOf(at: LineArguments): LineFacts | undefined {
		const [id, line] = isPlace(at[0]) ? [at[0].fileId, at[0].line] : at;
		if (typeof id === 'number' && typeof line === 'number') {
			const file = this.#files.path(id);
			const report = this.#sessions.current?.report();
			if (file === undefined || report === undefined) return undefined;
			return factsByFile(report).get(file)?.get(line);
		}
		const editor = vscode.window.activeTextEditor;
		return editor && this.#annotations.factsAt(editor.document, editor.selection.active.line);
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}

/** An item of the tree that represents a line. */
function isPlace(value: unknown): value is { fileId: number; line: number } {
	return typeof value === 'object' && value !== null && 'fileId' in value && 'line' in value;
}
