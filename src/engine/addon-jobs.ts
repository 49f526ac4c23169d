// What add-ons start. Node-API gives them two things that look alike to async_hooks: asynchronous work, which is a job of libuv's pool and
// calls back once, and thread-safe functions, through which a thread of the add-on's own calls back as often as it likes. What is started
// under a name counts as a job of the pool (assumed, because nothing confirms it) until something of that name behaves otherwise.
import { addonFacts, type ResourceFacts } from '../protocol/resource-facts.ts';

/**
 * Names of thread-safe functions: napi-rs' own, and what others name after what it is or calls. (`napi_resolve_deferred`:
 * napi-rs, crates/napi/src/js_values/deferred.rs.)
 */
const THREAD_SAFE = /^napi_resolve_deferred$|tsfn|thread-?safe|call-?back/i;
/** A job of the pool rarely takes longer, in µs; a thread of an add-on often lives longer. */
const LONGEST_US = 10_000_000;
/** Resources kept that have called back once: a thread-safe function's next call comes soon if it is one of many. */
const REMEMBERED = 256;

export class AddonJobs {
	/** Facts of what is known not to be a job, by its name. */
	private readonly others = new Map<string, ResourceFacts>();
	/** Jobs that have not called back, the oldest first: their types, and when they were started. */
	private readonly open = new Map<number, { type: ResourceFacts; started: number }>();
	/** The names of those that have called back, by id. */
	private readonly ended = new Map<number, string>();
	private latest = Number.NEGATIVE_INFINITY;

	/**
	 * The facts of a resource that starts now: those of a job, unless something of its name has shown that it is none.
	 */
	factsOf(type: ResourceFacts): ResourceFacts {
		if (!type.isAddon) return type;
		const known = this.others.get(type.name);
		if (known !== undefined) return known;
		return THREAD_SAFE.test(type.name) ? this.disprove(type.name) : type;
	}

	/** A job starts. @param time µs of the thread */
	start(id: number, type: ResourceFacts, time: number): void {
		this.open.set(id, { type, started: time });
		this.latest = time;
	}

	/** It has called back. @param time µs of the thread @returns whether it was still taken for a job */
	end(id: number, time: number): boolean {
		const job = this.open.get(id);
		if (job === undefined) return false;
		this.open.delete(id);
		this.latest = time;
		this.ended.set(id, job.type.name);
		if (this.ended.size > REMEMBERED) this.ended.delete(this.ended.keys().next().value!);
		return true;
	}

	/** A resource calls back that is not open: if it was taken for a job, its name is not that of a job. */
	callBack(id: number): void {
		const name = this.ended.get(id);
		if (name !== undefined) this.disprove(name);
	}

	/**
	 * Removes a job that cannot be one, because it has been open for too long; undefined when there is none.
	 * @param now µs of the thread
	 */
	takeOverdue(now: number): { id: number; started: number } | undefined {
		for (const [id, { type, started }] of this.open) {
			if (now - started < LONGEST_US) return undefined;
			this.open.delete(id);
			this.disprove(type.name);
			return { id, started };
		}
		return undefined;
	}

	/** Whether an assumed job was under way at any time from `since` on, in µs of the thread. */
	overlap(since: number): boolean {
		return this.open.size > 0 || this.latest > since;
	}

	private disprove(name: string): ResourceFacts {
		const facts = this.others.get(name) ?? addonFacts(name, false);
		this.others.set(name, facts);
		return facts;
	}
}
