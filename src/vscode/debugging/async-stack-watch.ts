// Knows whether the debugger has V8 collect asynchronous call stacks in the threads of one debug session, and can have
// it stop. js-debug does not publish that: it follows its own rule, `showAsyncStacks`, whose lazy form waits for a
// breakpoint to be resolved when its script is loaded, or for a stop (its asyncStackPolicy.ts). The messages between
// editor and debugger show both.
import type * as vscode from 'vscode';
import { nowUs } from '../../host/sessions/journal-clock.ts';
import { depthOf, isLazy, LAZY_DEPTH } from './async-stacks.ts';

/** Is notified of them: `ProfiledSession`. `at` in µs of hrtime. */
export interface StackListener {
	stacksOn(pid: number, at: number): void;
	stacksOff(pid: number, at: number): void;
}

/**
 * Sets the depth to which V8 collects them in a thread from now on, 0 for not at all. Does nothing where the debugger
 * has left the thread.
 */
export type SetDepth = (thread: vscode.DebugSession, depth: number) => Promise<void>;

/**
 * Who decides: js-debug by its rule; we by its lazy form, because profiling began in a session that was started without; or the person, who
 * has turned them off.
 */
type StackRule = 'debugger' | 'lazy' | 'off';

/** The parts of DAP messages that show it. */
interface AsyncStackMessage {
	type?: string;
	command?: string;
	event?: string;
	arguments?: { source?: { path?: string }; breakpoints?: unknown[] };
	body?: { source?: { path?: string }; breakpoint?: { verified?: boolean; source?: { path?: string } } };
}

export class AsyncStackWatch {
	readonly #config: vscode.DebugConfiguration;
	readonly #setDepth: SetDepth;
	readonly #listener: () => StackListener | undefined;
	/** The threads under way, each with a function that finds out its process. */
	readonly #threads = new Map<vscode.DebugSession, () => Promise<number>>();
	/** Processes for which the listener has been notified that they are on. */
	readonly #on = new Set<number>();
	#rule: StackRule = 'debugger';
	/** Whether a breakpoint was resolved, or the program stopped. */
	#isTriggered = false;

	/**
	 * @param config of the root session
	 * @param listener of the profile under way, if there is one
	 */
	constructor(config: vscode.DebugConfiguration, setDepth: SetDepth, listener: () => StackListener | undefined) {
		this.#config = config;
		this.#setDepth = setDepth;
		this.#listener = listener;
	}

	/** Whether they are collected now, as far as the messages show. */
	get isOn(): boolean {
		if (this.#rule === 'off') return false;
		if (this.#rule === 'debugger' && !isLazy(this.#config)) return depthOf(this.#config) > 0;
		return this.#isTriggered;
	}

	/** Follows the messages of a thread. @param processId finds out its process */
	follow(thread: vscode.DebugSession, processId: () => Promise<number>): vscode.DebugAdapterTracker {
		/** Scripts that are loaded, and those for which a breakpoint was set before they were. */
		const loaded = new Set<string>();
		const early = new Set<string>();
		return {
			onWillReceiveMessage: ({ command, arguments: asked }: AsyncStackMessage) => {
				const path = asked?.source?.path;
				if (command !== 'setBreakpoints' || path === undefined || loaded.has(path)) return;
				if ((asked?.breakpoints?.length ?? 0) > 0) early.add(path);
			},
			onDidSendMessage: ({ type, event, body }: AsyncStackMessage) => {
				if (type !== 'event') return;
				if (event === 'initialized') this.#begin(thread, processId);
				if (event === 'loadedSource' && body?.source?.path !== undefined) loaded.add(body.source.path);
				const { verified, source } = body?.breakpoint ?? {};
				const isResolved = event === 'breakpoint' && verified === true && early.has(source?.path ?? '');
				if (event === 'stopped' || isResolved) this.#trigger();
			},
			onExit: () => void this.#threads.delete(thread),
		};
	}

	/** A profile has begun: notifies it of the processes in which they are on already. */
	announce(): void {
		this.#on.clear();
		this.#notify();
	}

	/**
	 * Applies js-debug's lazy form, though the session was started without it: none until a breakpoint is resolved or
	 * the program stops.
	 */
	async makeLazy(): Promise<void> {
		await this.#rules('lazy');
	}

	/** From now on none are collected in this session. */
	async turnOff(): Promise<void> {
		await this.#rules('off');
	}

	/** Leaves them to js-debug again. */
	async release(): Promise<void> {
		if (this.#rule === 'lazy') await this.#rules('debugger');
	}

	async #rules(rule: StackRule): Promise<void> {
		this.#rule = rule;
		await Promise.all([...this.#threads.keys()].map((thread) => this.#setDepth(thread, this.#depth)));
		this.#notify();
	}

	get #depth(): number {
		if (!this.isOn) return 0;
		return this.#rule === 'debugger' ? depthOf(this.#config) : LAZY_DEPTH;
	}

	#begin(thread: vscode.DebugSession, processId: () => Promise<number>): void {
		let pid: Promise<number> | undefined;
		this.#threads.set(thread, () => {
			pid ??= processId();
			return pid;
		});
		if (this.isOn) this.#notify();
		// js-debug has begun by its own rule.
		if (this.#rule !== 'debugger') void this.#setDepth(thread, this.#depth);
	}

	/** js-debug's own rule needs no help. */
	#trigger(): void {
		if (this.#isTriggered) return;
		this.#isTriggered = true;
		if (this.#rule === 'lazy') void this.#rules('lazy');
		else this.#notify();
	}

	/** Notifies the listener of what has changed since its last notification. */
	#notify(): void {
		const at = nowUs();
		const { isOn } = this;
		const listener = this.#listener();
		if (listener === undefined) return;
		for (const processId of this.#threads.values()) {
			void processId().then(
				(pid) => {
					if (isOn === this.#on.has(pid)) return;
					if (isOn) this.#on.add(pid);
					else this.#on.delete(pid);
					if (isOn) listener.stacksOn(pid, at);
					else listener.stacksOff(pid, at);
				},
				() => undefined, // `processId` has already logged why it fails.
			);
		}
	}
}
