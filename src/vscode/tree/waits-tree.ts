// The tree "Async I/O" in a view container of its own: the report's findings, requests, and lines, those first that were under way for the longest time.
// A side bar has room for some 40 characters a row: what distinguishes it and its typical figure. The tooltip and screen readers have all.
import * as vscode from 'vscode';
import { latencyOf, latencyText, typicalText } from '../../protocol/latency.ts';
import { factsByFile } from '../../protocol/line-facts.ts';
import { nameOf } from '../../protocol/path-style.ts';
import type { Finding, Line, OperationClass, Report, Route, Severity, UnansweredRoute } from '../../protocol/report.ts';
import { stepTexts, typicalDuration, unansweredTexts } from '../../protocol/request-text.ts';
import { formatAnswered, formatCount, formatFigure, formatMs, formatTimes } from '../../protocol/units.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import { fill, type ViewStrings } from '../../protocol/webview.ts';
import { Throttle } from '../common/throttle.ts';
import { lineHover, markdownString } from '../details/hover.ts';
import { type DetailContext, findingDetails } from '../details/line-details.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { ChangeAnnouncer, UPDATE_MS } from './change-announcer.ts';
import { groupsOf, MOST_LINES, type TreeGrouping, type WaitsFilter, type WaitsGroup } from './waits-model.ts';

/** An entry of the tree. Menu commands on a line get it as their argument and use its place. */
export type WaitsNode =
	| { kind: 'findings'; report: Report }
	| { kind: 'finding'; finding: Finding }
	| { kind: 'requests'; report: Report }
	| { kind: 'route'; route: Route | UnansweredRoute; report: Report; fileId: number; line: number }
	| { kind: 'group'; group: WaitsGroup }
	/** `fileId` as issued; `line` is 1-based. */
	| { kind: 'line'; entry: Line; fileId: number; line: number }
	| { kind: 'more'; group: WaitsGroup };

const CLASS_ICON: Record<OperationClass, string> = {
	threadpool: 'server-process',
	kernel: 'radio-tower',
	io_uring: 'database',
	timer: 'watch',
	loop: 'sync',
	process: 'terminal',
	worker: 'circuit-board',
	other: 'circle-outline',
};

/** As in the Problems panel. */
const SEVERITY_ICON: Record<Severity, vscode.ThemeIcon> = {
	high: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
	medium: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
	low: new vscode.ThemeIcon('info'),
};

const GROUPING_KEY = 'waitsGrouping';

