// What came of all mutations, in figures.
import type { Tried } from './try.ts';

/** Failures that are printed one by one: more would add nothing new. */
const MOST_PRINTED = 20;

interface Outcomes {
	read: number;
	refused: number;
	failed: number;
}

export class Tally {
	count = 0;
	failed = 0;
	private slowest: Tried | null = null;
	private readonly byKind: Map<string, Outcomes>;

	constructor(kinds: readonly string[]) {
		this.byKind = new Map(kinds.map((kind) => [kind, { read: 0, refused: 0, failed: 0 }]));
	}

	add(tried: Tried): void {
		this.count++;
		if (tried.outcome === 'failed') this.failed++;
		// Of two changes the last one gives the kind: the other may be any.
		this.byKind.get(tried.kinds.at(-1)!)![tried.outcome]++;
		if (tried.ms > (this.slowest?.ms ?? 0)) this.slowest = tried;
	}

	/** Whether enough failures have been printed. */
	get hasPrintedEnough(): boolean {
		return this.failed > MOST_PRINTED;
	}

	text(tookMs: number, peakBytes: number): string {
		const rows = [...this.byKind].map(([kind, outcomes]) => rowOf(kind, outcomes));
		const all = [...this.byKind.values()];
		const sum = (name: keyof Outcomes) => all.reduce((total, outcomes) => total + outcomes[name], 0);
		const total = rowOf('all', { read: sum('read'), refused: sum('refused'), failed: sum('failed') });
		const head = `${''.padEnd(28)}${'read'.padStart(9)}${'refused'.padStart(9)}${'failed'.padStart(9)}`;
		const slowest =
			this.slowest === null ? '' : `${this.slowest.ms.toFixed(0)} ms of CPU time (index ${this.slowest.index})`;
		const peak = `${Math.round(peakBytes / 2 ** 20)} MiB`;
		const figures = `${(tookMs / 1000).toFixed(1)} s in all, the slowest ${slowest}, peak memory of the process ${peak}.`;
		return [head, ...rows, total, figures].join('\n');
	}
}

function rowOf(name: string, { read, refused, failed }: Outcomes): string {
	return `${name.padEnd(28)}${[read, refused, failed].map((count) => String(count).padStart(9)).join('')}`;
}
