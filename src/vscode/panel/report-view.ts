// The host's side of a webview that draws a report, in the panel and in the editor of a recording: sends the report, answers
// for source texts and jumps to editor lines. It draws nothing while hidden; the view asks again (`ready`) when it is shown.
import * as vscode from 'vscode';
import { ReadingStopped } from '../../host/common/reading-progress.ts';
import { ThreadEnded } from '../../host/engine-thread/thread-ended.ts';
import type { LineFacts } from '../../protocol/line-facts.ts';
import type { TimeLimit } from '../../protocol/overview.ts';
import type { Finding, Report } from '../../protocol/report.ts';
import { ReportSender } from '../../protocol/report-changes.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import type {
	Drawn,
	Excerpt,
	HostToView,
	SentState,
	SessionAction,
	ViewFinding,
	ViewStrings,
	ViewToHost,
} from '../../protocol/webview.ts';
import type { Annotations } from '../annotations/annotations.ts';
import { openLine } from '../annotations/open-line.ts';
import { ViewFiles } from '../annotations/view-files.ts';
import type { Log } from '../common/log.ts';
import { showError } from '../common/notices.ts';
import { reasonOf } from '../common/reason.ts';
import { Throttle } from '../common/throttle.ts';
import { findingTime } from '../findings/finding-time.ts';
import { findingText } from '../findings/findings.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { ShownSession } from '../sessions/shown-session.ts';
import { chooseBefore } from './choose-before.ts';
import { panelHtml } from './panel-html.ts';
import { Replays } from './replays.ts';
import { PANEL_UPDATE_MS, UpdateMessages } from './update-messages.ts';
import { isViewMessage, SESSION_COMMANDS } from './view-messages.ts';

/** The parts of the extension that every view needs. */
export interface ViewParts {
	context: vscode.ExtensionContext;
	words: ViewStrings;
	log: Log;
	/** Provides the texts that ran. */
	annotations: Annotations;
	/** With which a view's own can be compared. */
	sessions: Sessions;
	/** The words of the fix for a finding; undefined where none is certain. */
	fixOf(finding: Finding): string | undefined;
}

/** Lines of code above and below the one that a finding is about. */
const AROUND = 2;

/** How often a running session's strip and the code of its findings are sent, at most: they change little. In ms. */
const BESIDES_MS = 1000;

/** What a view draws: a session, the sentence that explains why there is none, or nothing yet. */
export type ViewContent = ShownSession | { failure: string } | undefined;

