// The lines of one thread: for each source position, API and class the figures that its operations go into.
import { packageOf } from '../../protocol/blame.ts';
import type { ResourceFacts } from '../../protocol/resource-facts.ts';
import { addonName, apiName } from './api-name.ts';
import { type HandlerCall, HandlerCalls, textOf } from './handler-calls.ts';
import type { SiteFacts } from './journal-tables.ts';
import { LineStats } from './line-stats.ts';
import { SharedLine } from './shared-line.ts';

export class ThreadLines {
	readonly byKey = new Map<string, LineStats>();
	/** The position of each line that started something first. */
	private readonly firstOnLine = new Map<string, LineStats>();
	/** What handlers of requests have called, by their position. */
	private readonly handlers = new Map<string, HandlerCalls>();

	/** The figures that count an operation of that type, started there; null when no line shows it. */
	of(type: ResourceFacts, site: SiteFacts | null): LineStats | null {
		if (site === null || type.shown === 'never') return null;
		if (site.lastType === type) return site.lastStats;
		let stats = site.stats.get(type);
		if (stats === undefined) {
			stats = this.find(type, site);
			site.stats.set(type, stats);
		}
		site.lastType = type;
		site.lastStats = stats;
		return stats;
	}

	private find(type: ResourceFacts, site: SiteFacts): LineStats | null {
		if (site.user === null) return null;
		// A library that binds what it calls later starts nothing that anybody waits for.
		if (type.mayBeBound && (site.library !== null || packageOf(site.user.script) !== '')) return null;
		const { name: called, isCalled } = apiName(type, site.apiName, site.apiScript);
		if (type.shown === 'called' && !isCalled) return null;
		const name = type.isAddon ? addonName(called, (site.library ?? site.user).script) : called;
		const { script, line, column } = site.user;
		const lineKey = `${line} ${name} ${type.class} ${script}`;
		const own = `${column} ${lineKey}`;
		const call = type.comesFromOutside ? callOf(site) : null;
		const key = call === null ? own : `${textOf(call)} ${call.route} ${own}`;
		let stats = this.byKey.get(key);
		if (stats === undefined) {
			stats = new LineStats(site.user, name, type.class);
			this.byKey.set(key, stats);
			if (call !== null) this.follow(stats, call, own);
			this.share(stats, lineKey);
		}
		// The library of a served request is its router, which has not called Node for it.
		if (site.library !== null && !type.comesFromOutside) stats.addLibrary(site.library);
		return stats;
	}

	private follow(stats: LineStats, call: HandlerCall, handler: string): void {
		const calls = this.handlers.get(handler) ?? new HandlerCalls();
		this.handlers.set(handler, calls);
		stats.distinguishBy(calls, call);
		calls.add(stats, call);
	}

	private share(stats: LineStats, lineKey: string): void {
		const first = this.firstOnLine.get(lineKey);
		if (first === undefined) {
			this.firstOnLine.set(lineKey, stats);
			return;
		}
		first.shared ??= new SharedLine(first.own);
		first.shared.members.push(stats.own);
		stats.shared = first.shared;
	}

	/** The lines are counted elsewhere from now on. */
	forget(): void {
		for (const stats of this.byKey.values()) stats.clear();
		this.byKey.clear();
		this.firstOnLine.clear();
		this.handlers.clear();
	}
}

/** What a request's handler did; whom a router has called serves one route. */
function callOf({ call, library }: SiteFacts): HandlerCall | null {
	return call === null || library === null ? call : { ...call, route: 0 };
}
