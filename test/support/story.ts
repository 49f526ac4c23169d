// Feeds the engine a short story in records, without a tracer, and returns what it made of the story as lines of text.
import { DebuggerLog } from '../../src/engine/clocks/debugger-log.ts';
import type { Resolve } from '../../src/engine/common/place.ts';
import { SessionModel } from '../../src/engine/session-model.ts';
import { ThreadModel } from '../../src/engine/threads/thread-model.ts';
import { BEGIN_FLAG, START_FLAG } from '../../src/protocol/journal-records.ts';
import type { Report, Split } from '../../src/protocol/report.ts';

const SCRIPT = '/app/main.js';

interface StartOptions {
	/** Function and script of Node that the line called. */
	api?: [string, string];
	parent?: number;
	/** Timers: ms. */
	delay?: number;
	repeats?: boolean;
	/** Where in its line the call is, 1 to 9. */
	column?: number;
	/** Whose line it is; the program's main script by default. */
	script?: string;
	/** Of a served request, the script of the router that has called its handler. */
	router?: string;
	/** Whether a handler starts it that a router has called. */
	isRouted?: boolean;
}

/** A router's function that calls handlers: it begins on that line, 1 to 9. */
interface RouterFunction {
	script: string;
	line: number;
	name: string;
}

/** Times are in ms, ids of sites are line numbers. */
export class Story {
	/** What a debugger did; the journal begins at 0. */
	readonly debugger = new DebuggerLog();
	readonly model: ThreadModel;
	private readonly ids = new Map<string, number>();

	/**
	 * @param facts `began`: ms of hrtime; `wall`: the clock then, in ms since 1970
	 * @param makeModel makes what receives the story
	 */
	constructor(
		facts: { pool?: number; ioUring?: boolean; began?: number; node?: string; wall?: number } = {},
		makeModel = (debuggerOf: () => DebuggerLog): ThreadModel => new ThreadModel(debuggerOf),
	) {
		this.model = makeModel(() => this.debugger);
		this.model.thread({
			version: 1,
			pid: 7,
			parentPid: 1,
			threadId: 0,
			node: facts.node ?? '24.0.0',
			libuv: '1.51.0',
			platform: 'linux',
			entry: SCRIPT,
			beganUs: (facts.began ?? 0) * 1000,
			wallMs: facts.wall ?? 0,
			promiseHooks: 'trackPromises',
			ioUring: facts.ioUring ?? false,
			tid: 7,
			isAttached: false,
			seesGarbage: true,
		});
		if (facts.pool !== undefined) this.model.pool(facts.pool, facts.pool);
	}

	start(op: number, type: string, line: number, at: number, options: StartOptions = {}): this {
		const { api, parent = op, delay = -1, repeats = false, column, script, router, isRouted = false } = options;
		const flags = (repeats ? START_FLAG.repeat : 0) | (isRouted ? START_FLAG.routed : 0);
		const site = router === undefined ? this.site(line, api, column, script) : this.handlerSite(line, router);
		this.model.start(op, flags, at * 1000, this.string(type), site, parent, delay);
		return this;
	}

	/** A router's script has called the handler on that line, which starts something in the running callback, or in its drain. */
	handler(line: number, router: string | RouterFunction, inDrain = false): this {
		this.model.handler(this.handlerSite(line, router), inDrain);
		return this;
	}

	/** @param run `idle`: ms of sleep just before; `cpuWait`: ms without a CPU since the last callback */
	callback(
		op: number,
		at: number,
		run: { idle?: number; cpuWait?: number; sync?: number; drain?: number; poll?: 'same' | 'new' } = {},
	): this {
		this.begin(op, at, run);
		return this.end(at + (run.sync ?? 0), run.drain ?? 0);
	}

	begin(
		op: number,
		at: number,
		{ idle = 0, cpuWait = 0, poll }: { idle?: number; cpuWait?: number; poll?: 'same' | 'new' } = {},
	): this {
		const flags = poll === 'same' ? BEGIN_FLAG.samePoll : poll === 'new' ? BEGIN_FLAG.newPoll : 0;
		this.model.begin(op, at * 1000, flags, idle * 1000, cpuWait * 1000);
		return this;
	}

