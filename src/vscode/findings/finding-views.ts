// Where findings show outside of the tree: as a Quick Fix on their line where one is certain, and in the Problems panel for those
// who want them there.
import * as vscode from 'vscode';
import { eachFinding } from '../../protocol/finding-list.ts';
import type { Finding, Report } from '../../protocol/report.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import type { Annotations } from '../annotations/annotations.ts';
import { onSettingChange, setting } from '../common/config.ts';
import { FILE_SCHEMES } from '../common/documents.ts';
import { showError, showInformation } from '../common/notices.ts';
import { reasonOf } from '../common/reason.ts';
import { Throttle } from '../common/throttle.ts';
import { applyPoolSizeFix, findFix, type PoolSizeFix, poolSizeFix } from '../debugging/pool-size-fix.ts';
import { isAt } from '../details/finding-text.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { explainFindings } from './explain-findings.ts';
import { findingText } from './findings.ts';

export class FindingViews implements vscode.CodeActionProvider, vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #annotations: Annotations;
	readonly #problems = vscode.languages.createDiagnosticCollection('waitline');
	readonly #throttle = new Throttle(() => this.#updateProblems());
	readonly #disposables: vscode.Disposable[];
	#shown: Report | undefined;

	constructor(sessions: Sessions, annotations: Annotations) {
		this.#sessions = sessions;
		this.#annotations = annotations;
		this.#disposables = [
			this.#problems,
			this.#throttle,
			sessions.onDidChange(() => this.#throttle.request()),
			onSettingChange('findings.inProblems', () => this.#throttle.request()),
			vscode.languages.registerCodeActionsProvider(
				[...FILE_SCHEMES].map((scheme) => ({ scheme })),
				this,
				{ providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
			),
			vscode.commands.registerCommand('waitline.explainFindings', explainFindings),
			vscode.commands.registerCommand('waitline.setPoolSize', () => this.#setPoolSize()),
		];
	}

	provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
		const report = this.#sessions.current?.report();
		const facts = this.#annotations.factsAt(document, range.start.line);
		if (report === undefined || facts === undefined) return [];
		return eachFinding(report.findings)
			.filter((finding) => isAt(finding, facts))
			.flatMap((finding) => {
				const fix = poolSizeFix(finding, this.#sessions);
				return fix === undefined ? [] : [quickFix(fix)];
			});
	}

	async #setPoolSize(): Promise<void> {
		const fix = findFix(this.#sessions.current?.report(), this.#sessions);
		if (fix === undefined) {
			showInformation(
				vscode.l10n.t('The current session has no finding that a pool size in a launch configuration would fix.'),
			);
			return;
		}
		let isThere: boolean;
		try {
			isThere = await applyPoolSizeFix(fix);
		} catch (error) {
			showError(vscode.l10n.t('launch.json cannot be changed. {0}', reasonOf(error)));
			return;
		}
		if (!isThere) return;
		showInformation(vscode.l10n.t('“{0}” now starts with UV_THREADPOOL_SIZE={1}.', fix.configuration, fix.size));
	}

	#updateProblems(): void {
		const report = setting('findings.inProblems') ? this.#sessions.current?.report() : undefined;
		if (report === this.#shown) return;
		this.#shown = report;
		this.#problems.clear();
		const byFile = new Map<string, vscode.Diagnostic[]>();
		for (const finding of eachFinding(report?.findings ?? [])) {
			if (finding.file === null || finding.line === null) continue;
			const line = this.#lineNow(finding.file, finding.line);
			byFile.set(finding.file, [...(byFile.get(finding.file) ?? []), problem(finding, line)]);
		}
		for (const [file, problems] of byFile) this.#problems.set(vscode.Uri.file(file), problems);
	}

	/**
	 * An editor may show the file with more or fewer lines than ran; VS Code itself moves its markers with later edits.
	 */
	#lineNow(file: string, line: number): number {
		const document = this.#annotations.documentOf(file);
		return document === undefined ? line : this.#annotations.lineNow(document, line);
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}

/** The text of a fix, wherever it is offered. */
export function fixTitle({ configuration, size }: PoolSizeFix): string {
	return vscode.l10n.t('Start “{0}” with UV_THREADPOOL_SIZE={1}', visibleText(configuration), size);
}

function quickFix(fix: PoolSizeFix): vscode.CodeAction {
	const title = fixTitle(fix);
	const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
	action.command = { command: 'waitline.setPoolSize', title };
	return action;
}

/** The whole line; VS Code takes the end of a longer one for the end of the line. */
function problem(finding: Finding, line: number): vscode.Diagnostic {
	const { title, evidence, explanation } = findingText(finding);
	const range = new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);
	const diagnostic = new vscode.Diagnostic(
		range,
		`${title}. ${evidence} ${explanation}`,
		vscode.DiagnosticSeverity.Information,
	);
	diagnostic.source = 'Waitline';
	diagnostic.code = { value: finding.code, target: vscode.Uri.parse('command:waitline.explainFindings') };
	return diagnostic;
}
