// Parts of a report for tests of what draws it: complete, and ordinary unless the test specifies otherwise.
import {
	type Basis,
	type Block,
	type Culprit,
	type Delay,
	EMPTY_REPORT,
	type Finding,
	type Line,
	type Loop,
	type Process,
	type Report,
	type RequestStep,
	type Route,
	type Split,
} from '../../src/protocol/report.ts';

/** One operation's part, or many of the same length. */
export function split(totalMs: number, basis: Basis = 'measured'): Split {
	return {
		totalMs,
		p50Ms: totalMs,
		p95Ms: totalMs,
		maxMs: totalMs,
		range: null,
		basis,
		uncertaintyMs: basis === 'measured' ? 0 : 1,
		atLeast: basis === 'unknown' ? { totalMs: 0, p50Ms: 0, p95Ms: 0, maxMs: 0, unknown: 1 } : null,
	};
}

export function line(values: Partial<Line>): Line {
	return {
		file: '/app/main.js',
		line: 3,
		op: 'crypto.pbkdf2',
		class: 'threadpool',
		count: 1,
		isCountEstimated: false,
		pending: 0,
		oldestPending: null,
		perSecond: null,
		wallMs: (values.class === 'timer' ? values.lag : values.wait)?.totalMs ?? 0,
		maxInFlight: 1,
		wait: null,
		queue: null,
		execute: null,
		lag: null,
		run: null,
		histogram: [],
		typical: null,
		callers: [],
		libraries: [],
		sampledOf: 1,
		assumesAddonJobs: false,
		asyncStackRuns: 0,
		threadTimeMs: null,
		...values,
	};
}

export function culprit(values: Partial<Culprit>): Culprit {
	return {
		file: '/app/main.js',
		line: 9,
		function: 'build',
		selfMs: 100,
		totalMs: 100,
		basis: 'estimated',
		api: null,
		lines: [],
		collectionMs: 0,
		isLibrary: false,
		calledFrom: null,
		...values,
	};
}

export function block(values: Partial<Block>): Block {
	return {
		file: '/app/main.js',
		line: 3,
		startMs: 0,
		durationMs: 100,
		delayed: 0,
		surelyDelayed: values.delayed ?? 0,
		delayedMs: 0,
		delayedLeastMs: values.delayedMs ?? 0,
		delayedMostMs: values.delayedMs ?? 0,
		basis: 'measured',
		delays: [],
		cause: 'code',
		lostCpuMs: 0,
		collectionMs: values.cause === 'gc' ? (values.durationMs ?? 100) : 0,
		isStartUp: false,
		isSampled: (values.culprits ?? []).length > 0,
		culprits: [],
		...values,
	};
}

/** What waited for a block, for a time that was measured unless the test specifies otherwise. */
export function delay(values: Partial<Delay>): Delay {
	const { totalMs = 0 } = values;
	return {
		file: '/app/main.js',
		line: 3,
		op: 'fs.readFile',
		count: 1,
		totalMs,
		leastMs: totalMs,
		mostMs: totalMs,
		...values,
	};
}

/** What a finding has whatever its rule. */
export const ANY_FINDING = {
	pid: 1,
	file: '/app/main.js',
	line: 3,
	op: null,
	basis: 'measured',
	victim: null,
	cause: null,
	lostMs: 0,
	savesMs: null,
	severity: 'low',
	isPast: false,
	effects: [],
	computed: [],
	ranges: [],
	message: '',
} satisfies Partial<Finding>;

export function process(values: Partial<Process>): Process {
	const versions = { node: '24.0.0', libuv: '1.51.0', platform: 'linux', mechanism: 'epoll', poolSize: 4 } as const;
	const life = {
		parentPid: 0,
		ioUring: false,
		promiseHooks: 'off',
		durationMs: 1000,
		end: 'exit',
		unrecordedMs: null,
		signal: null,
	} as const;
	const { durationMs } = { ...life, ...values };
	const stages = { recordedMs: durationMs, stage: 0, stages: [] };
	return { pid: 1, threadId: 0, entry: '/app/main.js', ...versions, ...life, ...stages, ...values };
}

export function loop(values: Partial<Loop>): Loop {
	return { pid: 1, threadId: 0, utilization: 1, blocks: [], delay: null, gc: null, ...values };
}

/** A route whose requests took as long as the typical one. */
export function route(values: Partial<Route>, durationMs = 31): Route {
	const nothing = split(0);
	return {
		file: '/app/main.js',
		line: 3,
		op: 'http.Server request',
		count: 1,
		pending: 0,
		oldestPending: null,
		closedEarly: 0,
		perSecond: null,
		duration: split(durationMs),
		histogram: [],
		run: nothing,
		wait: split(durationMs),
		blocked: nothing,
		unknown: nothing,
		parts: [],
		typical: { pid: 1, threadId: 0, startMs: 0, durationMs, leastMs: durationMs, mostMs: durationMs, steps: [] },
		sampledOf: 1,
		...values,
	};
}

/** A step of a request, on line 9 unless `values` has another. */
export function step(kind: RequestStep['kind'], ms: number, values: Partial<RequestStep> = {}): RequestStep {
	const op = kind === 'wait' ? 'fetch' : '';
	return { kind, file: '/app/main.js', line: 9, op, class: null, ms, leastMs: ms, mostMs: ms, ...values };
}

export function report(values: Partial<Report>): Report {
	return { ...EMPTY_REPORT, ...values };
}
