// Jobs of which nothing says whether they will call back. `crypto.sign` and `crypto.verify` make the same job whether the program gives a callback or not:
// without one the job is over when the call returns. What a blob reads of a file calls back in C++ alone. So what is started on such a line counts only once
// something of the line has called back.
import type { ResourceFacts } from '../../protocol/resource-facts.ts';
import type { SiteFacts } from '../lines/journal-tables.ts';

/** Node's functions behind both (lib/internal/crypto/sig.js, 18 to 26). */
const FUNCTIONS = new Set(['signOneShot', 'verifyOneShot']);
/** The script of `fs.openAsBlob`’s blobs. */
const OF_BLOBS = 'node:internal/blob';
const NONE: readonly UnclearJob[] = [];
/** Jobs kept of which it is not known yet; one that does call back does so soon. */
const KEPT = 1000;

/** What is known of a job from its start. */
export interface UnclearJob {
	id: number;
	/** Without a place in the pool's queue, since nothing was known of it when it was started. */
	type: ResourceFacts;
	site: SiteFacts;
	/** µs of the thread. */
	started: number;
}

export class UnclearJobs {
	/** Lines something of which has called back. */
	private readonly clear = new Set<string>();
	private readonly open = new Map<number, UnclearJob>();
	private readonly types = new Map<ResourceFacts, ResourceFacts>();

	/** Whether it is unknown if this job will call back; then it is kept. @param started µs of the thread */
	keeps(id: number, type: ResourceFacts, started: number, site: SiteFacts | null): boolean {
		if (site === null || !isUnclear(type, site) || this.clear.has(lineOf(site))) return false;
		if (this.open.size >= KEPT) this.open.delete(this.open.keys().next().value!);
		this.open.set(id, { id, type: this.unqueued(type), started, site });
		return true;
	}

	/** The same facts each time, since lines are found by them. */
	private unqueued(type: ResourceFacts): ResourceFacts {
		const facts = this.types.get(type) ?? { ...type, pool: null };
		this.types.set(type, facts);
		return facts;
	}

	/** Something calls back. @returns all unclear jobs of its line, which therefore call back too */
	callsBack(id: number): readonly UnclearJob[] {
		const job = this.open.size === 0 ? undefined : this.open.get(id);
		if (job === undefined) return NONE;
		const line = lineOf(job.site);
		this.clear.add(line);
		const jobs = [...this.open.values()].filter(({ site }) => lineOf(site) === line);
		for (const each of jobs) this.open.delete(each.id);
		return jobs;
	}
}

function isUnclear({ family }: ResourceFacts, { apiName, apiScript }: SiteFacts): boolean {
	return FUNCTIONS.has(apiName) || (family === 'fs' && apiScript === OF_BLOBS);
}

function lineOf({ user, library, apiName }: SiteFacts): string {
	const places = [user, library].map((place) =>
		place === null ? '' : `${place.line}:${place.column} ${place.script}`,
	);
	return [...places, apiName].join('\n');
}
