// What the report says of each thread of a session, of the pools that these have used, and of how they were recorded.
import { mechanismOf } from '../../protocol/mechanism.ts';
import type { Pool, Process, Warning } from '../../protocol/report.ts';
import { counted } from '../../protocol/units.ts';
import type { ProcessPool } from '../pool/process-pool.ts';
import type { Family } from '../processes/family.ts';
import type { Thread } from '../processes/process-model.ts';
import type { ThreadModel } from '../threads/thread-model.ts';

/** A thread, as the report lists it. */
export function processReportOf(model: ThreadModel, family: Family): Process {
	const facts = model.facts!;
	return {
		pid: facts.pid,
		parentPid: family.parentOf(facts.pid),
		threadId: facts.threadId,
		entry: facts.entry,
		node: facts.node,
		libuv: facts.libuv,
		platform: facts.platform,
		mechanism: mechanismOf(facts).name,
		poolSize: model.poolSize,
		ioUring: facts.ioUring,
		promiseHooks: facts.promiseHooks === 'on' ? 'on' : 'off',
		durationMs: model.lengthUs / 1000,
		recordedMs: model.recordedUs / 1000,
		end: family.endOf(model),
		unrecordedMs: family.unrecordedMsOf(model),
		signal: family.signalOf(model),
		stage: model.stages.at(-1)?.stage ?? 0,
		stages: model.stages,
	};
}

/**
 * Whether a thread could not write its last records: what it did in about its last twentieth of a second is missing.
 */
export function isCutShort({ outcome, stopReason }: ThreadModel): boolean {
	return stopReason === null && (outcome === 'killed' || outcome === 'truncated');
}

/** The pools that the threads have used. */
export function poolsOf(threads: readonly Thread[]): Pool[] {
	const pools = new Map<ProcessPool, number>();
	for (const { model } of threads) pools.set(model.processPool, model.facts!.pid);
	return [...pools].flatMap(([{ facts }, pid]) => {
		if (facts === null) return [];
		const { size, saturatedUs, lookupsQueuedUs, maxQueued, occupied } = facts;
		return [
			{
				pid,
				size,
				saturatedMs: saturatedUs.low / 1000,
				saturatedMostMs: saturatedUs.high / 1000,
				lookupsQueuedMs: lookupsQueuedUs / 1000,
				maxQueued,
				occupiedMs: { low: occupied.low / 1000, high: occupied.high / 1000 },
			},
		];
	});
}

/** What a person should know about the recording of a thread. */
export function warningsOf({ model, reader }: Thread): Warning[] {
	const { pid, promiseHooks, isAttached } = model.facts!;
	const warnings: Warning[] = [];
	const warn = (code: Warning['code'], message: string) =>
		warnings.push({ code, pid, file: null, line: null, message });
	if (model.poolWanted !== null) {
		warn(
			'pool-size-too-late',
			`UV_THREADPOOL_SIZE was set to ${model.poolWanted} too late: the pool keeps its ${counted(model.poolSize, 'thread')}.`,
		);
	}
	if (isAttached) {
		warn(
			'started-late',
			'Profiling began while the program was running. Operations started before are not known, and the pool’s size is taken from the environment as it was then.',
		);
	}
	if (model.stopReason) warn('tracer-stopped', `Recording stopped before the program did: ${model.stopReason}.`);
	if (promiseHooks === 'on') {
		warn(
			'promise-hooks-on',
			'Another async hook (on Node 18 and 20 also the debugger’s) keeps promise events on, so the program runs slower than with Waitline alone.',
		);
	}
	if (model.asyncStacksUs > 0) {
		warn(
			'async-stacks-on',
			`The debugger collected asynchronous call stacks for ${(model.asyncStacksUs / 1e6).toFixed(1)} s of it: each await took several µs more, so run and lag are longer than they would otherwise be.`,
		);
	}
	if (reader.lost > 0 || reader.skippedBytes > 0) {
		const what = reader.lost > 0 ? counted(reader.lost, 'record') : counted(reader.skippedBytes, 'byte');
		warn('records-lost', `${what} of the recording could not be read. The figures are incomplete.`);
	}
	return warnings;
}
