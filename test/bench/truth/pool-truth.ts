// What libuv's thread pool really did: each job's submit, begin and end, from probes on the functions that submit and do the
// work. One job is one `struct uv__work`, whose address all of them are given.
import { cpuWaits, overlap, type Span, united } from './cpu-waits.ts';
import { functionOffsets } from './elf-symbols.ts';
import { type Probe, type ProbeEvent, Uprobes } from './uprobes.ts';

/** One job of the pool; times are CLOCK_MONOTONIC, µs. */
export interface TrueJob {
	/** `uv__work_submit` was entered. */
	submitted: number;
	/** The thread that did so. */
	submitter: number;
	/** The thread of the pool that took it. */
	tid: number;
	/** That thread entered the work's function ... */
	began: number;
	/** ... left it ... */
	ended: number;
	/** ... and had notified the loop. */
	sent: number;
	/** The submit returned. */
	queued: number;
	/**
	 * How much of the time from submit to begin a free thread of the pool was runnable and had no CPU, or the job was not in the queue
	 * yet: its submitter made the pool's threads, waited for another that did, or had no CPU.
	 */
	cpuWait: number;
	/** The one that its thread did before, if any. */
	previous: TrueJob | null;
}

/** void uv__work_submit(uv_loop_t*, struct uv__work* w, enum uv__work_kind, work, done) */
const SUBMIT = 'uv__work_submit';
/** int uv_queue_work(uv_loop_t*, uv_work_t* req, …): compilers put the above into it. */
const QUEUE = 'uv_queue_work';
/** Where `work_req` lies in `uv_work_t` (uv.h; the layout is part of libuv 1's ABI). */
const WORK_REQ_OFFSET = 0x58;
/** All that libuv submits: fs, uv_queue_work (crypto, zlib, add-ons), getaddrinfo, getnameinfo, uv_random. */
const WORK = ['uv__fs_work', 'uv__queue_work', 'uv__getaddrinfo_work', 'uv__getnameinfo_work', 'uv__random_work'];

/** Through it a thread of the pool notifies the loop, which answers with the other, in which the callbacks run. */
const SEND = 'uv_async_send';
const DELIVER = 'uv__work_done';

/** The probes for a Node program. It must be a copy of our own: a probe strikes whoever runs that file. */
export function probePool(node: string): Uprobes {
	const offsets = functionOffsets(node, [SUBMIT, QUEUE, SEND, DELIVER, ...WORK]);
	const offset = (name: string): number => {
		const at = offsets.get(name);
		if (at === undefined) throw new Error(`${node} has no symbol ${name}`);
		return at;
	};
	// The calling convention of x64: the first argument is in rdi, the second in rsi.
	const probes: Probe[] = [
		{ name: 'submit', kind: 'entry', offset: offset(SUBMIT), fetch: 'w=%si' },
		{ name: 'queue', kind: 'entry', offset: offset(QUEUE), fetch: 'req=%si' },
		{ name: 'submitted', kind: 'return', offset: offset(SUBMIT) },
		{ name: 'queued', kind: 'return', offset: offset(QUEUE) },
		{ name: 'sent', kind: 'return', offset: offset(SEND) },
		{ name: 'deliver', kind: 'entry', offset: offset(DELIVER) },
		{ name: 'delivered', kind: 'return', offset: offset(DELIVER) },
	];
	for (const name of WORK) {
		probes.push({ name: `begin_${name}`, kind: 'entry', offset: offset(name), fetch: 'w=%di' });
		probes.push({ name: `end_${name}`, kind: 'return', offset: offset(name) });
	}
	return new Uprobes(node, probes);
}

export interface PoolTruth {
	/** Those that came to their end, in the order of their submits. */
	jobs: TrueJob[];
	/**
	 * When news of an end was under way: its thread had not signalled the loop (while one thread is about to, the others' `uv_async_send`
	 * does nothing, so their news waits with it), the loop had no CPU, or it waited for the lock on what is done.
	 */
	delays: Span[];
	/** When a loop's thread could have run and had no CPU, by the thread. */
	noCpu: Map<number, Span[]>;
}

