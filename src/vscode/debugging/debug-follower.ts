// Notifies `Sessions` of what js-debug does with the profiled debug sessions: when their programs start, start again
// and end, and when one of their processes stops. Follows root sessions; their child sessions (one per process or
// Worker) write to the folder that they inherit, or get the tracer when they appear.
//
// VS Code notifies a debug adapter tracker of a session before its program starts (and waits for it, up to a second),
// so that the tail's lease exists first; `onDidStartDebugSession` might come after a short program is over. It also
// sees `restart`, which keeps the session: with a newly resolved configuration, thus a new journal folder, when
// launch.json was edited meanwhile, else with the environment and the folder that the program had before.
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { FOLDER_VARIABLE, type Injection } from '../../host/injection/environment.ts';
import { JournalFolder } from '../../host/sessions/journal-folder.ts';
import { setting } from '../common/config.ts';
import type { Log } from '../common/log.ts';
import { showError, showInformation } from '../common/notices.ts';
import { reasonOf } from '../common/reason.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { AsyncStackWatch } from './async-stack-watch.ts';
import { isChosen } from './async-stacks.ts';
import { attachToThread, isThread } from './attach-tracer.ts';
import { ATTACH_MARK } from './configuration-marks.ts';
import { followPauses, PausedThreads, processOfThread } from './debugger-pauses.ts';
import { NODE_TYPES } from './injection.ts';
import { SampledThreads } from './sampled-threads.ts';
import { openInspector, withInspector } from './thread-inspector.ts';
import { tracerClock } from './tracer-clock.ts';
import type { TracingFiles } from './tracing-files.ts';

/** How long VS Code may take to announce the end of a thread, in ms. */
const ENDED_MS = 1000;

export class DebugFollower implements vscode.Disposable, vscode.DebugAdapterTrackerFactory {
	readonly #sessions: Sessions;
	readonly #files: TracingFiles;
	readonly #log: Log;
	readonly #disposables: vscode.Disposable[] = [];
	/** Folders issued by the injector whose program has not started yet. */
	readonly #expected = new Set<string>();
	/** Node sessions under way, roots and threads. */
	readonly #open = new Set<vscode.DebugSession>();
	/** Sessions that have ended: on a busy machine a short one ends before its profile has begun. */
	readonly #over = new WeakSet<vscode.DebugSession>();
	readonly #paused = new PausedThreads();
	/** What threads of these root sessions get when they appear, by the root's id. */
	readonly #attaching = new Map<string, Injection>();
	/** Which threads have got it already, or are getting it now. */
	readonly #entries = new WeakMap<Injection, Map<vscode.DebugSession, Promise<boolean>>>();
	/** Asynchronous call stacks, by the root's id. */
	readonly #stacks = new Map<string, AsyncStackWatch>();
	/** Stack samples, by the root's id. */
	readonly #samples = new Map<string, SampledThreads>();

