// The panel's script: takes the host's messages and updates header, table, source, timeline and findings.
import type { Overview, OverviewLine } from '../protocol/overview.ts';
import { EMPTY_REPORT } from '../protocol/report.ts';
import { ReportReceiver } from '../protocol/report-changes.ts';
import type { TimelineLine } from '../protocol/timeline.ts';
import type { Drawn, Excerpt, HostToView, SentState, ViewState, ViewStrings } from '../protocol/webview.ts';
import { element } from './common/dom.ts';
import { DrawnReports } from './common/drawn-reports.ts';
import { isUnderWay, lineIndex, onClock } from './common/session-rows.ts';
import { duringOf, subjectOfLine } from './common/subjects.ts';
import type { TimeRange } from './common/time-range.ts';
import { registerToolkit, Tabs } from './common/toolkit.ts';
import { keep, kept, listen, post } from './host.ts';
import { COLUMNS } from './tables/columns.ts';
import { FilterBox } from './tables/filter-box.ts';
import { OverviewStrip } from './timeline/overview-strip.ts';
import { TimelineView } from './timeline/timeline-view.ts';
import { CompareView } from './views/compare-view.ts';
import { FindingsView } from './views/findings-view.ts';
import { Header } from './views/header.ts';
import { LinesTable } from './views/lines-table.ts';
import { RequestsView } from './views/requests-view.ts';
import { SourceView } from './views/source-view.ts';
import { WhatIfView } from './views/what-if-view.ts';

/** The tabs that the filter is for. */
const FILTERED: readonly Drawn['tab'][] = ['lines', 'requests', 'timeline'];