/** A thread that submits jobs. */
export interface Loop {
	tid: number;
	/** When callbacks of its jobs began, in the order of time. */
	called: number[];
}

export function poolTruth(events: ProbeEvent[], loops: Loop[]): PoolTruth {
	const jobs = jobsOf(events);
	addCpuWaits(events, jobs);
	const sending = jobs.map(({ ended, sent }) => ({ from: ended, to: Math.max(ended, sent) }));
	const noCpu = new Map(loops.map(({ tid }) => [tid, cpuWaits(events, tid)]));
	const delivering = loops.flatMap((loop) => [...noCpu.get(loop.tid)!, ...deliveries(events, loop)]);
	return { jobs, delays: united([...sending, ...delivering]), noCpu };
}

/** From the loop's turn to what is done until the first callback of it. */
function deliveries(events: ProbeEvent[], { tid: loop, called }: Loop): Span[] {
	const spans: Span[] = [];
	let from = -1;
	for (const { name, tid, us } of events) {
		if (tid !== loop) continue;
		if (name === 'deliver') from = us;
		if (name !== 'delivered') continue;
		const first = called.find((time) => time >= from) ?? us;
		spans.push({ from, to: Math.min(first, us) });
	}
	return spans;
}

function jobsOf(events: ProbeEvent[]): TrueJob[] {
	const jobs: TrueJob[] = [];
	const waiting = new Map<number, TrueJob>();
	const running = new Map<number, TrueJob>();
	const last = new Map<number, TrueJob>();
	/** What each thread has submitted last. */
	const submits = new Map<number, TrueJob>();
	for (const { name, tid, us, values } of events) {
		if (name === 'submit' || name === 'queue') {
			const work = values.w ?? values.req! + WORK_REQ_OFFSET;
			// Where the compiler left the call, the one function comes right after the other.
			if (waiting.has(work)) continue;
			const job = {
				submitted: us,
				submitter: tid,
				queued: us,
				tid: -1,
				began: -1,
				ended: -1,
				sent: -1,
				cpuWait: 0,
				previous: null,
			};
			waiting.set(work, job);
			submits.set(tid, job);
			jobs.push(job);
		} else if (name === 'submitted' || name === 'queued') {
			const job = submits.get(tid);
			if (job !== undefined) job.queued = us;
			submits.delete(tid);
		} else if (name.startsWith('begin_')) {
			// A synchronous fs call runs the same function with no submit.
			const job = waiting.get(values.w!);
			if (job === undefined) continue;
			waiting.delete(values.w!);
			job.tid = tid;
			job.began = us;
			job.previous = last.get(tid) ?? null;
			running.set(tid, job);
			last.set(tid, job);
		} else if (name.startsWith('end_')) {
			const job = running.get(tid);
			if (job !== undefined) job.ended = us;
			running.delete(tid);
		} else if (name === 'sent') {
			const job = last.get(tid);
			if (job !== undefined && job.ended >= 0 && job.sent < 0) job.sent = us;
		}
	}
	return jobs.filter(({ ended }) => ended >= 0);
}

function addCpuWaits(events: ProbeEvent[], jobs: TrueJob[]): void {
	/** When any thread of the pool that had no job could have run and had no CPU to run on. */
	const free: Span[] = [];
	for (const tid of new Set(jobs.map((job) => job.tid))) {
		const its = jobs.filter((job) => job.tid === tid);
		const isFree = ({ from }: Span) => !its.some(({ began, ended }) => began <= from && from < ended);
		free.push(...cpuWaits(events, tid).filter(isFree));
	}
	const waits = united(free);
	for (const job of jobs) {
		const submit = { from: job.submitted, to: Math.min(job.queued, job.began) };
		job.cpuWait = overlap(united([...waits, submit]), job.submitted, job.began);
	}
}