	constructor(sessions: Sessions, files: TracingFiles, log: Log) {
		this.#sessions = sessions;
		this.#files = files;
		this.#log = log;
		for (const type of NODE_TYPES) {
			this.#disposables.push(vscode.debug.registerDebugAdapterTrackerFactory(type, this));
		}
		this.#disposables.push(
			vscode.debug.onDidStartDebugSession((session) => void this.#started(session)),
			vscode.debug.onDidTerminateDebugSession((session) => {
				this.#open.delete(session);
				this.#over.add(session);
				this.#attaching.delete(session.id);
				this.#stacks.delete(session.id);
				this.#samples.get(session.id)?.dispose();
				this.#samples.delete(session.id);
				void sessions.finish(session);
			}),
			vscode.debug.onDidChangeActiveDebugSession((session) => this.#focus(session)),
			// The session that already has the focus may stop, or be chosen again after another one was shown.
			vscode.debug.onDidChangeActiveStackItem((item) => this.#focus(item?.session)),
		);
	}

	/** The injector gave this folder to a program that is about to start. */
	expect(folder: string): void {
		this.#expected.add(folder);
	}

	/**
	 * Profiles a debug session that is already running, from now on. False when none of its threads can be profiled.
	 * @param context a session or its id; without it, the active session
	 */
	async startProfiling(context?: unknown): Promise<boolean> {
		const root = this.#rootOf(context);
		if (root === undefined) {
			showInformation(vscode.l10n.t('There is no Node debug session to profile. Start one, or attach to a process.'));
			return false;
		}
		if (this.#sessions.of(root) !== undefined) {
			showInformation(vscode.l10n.t('“{0}” is already being profiled.', root.name));
			return true;
		}
		try {
			const injection = await this.#files.prepare(false);
			await this.#beginSession(root, injection.folder);
			this.#attaching.set(root.id, injection);
			await this.#profileStacks(root);
		} catch (error) {
			this.#reportFailure(root, error);
			return false;
		}
		const threads = [...this.#open].filter((session) => isThread(session) && rootOf(session) === root);
		const started = await Promise.all(threads.map((thread) => this.#enter(thread)));
		// Where there are no threads yet, each gets the tracer when it appears.
		if (threads.length === 0 || started.includes(true)) return true;
		await this.stopProfiling(root);
		return false;
	}

	/** Ends the profile of a debug session; the program continues, and the report is kept. */
	async stopProfiling(context?: unknown): Promise<void> {
		const root = this.#rootOf(context);
		if (root === undefined) return;
		// A caller that names a session by its id may not know that it is not profiled.
		if (this.#sessions.of(root) === undefined) {
			showInformation(vscode.l10n.t('“{0}” is not being profiled.', root.name));
			return;
		}
		this.#attaching.delete(root.id);
		await this.#sessions.stop(root);
		await this.#stacksOf(root).release();
	}

	/**
	 * Makes the debugger collect no asynchronous call stacks in a session from now on.
	 * @param context as for `startProfiling`
	 */
	async turnOffAsyncStacks(context?: unknown): Promise<void> {
		const root = this.#rootOf(context);
		if (root === undefined || !this.#stacksOf(root).isOn) {
			showInformation(vscode.l10n.t('The debugger is collecting no asynchronous call stacks.'));
			return;
		}
		await this.#stacksOf(root).turnOff();
		showInformation(vscode.l10n.t('The debugger no longer collects asynchronous call stacks in “{0}”.', root.name));
	}

	/** Whether the debugger collects asynchronous call stacks in that session. */
	collectsAsyncStacks(session: vscode.DebugSession): boolean {
		return this.#stacks.get(rootOf(session).id)?.isOn ?? false;
	}

	async createDebugAdapterTracker(session: vscode.DebugSession): Promise<vscode.DebugAdapterTracker> {
		await this.#begin(session, session.configuration);
		if (isThread(session)) return this.#followThread(session);
		// VS Code disconnects too when the program has ended, but then js-debug has said so before.
		let isOver = false;
		return {
			onWillReceiveMessage: (message: unknown) => {
				if (isRestart(message)) void this.#restart(session, message.arguments?.arguments ?? session.configuration);
				else if (!isOver && isEnd(message)) this.#sessions.of(session)?.endByPerson();
			},
			onDidSendMessage: (message: unknown) => {
				isOver ||= (message as { event?: unknown }).event === 'terminated';
			},
		};
	}

	/** Follows the session if its configuration names a folder of ours. */
	async #begin(session: vscode.DebugSession, config: vscode.DebugConfiguration): Promise<boolean> {
		const attaching = config[ATTACH_MARK] as Injection | undefined;
		const folder: unknown = attaching?.folder ?? config.env?.[FOLDER_VARIABLE];
		if (typeof folder !== 'string' || !this.#expected.delete(folder)) return false;
		try {
			await this.#beginSession(session, folder);
			if (attaching !== undefined) this.#attaching.set(session.id, attaching);
			return true;
		} catch (error) {
			this.#log.error(error as Error);
			showError(vscode.l10n.t('Waitline could not follow the program. {0}', reasonOf(error)));
			// Its programs need not write what nobody reads.
			await new JournalFolder(folder).endLease();
			return false;
		}
	}

	async #beginSession(session: vscode.DebugSession, folder: string): Promise<void> {
		await this.#sessions.begin(session, folder);
		if (this.#over.has(session)) await this.#sessions.finish(session);
	}

	async #restart(session: vscode.DebugSession, config: vscode.DebugConfiguration): Promise<void> {
		if (await this.#begin(session, config)) return;
		try {
			await this.#sessions.again(session);
		} catch (error) {
			this.#log.error(error as Error);
		}
	}

	async #started(session: vscode.DebugSession): Promise<void> {
		if (!NODE_TYPES.some((type) => type === session.type)) return;
		this.#open.add(session);
		if (isThread(session)) await this.#enter(session);
	}

	/**
	 * Brings the tracer into a thread whose session gets it after its start; true when it runs. A thread that appears
	 * while profiling begins is entered from both sides: it gets one tracer.
	 */
	#enter(thread: vscode.DebugSession): Promise<boolean> {
		const injection = this.#attaching.get(rootOf(thread).id);
		if (injection === undefined) return Promise.resolve(false);
		const entries = this.#entries.get(injection) ?? new Map<vscode.DebugSession, Promise<boolean>>();
		const entry = entries.get(thread) ?? this.#attach(thread, injection);
		this.#entries.set(injection, entries.set(thread, entry));
		return entry;
	}

	async #attach(thread: vscode.DebugSession, injection: Injection): Promise<boolean> {
		try {
			await attachToThread(thread, injection);
			this.#log.info(`"${thread.name}" is profiled from now on.`);
			return true;
		} catch (error) {
			// A thread that ends meanwhile needs no profile; VS Code announces its end after js-debug has closed the connection.
			await delay(ENDED_MS);
			if (this.#open.has(thread)) this.#reportFailure(thread, error);
			return false;
		}
	}

	#reportFailure(session: vscode.DebugSession, error: unknown): void {
		this.#log.error(error as Error);
		showError(
			vscode.l10n.t(
				'Waitline cannot profile “{0}”, which runs on without a profile. {1}',
				session.name,
				reasonOf(error),
			),
		);
	}

	/** The views show the session that has the focus; one that is not profiled leaves them as they are. */
	#focus(session: vscode.DebugSession | undefined): void {
		const profiled = session && this.#sessions.of(session);
		if (profiled !== undefined) this.#sessions.show(profiled);
	}

	/**
	 * A session that was started without a profile collects asynchronous call stacks: makes them lazy unless the user
	 * has chosen otherwise.
	 */
	async #profileStacks(root: vscode.DebugSession): Promise<void> {
		const stacks = this.#stacksOf(root);
		stacks.announce();
		if (setting('lazyAsyncStacks') && !isChosen(root.workspaceFolder, root.configuration)) await stacks.makeLazy();
	}