class View {
	readonly #kept = kept();
	readonly #header: Header;
	readonly #filter: FilterBox;
	readonly #table: LinesTable;
	readonly #source: SourceView;
	readonly #timeline: TimelineView;
	readonly #requests: RequestsView;
	readonly #findings: FindingsView;
	readonly #whatIf: WhatIfView;
	readonly #compare: CompareView;
	readonly #strip: OverviewStrip;
	readonly #tabs: Tabs<Drawn['tab']>;
	readonly #receiver = new ReportReceiver();
	/** The newest, also where the view keeps to an earlier one. */
	#newest: ViewState | null = null;
	readonly #reports = new DrawnReports(
		() => this.#drawn,
		(drawn) => post({ type: 'drawn', drawn }),
	);
	#overview: Overview | null = null;
	/** The stretch that was chosen, until the host has limited the session to it, or to what somebody chose after that. */
	#wanted: { range: TimeRange | null; isTaken: boolean } | null = null;
	/** The one that is drawn. */
	#state: ViewState | null = null;

	constructor(root: HTMLElement, words: ViewStrings) {
		const open = (fileId: number, line: number) => post({ type: 'openLine', fileId, line });
		this.#header = new Header(words, {
			act: (action) => post({ type: 'session', action }),
			pause: (isPaused) => {
				if (!isPaused) this.#draw(this.#newest);
			},
		});
		this.#filter = new FilterBox(words, this.#kept.query, (query) => {
			this.#kept.query = query;
			this.#applyFilter();
			this.#timeline.filter(this.#shownLanes);
			this.#changed();
		});
		this.#table = new LinesTable(words, this.#kept.sort, this.#kept.lineChoices, {
			sort: (sort) => {
				this.#kept.sort = sort;
				this.#changed();
			},
			choose: (choices) => {
				this.#kept.lineChoices = choices;
				this.#changed();
			},
			open,
			showInSource: (fileId, line) => this.reveal(fileId, line, true),
		});
		this.#source = new SourceView(words, this.#kept.fileId, {
			choose: (fileId) => {
				this.#kept.fileId = fileId;
				this.#changed();
			},
			requestSource: (fileId) => post({ type: 'requestSource', fileId }),
			open,
		});
		this.#timeline = new TimelineView(words, {
			open,
			changed: () => this.#reports.changed(),
			ask: (id, query) => post({ type: 'timeline', id, query }),
		});
		this.#requests = new RequestsView(words, this.#kept.requestSort, this.#kept.requestChoices, {
			sort: (sort) => {
				this.#kept.requestSort = sort;
				this.#changed();
			},
			choose: (choices) => {
				this.#kept.requestChoices = choices;
				this.#changed();
			},
			open,
		});
		this.#filter.root.append(this.#table.options, this.#requests.options);
		this.#findings = new FindingsView(words, {
			open,
			showTime: (when) => {
				this.#tabs.select('timeline');
				this.#chose('timeline');
				this.#timeline.look(when);
			},
			fix: () => post({ type: 'fix' }),
		});
		this.#whatIf = new WhatIfView(words, {
			ask: (form) => post({ type: 'whatIf', ...form }),
			changed: () => this.#changed(),
			open,
		});
		this.#compare = new CompareView(words, { ask: () => post({ type: 'compare' }), open });
		this.#strip = new OverviewStrip(words, (range) => {
			this.#wanted = { range, isTaken: false };
			this.#timeline.limit(range);
			this.#applyFilter();
			this.#changed();
			post({ type: 'limit', range });
		});
		this.#tabs = new Tabs<Drawn['tab']>(
			{
				lines: { label: words.tabLines, view: this.#table.root },
				requests: { label: words.tabRequests, view: this.#requests.root },
				source: { label: words.tabSource, view: this.#source.root },
				timeline: { label: words.tabTimeline, view: this.#timeline.root },
				findings: { label: words.tabFindings, view: this.#findings.root },
				whatIf: { label: words.tabWhatIf, view: this.#whatIf.root },
				compare: { label: words.tabCompare, view: this.#compare.root },
			},
			(tab) => {
				this.#chose(tab);
			},
		);
		this.#tabs.select(this.#kept.tab);
		root.replaceChildren(this.#header.root, this.#strip.root, this.#tabs.root);
		this.#chose(this.#kept.tab);
	}

	receive(sent: SentState | null): void {
		if (sent === null) {
			this.#update(null);
			return;
		}
		const { changes, ...state } = sent;
		this.#update({ ...state, report: this.#receiver.reportOf(changes) });
	}

	#update(state: ViewState | null): void {
		// Another session is nothing that one was looking at.
		const isOther = state?.sessionName !== this.#newest?.sessionName;
		if (isOther) {
			this.#header.follow();
			this.#wanted = null;
			this.#overview = null;
		}
		this.#newest = state;
		this.#header.update(state);
		if (this.#header.isPaused) this.#changed();
		else this.#draw(state, isOther);
	}

	#draw(state: ViewState | null, isOther = false): void {
		this.#state = state;
		const limit = state?.limit ?? null;
		if (this.#wanted?.isTaken || isSameRange(this.#wanted?.range, limit)) this.#wanted = null;
		if (this.#wanted === null) this.#strip.follow(limit);
		this.#source.update(state);
		this.#timeline.update(state, isOther);
		this.#whatIf.update(state);
		if (this.#kept.tab === 'whatIf') this.#whatIf.askFirst();
		this.#compare.update(state);
		this.#filter.setValues({
			class: state?.report.lines.map((line) => line.class) ?? [],
			file: state?.files.map(({ label }) => label) ?? [],
			op: state?.report.lines.map(({ op }) => op) ?? [],
			during: ['block'],
		});
		this.#applyFilter();
		this.#timeline.filter(this.#shownLanes);
		this.#changed();
	}

	#applyFilter(): void {
		const { matches } = this.#filter;
		const overview = this.#overview;
		// Until the report is that of the stretch, at least what was not under way then is left out.
		const brush = this.#wanted?.range ?? null;
		const overviewOf = lineIndex(overview);
		const isInTime = (line: OverviewLine | undefined) =>
			overview === null || brush === null || (line !== undefined && isUnderWay(overview, line, brush));
		this.#table.update(this.#state, matches, overviewOf, isInTime);
		this.#requests.update(this.#state, matches, overviewOf, isInTime);
		this.#findings.update(this.#state, (when) => {
			const time = overview === null ? null : onClock(overview, when);
			return brush === null || time === null || (time.fromMs < brush.toMs && time.toMs > brush.fromMs);
		});
		this.#strip.show(this.#state === null ? null : overview, this.#state?.findings ?? []);
	}

	/** The lanes that the filter leaves: those of lines that it leaves. */
	get #shownLanes(): (line: TimelineLine) => boolean {
		const { matches, isEmpty } = this.#filter;
		if (isEmpty) return () => true;
		const labels = new Map(this.#state?.files.map(({ path, label }) => [path, label]));
		const lines = this.#state?.report.lines ?? [];
		const during = duringOf(this.#state?.report ?? EMPTY_REPORT);
		const left = lines.filter((line) => matches(subjectOfLine(line, labels.get(line.file) ?? line.file, during)));
		const keys = new Set(left.map(keyOf));
		return (line) => keys.has(keyOf(line));
	}

	showTimeline(message: HostToView & { type: 'timeline' }): void {
		this.#timeline.show(message.id, message.timeline);
	}

	showOverview(overview: Overview): void {
		if (this.#header.isPaused) return;
		this.#overview = overview;
		this.#header.showOverview(overview);
		this.#applyFilter();
		this.#changed();
	}

	/** The session was limited to what was chosen. */
	takeLimit(range: TimeRange | null): void {
		if (this.#wanted !== null && isSameRange(this.#wanted.range, range)) this.#wanted.isTaken = true;
	}

	/** The session is not limited to what was chosen. */
	refuseLimit(): void {
		this.#wanted = null;
		this.#draw(this.#state);
	}

	showWhatIf({ report, problem }: HostToView & { type: 'whatIf' }): void {
		this.#whatIf.show(report, problem);
		this.#changed();
	}

	showComparison({ comparison, text }: HostToView & { type: 'comparison' }): void {
		this.#compare.show(comparison, text);
		this.#changed();
	}

	showExcerpts(excerpts: readonly Excerpt[]): void {
		this.#findings.showExcerpts(excerpts);
	}

	show(message: HostToView & { type: 'source' }): void {
		this.#source.show(message.source);
		this.#changed();
	}

	reveal(fileId: number, line: number, switchTab: boolean): void {
		if (switchTab) {
			this.#tabs.select('source');
			this.#chose('source');
		}
		this.#table.reveal(fileId, line);
		this.#source.reveal(fileId, line);
		this.#changed();
	}

	#chose(tab: Drawn['tab']): void {
		this.#kept.tab = tab;
		// Above the tabs, it would move them as it comes and goes.
		if (FILTERED.includes(tab)) this.#tabs.putAbove(tab, this.#filter.root);
		this.#table.options.hidden = tab !== 'lines';
		this.#requests.options.hidden = tab !== 'requests';
		this.#timeline.watch(tab === 'timeline');
		if (tab === 'whatIf') this.#whatIf.askFirst();
		this.#changed();
	}

	/** Reports what is drawn, at the host's request. */
	reportDrawn(): void {
		this.#reports.ask();
	}

	#changed(): void {
		keep(this.#kept);
		this.#reports.changed();
	}

	get #drawn(): Drawn {
		return {
			header: this.#header.facts,
			notices: this.#header.notices,
			tab: this.#kept.tab,
			sort: this.#kept.sort,
			columns: COLUMNS.map(({ id }) => id),
			rows: this.#table.texts,
			source: this.#source.drawn,
			timeline: this.#timeline.drawn,
			requests: this.#requests.texts,
			whatIf: this.#whatIf.texts,
			comparison: this.#compare.texts,
			brush: this.#strip.brush,
			findings: this.#findings.texts,
		};
	}
}

/** What a lane of the timeline has in common with an entry of the report. */
function keyOf({ file, line, op, class: kind }: Omit<TimelineLine, 'function'>): string {
	return `${line} ${op} ${kind} ${file}`;
}

function isSameRange(a: TimeRange | null | undefined, b: TimeRange | null): boolean {
	return a !== undefined && a?.fromMs === b?.fromMs && a?.toMs === b?.toMs;
}

registerToolkit();

let view: View | undefined;
/** The pieces of a message of which some are still to come. */
let pieces = '';

listen(take);
post({ type: 'ready' });

function take(message: HostToView): void {
	switch (message.type) {
		case 'piece': {
			pieces += message.text;
			if (!message.isLast) return;
			const whole = JSON.parse(pieces) as HostToView;
			pieces = '';
			take(whole);
			return;
		}
		case 'strings': {
			const root = document.getElementById('root');
			if (root !== null) view = new View(root, message.strings);
			pieces = '';
			return;
		}
		case 'state':
			view?.receive(message.state);
			return;
		case 'failure':
			document.getElementById('root')?.replaceChildren(element('p', { className: 'failure' }, message.text));
			return;
		case 'source':
			view?.show(message);
			return;
		case 'overview':
			view?.showOverview(message.overview);
			return;
		case 'limitTaken':
			view?.takeLimit(message.range);
			return;
		case 'limitRefused':
			view?.refuseLimit();
			return;
		case 'whatIf':
			view?.showWhatIf(message);
			return;
		case 'comparison':
			view?.showComparison(message);
			return;
		case 'excerpts':
			view?.showExcerpts(message.excerpts);
			return;
		case 'timeline':
			view?.showTimeline(message);
			return;
		case 'reveal':
			view?.reveal(message.fileId, message.line, message.switchTab);
			return;
		case 'reportDrawn':
			view?.reportDrawn();
			return;
		default:
			message satisfies never;
	}
}