export class WaitsTree implements vscode.TreeDataProvider<WaitsNode>, vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #words: ViewStrings;
	readonly #context: DetailContext;
	readonly #memory: vscode.Memento;
	readonly #changed = new vscode.EventEmitter<undefined>();
	readonly #throttle = new Throttle(
		() => this.#update(),
		() => UPDATE_MS,
	);
	readonly #announcer = new ChangeAnnouncer(
		() => this.#isStale(),
		() => this.#changed.fire(undefined),
	);
	readonly #view: vscode.TreeView<WaitsNode>;
	readonly #disposables: vscode.Disposable[];
	#grouping: TreeGrouping;
	#filter: WaitsFilter | undefined;
	/** What VS Code has requested last; undefined as long as it has requested nothing. */
	#drawn: { report: Report | undefined; grouping: TreeGrouping; filter: WaitsFilter | undefined } | undefined;

	readonly onDidChangeTreeData = this.#changed.event;

	constructor(sessions: Sessions, context: DetailContext, memory: vscode.Memento) {
		this.#sessions = sessions;
		this.#context = context;
		this.#words = context.view;
		this.#memory = memory;
		this.#grouping = memory.get<TreeGrouping>(GROUPING_KEY) === 'class' ? 'class' : 'file';
		this.#view = vscode.window.createTreeView('waitline.waits', { treeDataProvider: this, showCollapseAll: true });
		this.#disposables = [
			this.#view,
			this.#throttle,
			this.#announcer,
			this.#changed,
			sessions.onDidChange(() => this.#throttle.request()),
			this.#view.onDidChangeVisibility(() => this.#throttle.request()),
			vscode.commands.registerCommand('waitline.groupByFile', () => this.#group('file')),
			vscode.commands.registerCommand('waitline.groupByClass', () => this.#group('class')),
			vscode.commands.registerCommand('waitline.clearFilter', () => this.filter(undefined)),
			vscode.commands.registerCommand('waitline.filterToClass', (name: unknown) => this.#filterToClass(name)),
		];
		this.#updateContext();
	}

	/** Shows only these lines, or all of them; reveals the tree when it has something to show. */
	filter(filter: WaitsFilter | undefined): void {
		this.#filter = filter;
		this.#updateContext();
		this.#updateMessage();
		this.#announcer.requestAtOnce();
		if (filter !== undefined) void vscode.commands.executeCommand('waitline.waits.focus');
	}

	/** A link names the class; from the palette, the person chooses one of the report's classes. */
	async #filterToClass(name: unknown): Promise<void> {
		const classes = new Set((this.#sessions.current?.report().lines ?? []).map((line) => line.class));
		const items = [...classes].map((each) => ({ label: this.#words[`class.${each}`], class: each }));
		const placeHolder = vscode.l10n.t('Operations of which class?');
		const chosen = isClass(name) ? name : (await vscode.window.showQuickPick(items, { placeHolder }))?.class;
		if (chosen !== undefined) this.filter({ class: chosen });
	}

	getChildren(node?: WaitsNode): WaitsNode[] {
		if (node !== undefined) {
			this.#announcer.rowsRequested();
			return this.#below(node);
		}
		this.#drawn = { report: this.#sessions.current?.report(), grouping: this.#grouping, filter: this.#filter };
		const roots = this.#roots();
		this.#announcer.rootsRequested(roots.length > 0);
		return roots;
	}

	#below(node: WaitsNode): WaitsNode[] {
		switch (node.kind) {
			case 'findings':
				return node.report.findings.map((finding) => ({ kind: 'finding', finding }));
			case 'finding':
				return node.finding.effects.map((finding) => ({ kind: 'finding', finding }));
			case 'requests':
				return [...node.report.requests, ...node.report.unanswered].slice(0, MOST_LINES).map((route) => {
					const { report } = node;
					return { kind: 'route', route, report, fileId: this.#context.issue(route.file).id, line: route.line };
				});
			case 'group': {
				const lines = node.group.lines.map((entry): WaitsNode => {
					return { kind: 'line', entry, fileId: this.#context.issue(entry.file).id, line: entry.line };
				});
				return node.group.more > 0 ? [...lines, { kind: 'more', group: node.group }] : lines;
			}
			default:
				return [];
		}
	}

	getTreeItem(node: WaitsNode): vscode.TreeItem {
		return visibleItem(this.#itemOf(node));
	}

	#itemOf(node: WaitsNode): vscode.TreeItem {
		switch (node.kind) {
			case 'findings':
				return this.#findingsItem(node.report.findings);
			case 'finding':
				return this.#findingItem(node.finding);
			case 'requests':
				return this.#requestsItem(node.report);
			case 'route':
				return this.#routeItem(node.route, node.report, node.fileId);
			case 'group':
				return this.#groupItem(node.group);
			case 'line':
				return this.#lineItem(node.entry, node.fileId);
			case 'more':
				return moreItem(node.group);
		}
	}

	/** The tooltip is made on demand. */
	resolveTreeItem(item: vscode.TreeItem, node: WaitsNode): vscode.TreeItem {
		const report = this.#sessions.current?.report();
		if (node.kind !== 'line' || report === undefined) return item;
		const facts = factsByFile(report).get(node.entry.file)?.get(node.line);
		if (facts !== undefined) item.tooltip = lineHover(facts, report, this.#context);
		return item;
	}

	#roots(): WaitsNode[] {
		const report = this.#sessions.current?.report();
		if (report === undefined) return [];
		const groups = groupsOf(report, this.#grouping, this.#filter).map((group): WaitsNode => ({ kind: 'group', group }));
		if (this.#filter !== undefined) return groups;
		if (report.requests.length + report.unanswered.length > 0) groups.unshift({ kind: 'requests', report });
		return report.findings.length === 0 ? groups : [{ kind: 'findings', report }, ...groups];
	}

	#findingsItem(findings: Finding[]): vscode.TreeItem {
		const item = new vscode.TreeItem(vscode.l10n.t('Findings'), vscode.TreeItemCollapsibleState.Expanded);
		item.id = 'findings';
		item.description = String(findings.length);
		item.iconPath = new vscode.ThemeIcon('lightbulb');
		item.accessibilityInformation = { label: vscode.l10n.t('Findings: {0}', findings.length) };
		return item;
	}

	#findingItem(finding: Finding): vscode.TreeItem {
		const { title, evidence, weight } = this.#context.findingText(finding);
		const { Collapsed, None } = vscode.TreeItemCollapsibleState;
		const item = new vscode.TreeItem(title, finding.effects.length > 0 ? Collapsed : None);
		item.id = `finding ${finding.code} ${finding.pid} ${finding.file} ${finding.line} ${finding.op}`;
		item.iconPath = SEVERITY_ICON[finding.severity];
		item.contextValue = this.#context.fixOf(finding) === undefined ? 'finding' : 'findingWithFix';
		item.tooltip = markdownString(findingDetails(finding, this.#context));
		let place = '';
		if (finding.file !== null && finding.line !== null) {
			const { id, label } = this.#context.issue(finding.file);
			place = `${label}:${finding.line}`;
			item.description = `${inLittleRoom(finding.file, label)}:${finding.line}`;
			item.command = openCommand(id, finding.line);
		}
		item.accessibilityInformation = {
			label: [title, place, `${evidence} ${weight}`].filter((part) => part !== '').join(', '),
		};
		return item;
	}

	#requestsItem({ requests, unanswered }: Report): vscode.TreeItem {
		const count = requests.length + unanswered.length;
		const item = new vscode.TreeItem(this.#words.tabRequests, vscode.TreeItemCollapsibleState.Expanded);
		item.id = 'requests';
		item.description = String(count);
		item.iconPath = new vscode.ThemeIcon('arrow-swap');
		item.accessibilityInformation = { label: vscode.l10n.t('Routes with requests: {0}', count) };
		return item;
	}

	/** How long a route's requests took, and of how many no response was finished; below the mouse what one of them spent its time on. */
	#routeItem(route: Route | UnansweredRoute, { processes }: Report, fileId: number): vscode.TreeItem {
		const { label } = this.#context.issue(route.file);
		const place = `${label}:${route.line}`;
		const item = new vscode.TreeItem(`${inLittleRoom(route.file, label)}:${route.line}`);
		item.id = `route ${route.op} ${route.line} ${route.file}`;
		item.tooltip = place;
		const texts = unansweredTexts(route, processes, this.#words);
		const spoken = [...texts];
		if ('duration' in route) {
			const count = formatAnswered(route);
			texts.unshift(`p50 ${formatFigure(route.duration, 'p50Ms')} ${count}`);
			spoken.unshift(latencyText({ split: route.duration, of: 'response' }, this.#words), count);
			const steps = stepTexts(route, this.#words, (file, line) => `${this.#context.issue(file).label}:${line}`);
			item.tooltip = [place, fill(this.#words.typicalRequest, typicalDuration(route)), ...steps].join('\n');
		}
		item.description = texts.join(' · ');
		item.iconPath = new vscode.ThemeIcon(CLASS_ICON.kernel);
		item.contextValue = 'route';
		item.command = openCommand(fileId, route.line);
		item.accessibilityInformation = { label: `${place}, ${spoken.join(' · ')}` };
		return item;
	}

	#groupItem(group: WaitsGroup): vscode.TreeItem {
		const byFile = this.#grouping === 'file';
		const label = byFile ? this.#context.issue(group.key).label : this.#words[`class.${group.key as OperationClass}`];
		const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
		item.id = `group ${group.key}`;
		const lines = group.lines.length + group.more;
		item.description = formatCount(lines);
		if (byFile) {
			item.resourceUri = vscode.Uri.file(group.key);
			item.iconPath = vscode.ThemeIcon.File;
			item.tooltip = group.key;
		} else {
			item.iconPath = new vscode.ThemeIcon(CLASS_ICON[group.key as OperationClass]);
		}
		item.accessibilityInformation = { label: vscode.l10n.t('{0}, lines: {1}', label, formatCount(lines)) };
		return item;
	}

	#lineItem(entry: Line, fileId: number): vscode.TreeItem {
		const { label: file } = this.#context.issue(entry.file);
		// What distinguishes rows comes first: a narrow side bar cuts the rest off.
		const op = shortOp(entry.op);
		const isByFile = this.#grouping === 'file';
		const item = new vscode.TreeItem(isByFile ? `${entry.line}  ${op}` : op);
		item.id = `line ${entry.line} ${entry.op} ${entry.class} ${entry.file}`;
		const latency = latencyOf(entry);
		const times = formatTimes(entry.count, entry.isCountEstimated);
		const parts = [`${typicalText(latency, this.#words)} ${times}`.trim()];
		if (entry.pending > 0) parts.push(fill(this.#words.pending, formatCount(entry.pending)));
		if (!isByFile) parts.push(`${inLittleRoom(entry.file, file)}:${entry.line}`);
		item.description = parts.join(' · ');
		// By class, the group has it.
		if (isByFile) item.iconPath = new vscode.ThemeIcon(CLASS_ICON[entry.class]);
		item.contextValue = 'line';
		item.command = openCommand(fileId, entry.line);
		item.accessibilityInformation = {
			label: vscode.l10n.t(
				'{0} at {1} line {2}, one operation {3}, under way {4}, operations: {5}, {6}, pending: {7}',
				entry.op,
				file,
				entry.line,
				latencyText(latency, this.#words) || this.#words.unknown,
				formatMs(entry.wallMs),
				times.slice(1),
				this.#words[`class.${entry.class}`],
				formatCount(entry.pending),
			),
		};
		return item;
	}

	#group(grouping: TreeGrouping): void {
		this.#grouping = grouping;
		void this.#memory.update(GROUPING_KEY, grouping);
		this.#updateContext();
		this.#announcer.requestAtOnce();
	}

	#update(): void {
		this.#updateMessage();
		this.#announcer.request();
	}

	#updateMessage(): void {
		const filter = this.#filter;
		const filtered =
			filter === undefined
				? undefined
				: 'class' in filter
					? this.#words[`class.${filter.class}`]
					: `${this.#context.issue(filter.file).label}:${filter.line}`;
		const message = visibleText(filtered === undefined ? this.#sessionText() : this.#filterText(filtered));
		// Each assignment is a message to the window.
		if (message !== this.#view.message) this.#view.message = message;
	}

	/** Whether VS Code is to request the roots again: it draws a hidden tree when it is shown, and one that it has not drawn yet it requests by itself. */
	#isStale(): boolean {
		const { report, grouping, filter } = this.#drawn ?? {};
		const now = this.#sessions.current?.report();
		const isOther = report !== now || grouping !== this.#grouping || filter !== this.#filter;
		return this.#view.visible && this.#drawn !== undefined && isOther;
	}

	/** Whose rows these are: the title of a view that is alone in its container has no room for it. Empty where VS Code shows a welcome view. */
	#sessionText(): string {
		const { current } = this.#sessions;
		const report = current?.report();
		if (current === undefined || report === undefined) return '';
		const { findings, lines, requests, unanswered } = report;
		return [findings, lines, requests, unanswered].some(({ length }) => length > 0) ? current.name : '';
	}

	/** VS Code shows no welcome view beside this text, so it also says what to do when no line is left. */
	#filterText(filtered: string): string {
		return this.#roots().length > 0
			? vscode.l10n.t('Only {0}', filtered)
			: vscode.l10n.t('Only {0}: no line matches. “Show All Lines” brings them back.', filtered);
	}

	#updateContext(): void {
		void vscode.commands.executeCommand('setContext', 'waitline.waitsGrouping', this.#grouping);
		void vscode.commands.executeCommand('setContext', 'waitline.waitsFiltered', this.#filter !== undefined);
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}

/** The same item without invisible characters in its texts; Markdown is escaped already. */
function visibleItem(item: vscode.TreeItem): vscode.TreeItem {
	const { label, description, tooltip, accessibilityInformation: spoken } = item;
	if (typeof label === 'string') item.label = visibleText(label);
	if (typeof description === 'string') item.description = visibleText(description);
	if (typeof tooltip === 'string') item.tooltip = visibleText(tooltip);
	if (spoken !== undefined) item.accessibilityInformation = { ...spoken, label: visibleText(spoken.label) };
	return item;
}

function moreItem(group: WaitsGroup): vscode.TreeItem {
	const item = new vscode.TreeItem(vscode.l10n.t('{0} more, in the panel', formatCount(group.more)));
	item.id = `more ${group.key}`;
	item.iconPath = new vscode.ThemeIcon('ellipsis');
	item.command = { command: 'waitline.showPanel', title: vscode.l10n.t('Show in panel') };
	return item;
}

function openCommand(fileId: number, line: number): vscode.Command {
	return { command: 'waitline.openLine', title: vscode.l10n.t('Open line'), arguments: [fileId, line] };
}

/**
 * A file without its folders, but for the names that each folder has: a side bar has no room for more, and tooltips and screen readers have it all.
 * @param label with its folders
 */
function inLittleRoom(file: string, label: string): string {
	const name = nameOf(file);
	return /^index\.\w+$/.test(name) ? label : name;
}

/** The longest names of operations that leave room for their typical figure in a side bar of 300 px, with a line's number before them. */
const LONGEST_OP = 14;

/** A long name without its module: `fs.promises.readFile` is `readFile`. */
function shortOp(op: string): string {
	return op.length > LONGEST_OP ? op.slice(op.lastIndexOf('.') + 1) : op;
}

function isClass(name: unknown): name is OperationClass {
	return typeof name === 'string' && Object.hasOwn(CLASS_ICON, name);
}