	#stacksOf(root: vscode.DebugSession): AsyncStackWatch {
		let stacks = this.#stacks.get(root.id);
		if (stacks === undefined) {
			stacks = new AsyncStackWatch(
				root.configuration,
				(thread, depth) => this.#setStackDepth(thread, depth),
				() => this.#sessions.of(root),
			);
			this.#stacks.set(root.id, stacks);
		}
		return stacks;
	}

	#samplesOf(root: vscode.DebugSession): SampledThreads {
		let samples = this.#samples.get(root.id);
		if (samples === undefined) {
			samples = new SampledThreads({
				connect: openInspector,
				loops: () => this.#sessions.of(root)?.report().loops ?? [],
				onFailure: (thread, error) => this.#log.debug(`"${thread.name}" has fewer stack samples: ${String(error)}`),
			});
			this.#samples.set(root.id, samples);
		}
		return samples;
	}

	async #setStackDepth(thread: vscode.DebugSession, maxDepth: number): Promise<void> {
		try {
			await withInspector(thread, (inspector) => inspector.call('Debugger.setAsyncCallStackDepth', { maxDepth }));
		} catch (error) {
			// The thread has ended, or does not exist yet: js-debug reports both in the same way.
			this.#log.debug(`"${thread.name}" keeps its asynchronous call stacks: ${String(error)}`);
		}
	}

	#followThread(session: vscode.DebugSession): vscode.DebugAdapterTracker {
		const ask = async () => {
			try {
				return await processOfThread(session);
			} catch (error) {
				this.#log.warn(
					`"${session.name}" does not say which process it is, so its pauses count as time: ${String(error)}`,
				);
				throw error;
			}
		};
		const root = rootOf(session);
		const stacks = this.#stacksOf(root).follow(session, ask);
		const samples = this.#samplesOf(root).follow(session);
		const listener = {
			pause: (pid: number, at: number) => this.#sessions.of(session)?.pause(pid, at),
			resume: (pid: number, at: number) => this.#sessions.of(session)?.resume(pid, at),
		};
		const isProfiled = () => this.#sessions.of(session) !== undefined;
		const clock = tracerClock(session, isProfiled, (error) => {
			this.#log.debug(`The pause of "${session.name}" may come late: ${String(error)}`);
		});
		const pauses = followPauses(session.id, ask, this.#paused, listener, clock);
		return {
			onWillReceiveMessage: (message) => {
				pauses.onWillReceiveMessage?.(message);
				stacks.onWillReceiveMessage?.(message);
				samples.onWillReceiveMessage?.(message);
			},
			onDidSendMessage: (message) => {
				pauses.onDidSendMessage?.(message);
				stacks.onDidSendMessage?.(message);
				samples.onDidSendMessage?.(message);
			},
			onExit: (code, signal) => {
				pauses.onExit?.(code, signal);
				stacks.onExit?.(code, signal);
				samples.onExit?.(code, signal);
			},
		};
	}

	/** The row of a session in the call stack passes its id; the toolbar passes nothing that names one. */
	#rootOf(context: unknown): vscode.DebugSession | undefined {
		const open = [...this.#open];
		const session =
			typeof context === 'string'
				? open.find(({ id }) => id === context)
				: (open.find((each) => each === context) ?? vscode.debug.activeDebugSession);
		const root = session && rootOf(session);
		return root && this.#open.has(root) ? root : undefined;
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
		// Programs that were never started leave an empty folder.
		for (const folder of this.#expected) void rm(folder, { recursive: true, force: true });
	}
}

function rootOf(session: vscode.DebugSession): vscode.DebugSession {
	let root = session;
	while (root.parentSession !== undefined) root = root.parentSession;
	return root;
}

/** The DAP request that restarts the program of a session. */
interface RestartRequest {
	command: 'restart';
	arguments?: { arguments?: vscode.DebugConfiguration };
}

/** What the Stop button of a debug session sends. */
function isEnd(message: unknown): boolean {
	const { command } = message as { command?: unknown };
	return command === 'terminate' || command === 'disconnect';
}

function isRestart(message: unknown): message is RestartRequest {
	return (message as { command?: unknown }).command === 'restart';
}