export class ReportView implements vscode.Disposable {
	readonly #panel: vscode.WebviewPanel;
	readonly #parts: ViewParts;
	readonly #content: () => ViewContent;
	/** What the person can do with the session from here. */
	readonly #actions: readonly SessionAction[];
	readonly #files = new ViewFiles();
	readonly #replays: Replays;
	readonly #throttle = new Throttle(
		() => this.#send(),
		() => PANEL_UPDATE_MS,
	);
	readonly #besides = new Throttle(
		() => this.#sendBesides(),
		() => BESIDES_MS,
	);
	readonly #updates = new UpdateMessages(
		(message) => this.#post(message),
		() => this.#throttle.request(),
	);
	/** Knows what the view has of the reports. */
	#sender = new ReportSender();
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[];
	/** Whether the view's script runs and listens. */
	#ready = false;
	#drawn: Drawn | undefined;
	/** Whether a test wants to know what the view draws. */
	#isDrawnAsked = false;
	/** The content sent last, and the file whose text the view has requested. */
	#sent: ViewContent;
	#sourceId: number | undefined;
	/** For what the excerpts that the view has were made. */
	#excerptsSent: { content: ShownSession; key: string } | undefined;
	/** The comparison that the view shows, for when it is shown again. */
	#compared: { content: ShownSession; answer: HostToView & { type: 'comparison' } } | undefined;
	#isDisposed = false;
	/** A jump that waits for the view to be ready. */
	#pendingReveal: HostToView | undefined;

	/** The view drew; only once `drawn` has been asked for. */
	readonly onDidDraw = this.#changed.event;

	/** @param panel the webview's place, whose content becomes ours; its owner disposes both */
	constructor(
		panel: vscode.WebviewPanel,
		parts: ViewParts,
		content: () => ViewContent,
		onDidChange: vscode.Event<void>,
		actions: readonly SessionAction[] = [],
	) {
		this.#panel = panel;
		this.#parts = parts;
		this.#content = content;
		this.#actions = actions;
		this.#replays = new Replays(parts.annotations);
		// `dist/webview`, the only folder that the webview may load from.
		const root = vscode.Uri.joinPath(parts.context.extensionUri, 'dist', 'webview');
		this.#disposables = [
			this.#throttle,
			this.#besides,
			this.#updates,
			this.#changed,
			this.#replays,
			onDidChange(() => this.#throttle.request()),
			panel.webview.onDidReceiveMessage((message: unknown) => void this.#receive(message)),
			panel.onDidChangeViewState(() => {
				if (!panel.visible) this.#ready = false;
			}),
		];
		panel.webview.options = { enableScripts: true, enableCommandUris: false, localResourceRoots: [root] };
		panel.webview.html = panelHtml(panel.webview, root);
	}

	/** What the view reports as shown; undefined until it has answered for the first time. */
	get drawn(): Drawn | undefined {
		this.askDrawn();
		return this.#drawn;
	}

	/** Makes the view report what it draws from now on. */
	askDrawn(): void {
		if (this.#isDrawnAsked) return;
		this.#isDrawnAsked = true;
		if (this.#ready) this.#post({ type: 'reportDrawn' });
	}

	/** Shows a line of the report. `switchTab`: the person asked for it; otherwise the view only marks the line. */
	reveal(facts: LineFacts, switchTab: boolean): void {
		const content = this.#content();
		if (content === undefined || 'failure' in content) return;
		this.#files.of(content.report());
		const fileId = this.#files.id(facts.file);
		if (fileId === undefined) return;
		const message: HostToView = { type: 'reveal', fileId, line: facts.line, switchTab };
		if (this.#ready) this.#post(message);
		else if (switchTab) this.#pendingReveal = message;
	}

	async #receive(message: unknown): Promise<void> {
		if (!isViewMessage(message)) {
			this.#parts.log.warn('The panel sent a message that we do not know.');
			return;
		}
		switch (message.type) {
			case 'ready':
				this.#ready = true;
				this.#sender = new ReportSender();
				this.#sent = undefined;
				this.#excerptsSent = undefined;
				this.#post({ type: 'strings', strings: this.#parts.words });
				if (this.#isDrawnAsked) this.#post({ type: 'reportDrawn' });
				this.#send();
				this.#showComparison();
				if (this.#pendingReveal !== undefined) this.#post(this.#pendingReveal);
				this.#pendingReveal = undefined;
				return;
			case 'requestSource':
				this.#sourceId = message.fileId;
				await this.#sendSource();
				return;
			case 'openLine':
				await this.#openLine(message.fileId, message.line);
				return;
			case 'timeline':
				await this.#sendTimeline(message.id, message.query);
				return;
			case 'session':
				await vscode.commands.executeCommand(SESSION_COMMANDS[message.action]);
				return;
			case 'whatIf':
				await this.#predict(message);
				return;
			case 'limit':
				await this.#limit(message.range);
				return;
			case 'compare':
				await this.#compare();
				return;
			case 'fix':
				await vscode.commands.executeCommand('waitline.setPoolSize');
				return;
			case 'drawn':
				this.#drawn = message.drawn;
				this.#changed.fire();
				return;
			default:
				message satisfies never;
		}
	}

	async #openLine(fileId: number, line: number): Promise<void> {
		const path = this.#files.path(fileId);
		if (path === undefined || !Number.isSafeInteger(line) || line < 1) {
			this.#parts.log.warn('The panel asked for a line that it was not shown.');
			return;
		}
		const content = this.#content();
		if (content === undefined || 'failure' in content) return;
		await openLine(path, line, this.#parts.annotations, content);
	}

	async #predict({ cores, line }: ViewToHost & { type: 'whatIf' }): Promise<void> {
		const content = this.#content();
		if (content === undefined || 'failure' in content) return;
		const file = line === null ? undefined : this.#files.path(line.fileId);
		const changed = file === undefined || line === null ? [] : [{ file, line: line.line, percent: line.percent }];
		try {
			const report = await this.#replays.predict(content, { threads: null, cores, changed });
			if (content === this.#content()) this.#post({ type: 'whatIf', report, problem: null });
		} catch (error) {
			// Another question took its place.
			if (error instanceof ThreadEnded) return;
			this.#parts.log.error(error as Error);
			const problem = vscode.l10n.t('The session could not be replayed. {0}', reasonOf(error));
			this.#post({ type: 'whatIf', report: null, problem });
		}
	}

	async #limit(range: TimeLimit | null): Promise<void> {
		const content = this.#content();
		if (content === undefined || 'failure' in content) return;
		try {
			await content.limited.set(range);
			this.#post({ type: 'limitTaken', range });
			this.#throttle.request();
		} catch (error) {
			// The person has stopped it.
			if (!(error instanceof ReadingStopped)) {
				this.#parts.log.error(error as Error);
				showError(vscode.l10n.t('That stretch of the session could not be read. {0}', reasonOf(error)));
			}
			this.#post({ type: 'limitRefused' });
		}
	}

	async #compare(): Promise<void> {
		const content = this.#content();
		if (content === undefined || 'failure' in content) return;
		const before = await chooseBefore(this.#parts.sessions, content);
		if (before === undefined) return;
		this.#post({ type: 'comparison', comparison: null, text: vscode.l10n.t('Comparing…') });
		try {
			const comparison = await this.#replays.compare(before.all, content);
			if (content !== this.#content()) return;
			const text = vscode.l10n.t('Compared with {0}.', before.names.join(', '));
			const answer = { type: 'comparison', comparison, text } as const;
			this.#compared = { content, answer };
			this.#post(answer);
		} catch (error) {
			this.#parts.log.error(error as Error);
			const text = vscode.l10n.t('The sessions could not be compared. {0}', reasonOf(error));
			this.#post({ type: 'comparison', comparison: null, text });
		}
	}

	#send(): void {
		if (!this.#ready) return;
		const content = this.#content();
		const isOther = content !== this.#sent;
		if (content === undefined) {
			this.#updates.send({ type: 'state', state: null }, false);
		} else if ('failure' in content) {
			this.#updates.send({ type: 'failure', text: content.failure }, false);
		} else {
			const isPaced = content.live && !isOther;
			// Once all of the last one is there, it is asked for again.
			if (isPaced && this.#updates.isSending) return;
			this.#updates.send({ type: 'state', state: this.#stateOf(content) }, isPaced);
			if (isPaced) this.#besides.request();
			else this.#sendBesides();
		}
		this.#sent = content;
		if (!isOther) return;
		// Another session may have run another text.
		void this.#sendSource();
		this.#showComparison();
	}

	#stateOf(content: ShownSession): SentState {
		const report = content.report();
		const files = this.#files.of(report);
		const { name: sessionName, live, state: session, startedAt } = content;
		return {
			sessionName,
			live,
			session,
			date: startedAt?.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }) ?? '',
			actions: this.#actions,
			limit: content.limited.range,
			changes: this.#sender.changesOf(report),
			files,
			findings: this.#findingsOf(report),
		};
	}

	#findingsOf(report: Report): ViewFinding[] {
		return report.findings.map((finding) => this.#findingOf(finding, report));
	}

	/** The strip, and the code that findings are about. */
	#sendBesides(): void {
		const content = this.#content();
		if (!this.#ready || content === undefined || 'failure' in content) return;
		void this.#sendOverview(content);
		void this.#sendExcerpts(content, this.#findingsOf(content.report()));
	}

	/** The one that was made of what is shown, which the view forgets while it is hidden or shows another session. */
	#showComparison(): void {
		if (this.#compared !== undefined && this.#compared.content === this.#content()) this.#post(this.#compared.answer);
	}

	async #sendSource(): Promise<void> {
		const content = this.#content();
		const id = this.#sourceId;
		const path = id === undefined ? undefined : this.#files.path(id);
		if (path === undefined || content === undefined || 'failure' in content) return;
		const source = await this.#files.source(id!, content, this.#parts.annotations.ranText(content, path));
		const isAsked = content === this.#content() && id === this.#sourceId;
		if (source !== undefined && isAsked) this.#post({ type: 'source', source });
	}

	#findingOf(finding: Finding, report: Report): ViewFinding {
		const { file, line, severity } = finding;
		const fileId = file === null ? undefined : this.#files.id(file);
		const at = fileId === undefined || line === null ? null : { fileId, line };
		const fix = this.#parts.fixOf(finding) ?? null;
		const effects = finding.effects.map((effect) => this.#findingOf(effect, report));
		return { ...findingText(finding), severity, at, when: findingTime(finding, report), fix, effects };
	}

	/** The code around the findings' lines, where it is known; once for the same lines of a session. */
	async #sendExcerpts(content: ShownSession, findings: readonly ViewFinding[]): Promise<void> {
		const places = findings.flatMap(({ at, effects }) => [at, ...effects.map((effect) => effect.at)]);
		const known = places.filter((at) => at !== null);
		const key = JSON.stringify(known);
		if (content === this.#excerptsSent?.content && key === this.#excerptsSent.key) return;
		this.#excerptsSent = { content, key };
		const excerpts: Excerpt[] = [];
		for (const { fileId, line } of known) {
			const path = this.#files.path(fileId)!;
			const source = await this.#files.source(fileId, content, this.#parts.annotations.ranText(content, path));
			if (source === undefined || source.error !== null) continue;
			const first = Math.max(1, line - AROUND);
			excerpts.push({ fileId, line, first, lines: source.lines.slice(first - 1, line + AROUND) });
		}
		if (content === this.#content()) this.#post({ type: 'excerpts', excerpts });
	}

	async #sendOverview(content: ShownSession): Promise<void> {
		try {
			const overview = await content.overview();
			if (content === this.#content()) this.#post({ type: 'overview', overview });
		} catch (error) {
			this.#parts.log.error(error as Error);
		}
	}

	/** The view waits for an answer to each question. */
	async #sendTimeline(id: number, query: TimelineQuery): Promise<void> {
		const content = this.#content();
		let timeline: Timeline | null = null;
		try {
			if (content !== undefined && !('failure' in content)) timeline = await content.timeline(query);
		} catch (error) {
			if (!(error instanceof ReadingStopped)) this.#parts.log.error(error as Error);
		}
		this.#post({ type: 'timeline', id, timeline: content === this.#content() ? timeline : null });
	}

	#post(message: HostToView): void {
		// The person may have closed it while a text or the timeline was read.
		if (!this.#isDisposed) void this.#panel.webview.postMessage(message);
	}

	dispose(): void {
		this.#isDisposed = true;
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}
