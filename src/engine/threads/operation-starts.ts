// What a record of a start means: which kind of operation it is, on which line, and whether it begins one or continues one.
import { START_FLAG } from '../../protocol/journal-records.ts';
import { RESOURCE_FACTS, type ResourceFacts } from '../../protocol/resource-facts.ts';
import { ringFacts } from '../lines/api-name.ts';
import type { SiteFacts } from '../lines/journal-tables.ts';
import type { ThreadLines } from '../lines/thread-lines.ts';
import type { CurrentRun } from '../operations/current-run.ts';
import { LogicalOperation } from '../operations/logical-operation.ts';
import { hasSteps, type OpenOperations, type OpenResource } from '../operations/open-operations.ts';
import { PairedStarts } from '../operations/paired-starts.ts';
import { ReaderWaits } from '../operations/reader-waits.ts';
import { UnclearJobs } from '../operations/unclear-jobs.ts';
import type { ThreadJobs } from '../pool/thread-jobs.ts';

/** Times in µs of the thread. */
export class OperationStarts {
	/** Whether Node does its file operations by io_uring. */
	isRing = false;
	private readonly unclear = new UnclearJobs();
	private readonly readers = new ReaderWaits();
	private readonly pairs = new PairedStarts();
	private readonly lines: ThreadLines;
	private readonly operations: OpenOperations;
	private readonly run: CurrentRun;
	private readonly jobs: ThreadJobs;

	constructor(lines: ThreadLines, operations: OpenOperations, run: CurrentRun, jobs: ThreadJobs) {
		this.lines = lines;
		this.operations = operations;
		this.run = run;
		this.jobs = jobs;
	}

	/** Whether only some operations are recorded. */
	set isSampling(isSampling: boolean) {
		this.readers.isSampling = isSampling;
	}

	/** @returns what has started; null where it is not known whether it will call back */
	start(
		op: number,
		flags: number,
		started: number,
		announced: ResourceFacts,
		site: SiteFacts | null,
		parent: number,
		delay: number,
	): OpenResource | null {
		if (announced === RESOURCE_FACTS.READERWAIT) this.waitForReader(this.readers.above(parent), started);
		let type = this.readers.factsOf(op, this.jobs.factsOf(announced), site?.apiName ?? '', parent);
		if (this.isRing) type = ringFacts(type, site?.apiName ?? '');
		if (this.unclear.keeps(op, type, started, site)) return null;
		const mayBeStep = parent !== op && hasSteps(type.family);
		const known = mayBeStep ? this.operations.logicalOf(parent) : undefined;
		// For a step whose logical operation is no longer known, only the figures are added, not the count.
		const isStep = mayBeStep && (known === undefined || known.family === type.family);
		const first = isStep ? null : this.pairs.firstOf(op, site, this.run.number);
		const root = first ?? (isStep ? parent : op);
		let logical = isStep ? known : first === null ? undefined : this.operations.pair(first, op);
		if (logical === undefined) {
			logical = this.begin(type, site, started, flags, !isStep);
			const isRestated = (flags & START_FLAG.restated) !== 0;
			if (!isRestated && !isStep && this.run.hasStarted(started)) logical.startedIn = this.run.number;
			this.operations.addLogical(root, logical);
		}
		const connection = type === RESOURCE_FACTS.TURNEXCHANGE && parent !== op ? parent : 0;
		return this.open(op, root, type, site, logical, delay, started, connection);
	}

	/** The line of a wait for a pool's connection may show only once there is one: until then it is on a line of the library's. */
	place(op: number, site: SiteFacts | null): void {
		const resource = this.operations.get(op);
		if (resource?.type !== RESOURCE_FACTS.POOLWAIT || site === null) return;
		const stats = this.lines.of(resource.type, site);
		if (stats === null || stats === resource.logical.stats) return;
		resource.user = site.user;
		resource.site = site;
		resource.logical.moveTo(stats);
		this.run.addCaller(stats, resource.started);
	}

	/** What TLS writes on behalf of that write waits for the reader, and so does the write from then on. */
	private waitForReader(write: number | undefined, started: number): void {
		const { READERWAIT } = RESOURCE_FACTS;
		const resource = write === undefined ? undefined : this.operations.get(write);
		if (resource === undefined || resource.type === READERWAIT) return;
		const { id, root, site, hop } = resource;
		const stats = this.lines.of(READERWAIT, site);
		if (stats === null) return;
		this.operations.forget(resource);
		const logical = new LogicalOperation(stats, READERWAIT, started, true, false);
		if (this.run.hasStarted(started)) logical.startedIn = this.run.number;
		this.open(id, root, READERWAIT, site, logical, -1, started).hop = hop;
	}

	/** A callback begins: its operation may be one of several that were not known to call back, and do. */
	begins(op: number): void {
		this.readers.begin(op);
		for (const { id, type, site, started } of this.unclear.callsBack(op)) {
			const logical = this.begin(type, site, started, 0, true);
			// How long they queued is unknown, since they were not among the pool's jobs.
			logical.isSplitKnown = false;
			this.operations.addLogical(id, logical);
			this.open(id, id, type, site, logical, -1, started);
		}
	}

	private begin(
		type: ResourceFacts,
		site: SiteFacts | null,
		started: number,
		flags: number,
		isWhole: boolean,
	): LogicalOperation {
		const stats = this.lines.of(type, site);
		if (stats !== null && isWhole && (flags & START_FLAG.restated) === 0) this.run.addCaller(stats, started);
		return new LogicalOperation(stats, type, started, isWhole, (flags & START_FLAG.repeat) !== 0);
	}

	private open(
		id: number,
		root: number,
		type: ResourceFacts,
		site: SiteFacts | null,
		logical: LogicalOperation,
		delay: number,
		started: number,
		connection = 0,
	): OpenResource {
		logical.beginStep(started);
		const resource: OpenResource = {
			id,
			root,
			type,
			user: site?.user ?? null,
			site,
			logical,
			delay,
			started,
			isPending: true,
			isOverdue: false,
			hop: null,
			lastHop: null,
			respondedAt: -1,
			connection,
			child: null,
		};
		this.operations.add(resource);
		return resource;
	}
}
