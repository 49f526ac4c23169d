// Stack samples in the threads of one debug session, which say what computed while a loop was blocked (tracer/stacks). The sampler reads them in
// windows, and to end one it needs a console profile, which V8 announces to every session with the `Profiler` domain on. js-debug has it on in every
// thread: it would print "Console profile started" and write a .cpuprofile file for each. So a window ends only when this class asks for it, with
// js-debug's domain off meanwhile, and never while the person takes a profile with js-debug.
import type * as vscode from 'vscode';
import type { Inspector } from '../../host/injection/inspector.ts';
import { isSampler } from '../../host/injection/tracer-file.ts';
import { WINDOW_TITLE } from '../../protocol/journal.ts';
import type { Loop } from '../../protocol/report.ts';
import { processOfThread, threadOf } from './debugger-pauses.ts';

/** How often a thread with new blocks has its window ended, in ms: that takes the thread about 1 ms. */
const WINDOW_MS = 1000;
/**
 * A window without a block ends after this time, in ms: each sample takes 40 bytes of the program's memory, and there
 * are 50 a second.
 */
const LONGEST_WINDOW_MS = 60_000;

/** The parts of DAP messages that are needed here. */
interface ProfilerMessage {
	type?: string;
	command?: string;
	event?: string;
	body?: { source?: { path?: string }; running?: boolean };
}

/** How the threads are reached, and how failures are reported. */
export interface ThreadAccess {
	connect(thread: vscode.DebugSession): Promise<Inspector>;
	/** Of the profile under way, if there is one. */
	loops(): readonly Loop[];
	onFailure(thread: vscode.DebugSession, error: unknown): void;
}

export class SampledThreads implements vscode.Disposable {
	readonly #access: ThreadAccess;
	readonly #threads = new Set<SampledThread>();

	constructor(access: ThreadAccess) {
		this.#access = access;
	}

	/** Follows the messages of a thread. */
	follow(session: vscode.DebugSession): vscode.DebugAdapterTracker {
		const thread = new SampledThread(session, this.#access);
		this.#threads.add(thread);
		return {
			onDidSendMessage: ({ type, event, body }: ProfilerMessage) => {
				if (type !== 'event') return;
				if (event === 'loadedSource' && isSampler(body?.source?.path ?? '')) thread.begin();
				if (event === 'profilerStateUpdate') thread.isProfiledByDebugger = body?.running === true;
			},
			onWillReceiveMessage: ({ command }: ProfilerMessage) => {
				if (command === 'startProfile') thread.isProfiledByDebugger = true;
			},
			onExit: () => {
				this.#threads.delete(thread);
				thread.dispose();
			},
		};
	}

	dispose(): void {
		for (const thread of this.#threads) thread.dispose();
		this.#threads.clear();
	}
}

class SampledThread implements vscode.Disposable {
	/** Whether the person takes a profile with js-debug: to turn its domain off would end that. */
	isProfiledByDebugger = false;
	readonly #session: vscode.DebugSession;
	readonly #access: ThreadAccess;
	#inspector: Promise<Inspector> | undefined;
	#pid: number | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** When the latest block began whose window has ended, in ms of the session. */
	#readToMs = Number.NEGATIVE_INFINITY;
	/** When the last window ended. */
	#endedAt = performance.now();

	constructor(session: vscode.DebugSession, access: ThreadAccess) {
		this.#session = session;
		this.#access = access;
	}

	/** The thread has loaded the sampler. */
	begin(): void {
		if (this.#inspector !== undefined) return;
		this.#inspector = this.#connect();
		this.#inspector.catch((error: unknown) => this.#access.onFailure(this.#session, error));
		this.#timer = setInterval(() => this.#tick(), WINDOW_MS);
	}

	dispose(): void {
		clearInterval(this.#timer);
		void this.#inspector?.then(
			(inspector) => inspector.close(),
			() => undefined, // What failed has been reported.
		);
	}

	async #connect(): Promise<Inspector> {
		const inspector = await this.#access.connect(this.#session);
		this.#pid = await processOfThread(this.#session);
		return inspector;
	}

	#latestBlockMs(): number {
		const threadId = threadOf(this.#session.name);
		const loop = this.#access.loops().find((each) => each.pid === this.#pid && each.threadId === threadId);
		return Math.max(Number.NEGATIVE_INFINITY, ...(loop?.blocks ?? []).map(({ startMs }) => startMs));
	}

	#tick(): void {
		const latestMs = this.#latestBlockMs();
		const isDue = latestMs > this.#readToMs || performance.now() - this.#endedAt > LONGEST_WINDOW_MS;
		if (!isDue || this.isProfiledByDebugger) return;
		this.#readToMs = latestMs;
		this.#endedAt = performance.now();
		void this.#endWindow();
	}

	async #endWindow(): Promise<void> {
		if (this.#inspector === undefined) return;
		try {
			const inspector = await this.#inspector;
			// All three are under way before the thread answers, so it takes them one right after the other.
			await Promise.all([
				inspector.call('Profiler.disable', {}),
				inspector.evaluate(END_WINDOW),
				inspector.call('Profiler.enable', {}),
			]);
		} catch (error) {
			this.#access.onFailure(this.#session, error);
		}
	}
}

/** Calls functions of the inspector's own: the program may have replaced the ones that its console has. */
const END_WINDOW = `profile('${WINDOW_TITLE}'); profileEnd('${WINDOW_TITLE}')`;
