// CodeLens, off by default: above each function how slow its slowest line is. A click shows that line in the panel.
import * as vscode from 'vscode';
import { compareWall, latencyText, mainLatency, wallMsOf } from '../../protocol/latency.ts';
import type { Report } from '../../protocol/report.ts';
import { formatCount, formatTimes } from '../../protocol/units.ts';
import { fill, type ViewStrings } from '../../protocol/webview.ts';
import { onSettingChange, setting } from '../common/config.ts';
import { FILE_SCHEMES } from '../common/documents.ts';
import { type Placed, placedIn } from './annotated-lines.ts';
import type { Annotations } from './annotations.ts';
import type { ViewFiles } from './view-files.ts';

/** Symbols whose lines are added up. */
const FUNCTIONS = new Set([vscode.SymbolKind.Function, vscode.SymbolKind.Method, vscode.SymbolKind.Constructor]);

/** How TypeScript names functions that have none; a callback belongs to the function around it. */
const ANONYMOUS = / callback$|^<(function|class)>$/;

/**
 * VS Code shows no lenses in a document before every extension has provided its own, so a language that takes longer
 * than this to name its functions is not waited for. In ms; VS Code's own languages take less than a tenth of it.
 */
const LANGUAGE_MS = 2000;

/** A document, and its version when a language was asked for its functions. */
interface LensQuestion {
	readonly version: number;
	readonly functions: Promise<vscode.Range[]>;
	isAnswered: boolean;
}

export class WaitLenses implements vscode.CodeLensProvider, vscode.Disposable {
	readonly #annotations: Annotations;
	readonly #files: ViewFiles;
	readonly #words: ViewStrings;
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[];
	/** The report from which the lenses were last made. */
	#report: Report | undefined;
	/** Documents that had no annotations then; the texts that ran may have been read since. */
	readonly #silent = new Set<vscode.TextDocument>();
	/** Questions that a language has not answered in time: it is asked once for each version of such a document. */
	readonly #unanswered = new WeakMap<vscode.TextDocument, LensQuestion>();
	/** While the setting is on. */
	#registration: vscode.Disposable | undefined;

	readonly onDidChangeCodeLenses = this.#changed.event;

	constructor(annotations: Annotations, files: ViewFiles, words: ViewStrings) {
		this.#annotations = annotations;
		this.#files = files;
		this.#words = words;
		this.#disposables = [
			this.#changed,
			annotations.onDidDraw(() => this.#onDraw()),
			onSettingChange('codeLens', () => this.#configure()),
		];
		this.#configure();
	}

	async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
		if (this.#annotations.linesOf(document).length === 0) {
			this.#silent.add(document);
			return [];
		}
		const functions = await this.#functionsOf(document);
		// The document may have changed by now.
		const lines = this.#annotations.linesOf(document);
		const groups = new Map<number, Placed[]>();
		for (const placed of placedIn(document, lines, { from: 0, to: document.lineCount - 1 })) {
			if (placed.facts.entries.length === 0) continue;
			const start = innermost(functions, placed.line)?.start.line;
			if (start === undefined) continue;
			groups.set(start, [...(groups.get(start) ?? []), placed]);
		}
		return [...groups].map(([line, placed]) => this.#lens(new vscode.Range(line, 0, line, 0), placed));
	}

	/** None while its language has not answered: the lenses are made again once it has. */
	async #functionsOf(document: vscode.TextDocument): Promise<vscode.Range[]> {
		const { version } = document;
		const unanswered = this.#unanswered.get(document);
		if (unanswered?.version === version) {
			return unanswered.isAnswered ? unanswered.functions : [];
		}
		const functions = functionsOf(document);
		const answer = await within(LANGUAGE_MS, functions);
		if (answer !== undefined) return answer;
		const question = { version, functions, isAnswered: false };
		this.#unanswered.set(document, question);
		const onAnswer = () => {
			question.isAnswered = true;
			this.#changed.fire();
		};
		functions.then(onAnswer, onAnswer);
		return [];
	}

	#lens(range: vscode.Range, placed: readonly Placed[]): vscode.CodeLens {
		const facts = placed.map((each) => each.facts);
		const entries = facts.flatMap((each) => each.entries).sort(compareWall);
		const count = entries.reduce((sum, entry) => sum + entry.count, 0);
		const pending = entries.reduce((sum, entry) => sum + entry.pending, 0);
		const parts = [
			latencyText(mainLatency(entries), this.#words),
			formatTimes(
				count,
				entries.some(({ isCountEstimated }) => isCountEstimated),
			),
			pending === 0 ? '' : fill(this.#words.pending, formatCount(pending)),
			placed.some(({ edited }) => edited) ? this.#words.edited : '',
		];
		const longest = facts.toSorted((a, b) => wallMsOf(b.entries) - wallMsOf(a.entries))[0]!;
		return new vscode.CodeLens(range, {
			title: parts.filter((part) => part !== '').join(' · '),
			tooltip: vscode.l10n.t('Show in panel'),
			command: 'waitline.revealInPanel',
			arguments: [this.#files.issue(longest.file).id, longest.line],
		});
	}

	/**
	 * Editors are also drawn when they scroll; lenses change only with the report and with what is known of its files,
	 * and VS Code asks for them again after an edit.
	 */
	#onDraw(): void {
		if (this.#registration === undefined) return;
		const speaks = [...this.#silent].some((document) => this.#annotations.linesOf(document).length > 0);
		if (this.#annotations.report === this.#report && !speaks) return;
		this.#report = this.#annotations.report;
		this.#silent.clear();
		this.#changed.fire();
	}

	#configure(): void {
		const isWanted = setting('codeLens');
		if (isWanted === (this.#registration !== undefined)) return;
		this.#registration?.dispose();
		const documents = [...FILE_SCHEMES].map((scheme) => ({ scheme }));
		this.#registration = isWanted ? vscode.languages.registerCodeLensProvider(documents, this) : undefined;
	}

	dispose(): void {
		this.#registration?.dispose();
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}

/** The value of a promise within that time; undefined when it takes longer. */
async function within<T>(timeMs: number, promise: Promise<T>): Promise<T | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<undefined>((resolve) => {
		timer = setTimeout(resolve, timeMs, undefined);
	});
	return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

/** The ranges of the document's functions, as its language's own extension provides them. */
async function functionsOf(document: vscode.TextDocument): Promise<vscode.Range[]> {
	const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
		'vscode.executeDocumentSymbolProvider',
		document.uri,
	);
	const ranges: vscode.Range[] = [];
	const collect = (all: readonly vscode.DocumentSymbol[]) => {
		for (const symbol of all) {
			if (FUNCTIONS.has(symbol.kind) && !ANONYMOUS.test(symbol.name)) ranges.push(symbol.range);
			collect(symbol.children ?? []);
		}
	};
	collect(symbols ?? []);
	return ranges;
}

/** The smallest function around a line. */
function innermost(functions: readonly vscode.Range[], line: number): vscode.Range | undefined {
	return functions
		.filter(({ start, end }) => start.line <= line && line <= end.line)
		.reduce<vscode.Range | undefined>(
			(best, range) =>
				best === undefined || range.end.line - range.start.line < best.end.line - best.start.line ? range : best,
			undefined,
		);
}
