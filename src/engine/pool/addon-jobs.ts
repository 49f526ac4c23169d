// What add-ons start. Node-API gives them two things that look alike to async_hooks: asynchronous work, which is a job of libuv's pool and
// calls back once, and thread-safe functions, through which a thread of the add-on's own calls back as often as it likes. What is started
// under a name counts as a job of the pool (assumed, because nothing confirms it) until something of that name behaves otherwise.
import { type AddonKind, addonFacts, type ResourceFacts } from '../../protocol/resource-facts.ts';

/** Names of thread-safe functions: napi-rs' own, and what others name after what it is. */
const THREAD_SAFE = /tsfn|thread-?safe/i;
/**
 * Names of what is no job of the pool either: the promise of a call that napi-rs answers from a thread of its own (crates/napi/src/js_values/deferred.rs),
 * for which the caller does wait, and what others name after what it calls.
 */
const NO_JOB = /^napi_resolve_deferred$|call-?back/i;
/** A job of the pool rarely has its thread for longer, in µs; a thread of an add-on often lives longer. */
const LONGEST_US = 10_000_000;
/** Resources kept that have called back once: a thread-safe function's next call comes soon if it is one of many. */
const REMEMBERED = 256;

/** What is taken for a job and has not called back. */
interface OpenJob {
	readonly id: number;
	readonly name: string;
	/** µs of the thread. */
	readonly started: number;
}

const NONE: readonly OpenJob[] = [];

export class AddonJobs {
	/** Facts of what is known not to be a job, by its name. */
	private readonly others = new Map<string, ResourceFacts>();
	/** Jobs that have not called back, the oldest first. */
	private readonly open = new Map<number, OpenJob>();
	/** Jobs that have kept a thread busy for longer than jobs usually do, so that they may be none, and that have not called back. */
	private readonly suspects = new Map<number, OpenJob>();
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
		if (THREAD_SAFE.test(type.name)) return this.disprove(type.name, 'thread-safe function');
		return NO_JOB.test(type.name) ? this.disprove(type.name, 'other') : type;
	}

	/** A job starts. @param time µs of the thread */
	start(id: number, { name }: ResourceFacts, time: number): void {
		this.open.set(id, { id, name, started: time });
		this.latest = time;
	}

	/** It has called back. @param time µs of the thread @returns whether it was still taken for a job */
	end(id: number, time: number): boolean {
		const job = this.open.get(id) ?? this.suspects.get(id);
		if (job === undefined) return false;
		this.open.delete(id);
		this.suspects.delete(id);
		this.latest = time;
		this.ended.set(id, job.name);
		if (this.ended.size > REMEMBERED) this.ended.delete(this.ended.keys().next().value!);
		return true;
	}

	/**
	 * A resource calls back that is not open: if it was taken for a job, its name is that of thread-safe functions.
	 * @returns what else is open under that name, and is no job any more
	 */
	callBack(id: number): readonly OpenJob[] {
		const name = this.ended.get(id);
		return name === undefined ? NONE : this.takeAll(name, 'thread-safe function');
	}

	/**
	 * A job that may be none, because it has kept a thread busy for longer than jobs usually do; undefined where there is no other. Jobs are taken in the order in which they were started.
	 * @param known all jobs that had ended by then have called back, µs of the thread
	 * @param takenAt when a thread took a job at the earliest; Infinity while it queues
	 */
	nextSuspect(known: number, takenAt: (id: number) => number): OpenJob | undefined {
		for (const [id, job] of this.open) {
			if (known - job.started < LONGEST_US || known - takenAt(id) < LONGEST_US) return undefined;
			this.open.delete(id);
			this.suspects.set(id, job);
			return job;
		}
		return undefined;
	}

	/** A suspect has turned out not to be a job. @returns what else is open under its name, and is no job any more */
	clear(id: number): readonly OpenJob[] {
		const suspect = this.suspects.get(id);
		this.suspects.delete(id);
		return suspect === undefined ? NONE : this.takeAll(suspect.name, 'other');
	}

	private takeAll(name: string, kind: AddonKind): readonly OpenJob[] {
		this.disprove(name, kind);
		const taken: OpenJob[] = [];
		for (const jobs of [this.open, this.suspects])
			for (const job of [...jobs.values()].filter((each) => each.name === name)) {
				taken.push(job);
				jobs.delete(job.id);
			}
		return taken;
	}

	/** Whether an assumed job was under way at any time from `since` on, in µs of the thread. */
	overlap(since: number): boolean {
		return this.open.size + this.suspects.size > 0 || this.latest > since;
	}

	private disprove(name: string, kind: AddonKind): ResourceFacts {
		const facts = addonFacts(name, kind);
		this.others.set(name, facts);
		return facts;
	}
}