	end(after: number, drain = 0, hint = 0): this {
		this.model.end(after * 1000, drain * 1000, hint === 0 ? 0 : this.site(hint));
		return this;
	}

	/** The line of an operation that has started shows only now. */
	place(op: number, type: string, line: number, at: number): this {
		this.model.start(op, START_FLAG.restated, at * 1000, this.string(type), this.site(line), op, -1);
		return this;
	}

	/** The running callback completes that operation too. */
	attribute(op: number): this {
		this.model.attribute(op);
		return this;
	}

	/** The response to a served request is finished. */
	respond(op: number, at: number): this {
		this.model.nested(op, at * 1000, 0);
		return this;
	}

	/** A callback within the running one. */
	nested(op: number, at: number, until: number): this {
		this.model.nested(op, at * 1000, (until - at) * 1000);
		return this;
	}

	/** It will not call back any more. */
	over(op: number, at: number): this {
		this.model.over(op, at * 1000);
		return this;
	}

	/** Operations of a line that called back and were not recorded. */
	unrecorded(type: string, line: number, api: [string, string], every: number, count: number): this {
		this.model.unrecorded(this.site(line, api), this.string(type), every, count);
		return this;
	}

	/** @param resolve where a position of the script is in the sources */
	report(resolve: Resolve = ({ script, line }) => ({ file: script, line })): Report {
		const recording = new SessionModel();
		recording.add('7.0.0.journal', this.model);
		return recording.report(resolve);
	}

	/** One text per line of the report, and per block. */
	summary(): string[] {
		const { lines, loops } = this.report();
		const texts = lines.map(({ line, op, class: name, count, pending, ...parts }) => {
			const times = (['wait', 'queue', 'execute', 'lag', 'run'] as const)
				.filter((part) => parts[part] !== null)
				.map((part) => `${part} ${figure(parts[part]!)}`);
			return `${line} ${op} ${name} ×${count}${pending > 0 ? `+${pending}` : ''}: ${times.join(', ')}`;
		});
		for (const block of loops.flatMap(({ blocks }) => blocks)) {
			const delays = block.delays.map(({ line, op, count, totalMs }) => `${line} ${op} ×${count} by ${totalMs}`);
			const delayed = [`delayed ${block.delayed}`, ...delays].join(', ');
			texts.push(`block at ${block.line}: ${block.durationMs} from ${block.startMs}, ${delayed}`);
		}
		return texts;
	}

	site(line: number, api?: [string, string], column = 1, script = SCRIPT): number {
		if (line === 0) return 0;
		const position = line * 10 + column + (script === SCRIPT ? 0 : 10_000 * this.string(script));
		const id = position * 100 + (api === undefined ? 0 : this.string(api.join(' ')));
		this.model.position(position, this.string(script), line, column, this.string(functionOf(line)));
		const [name, module] = api ?? ['', ''];
		this.model.site(id, position, 0, name ? this.string(name) : 0, module ? this.string(module) : 0);
		return id;
	}

	private handlerSite(line: number, router: string | RouterFunction): number {
		const caller = typeof router === 'string' ? { script: router, line: 1, name: '' } : router;
		const handler = this.site(line);
		const script = this.string(caller.script);
		const [library, id] = [100_000 + 100 * script + caller.line, 10_000_000 + line * 1000 + 10 * script + caller.line];
		this.model.position(library, script, caller.line, 1, this.string(caller.name));
		this.model.site(id, handler / 100, library, 0, 0);
		return id;
	}

	string(text: string): number {
		let id = this.ids.get(text);
		if (id === undefined) {
			id = this.ids.size + 1;
			this.ids.set(text, id);
			this.model.string(id, text);
		}
		return id;
	}
}

function figure({ totalMs, basis, uncertaintyMs }: Split): string {
	if (basis === 'unknown') return '?';
	return basis === 'estimated' ? `${totalMs}±${uncertaintyMs}` : String(totalMs);
}

/** What the stories' program calls the function around a line. */
export function functionOf(line: number): string {
	return `around${line}`;
}
