// One profiled run of a debug session's program: owns its live tail, its journals and everything else that must end with it.
import * as vscode from 'vscode';
import { SessionThread } from '../../host/engine-thread/session-thread.ts';
import { ThreadEnded } from '../../host/engine-thread/thread-ended.ts';
import type { ProcessNow } from '../../host/sessions/live-session.ts';
import type { Overview } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import type { SessionState } from '../../protocol/webview.ts';
import { ENGINE_THREAD } from '../common/engine-thread-file.ts';
import type { Log } from '../common/log.ts';
import { showError } from '../common/notices.ts';
import { reasonOf } from '../common/reason.ts';
import { LimitedSession } from './limited-session.ts';
import type { LaunchOrigin, OwnedSession } from './shown-session.ts';

export class ProfiledSession implements OwnedSession, vscode.Disposable {
	/** The debug session's name. */
	readonly name: string;
	readonly startedAt = new Date();
	endedAt: Date | null = null;
	cleared = false;
	readonly limited = new LimitedSession(
		(range) => this.#live.part(range),
		() => this.#changed.fire(),
	);
	/** Set by the code that starts it. */
	origin?: LaunchOrigin;

	readonly #live: SessionThread;
	readonly #log: Log;
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[] = [this.#changed];
	/** The previous run, until this one has begun to write: then the processes of that run are gone. */
	#before: ProfiledSession | undefined;
	/** The end of the session, once it was requested; the report stays readable during and after it. */
	#end: Promise<void> | undefined;
	#ended: Report | undefined;
	/** Processes that the debugger has stopped. */
	readonly #paused = new Set<number>();
	#isStopped = false;

	readonly onDidChange = this.#changed.event;

	private constructor(name: string, live: SessionThread, log: Log) {
		this.name = name;
		this.#live = live;
		this.#log = log;
		const update = () => {
			this.#changed.fire();
			if (this.live) void this.#goOn(false);
		};
		this.#disposables.push({ dispose: live.onUpdate(update) });
		live.onFailure(() => void this.end());
	}

	static async start(name: string, folder: string, log: Log): Promise<ProfiledSession> {
		return new ProfiledSession(name, await SessionThread.start({ folder, program: ENGINE_THREAD }), log);
	}

	get live(): boolean {
		return this.#ended === undefined;
	}

	get state(): SessionState {
		if (!this.live) return this.#isStopped ? 'stopped' : 'ended';
		return this.#paused.size > 0 ? 'paused' : 'live';
	}

	/** Where its programs write. */
	get folder(): string {
		return this.#live.folder;
	}

	report(): Report {
		return this.limited.report ?? this.#ended ?? this.#live.report();
	}

	overview(): Promise<Overview> {
		return this.#live.overview();
	}

	timeline(query: TimelineQuery): Promise<Timeline> {
		return this.#live.timeline(query);
	}

	/** Nothing once it has ended. */
	now(): readonly ProcessNow[] {
		return this.live ? this.#live.now() : [];
	}

	/** The debugger has stopped a process. @param at µs of hrtime */
	pause(pid: number, at: number): void {
		this.#live.pause(pid, at);
		this.#paused.add(pid);
		this.#changed.fire();
	}

	/** The debugger lets the process continue. @param at µs of hrtime */
	resume(pid: number, at: number): void {
		this.#live.resume(pid, at);
		this.#paused.delete(pid);
		this.#changed.fire();
	}

	/** The debugger has V8 collect asynchronous call stacks in a process. @param at µs of hrtime */
	stacksOn(pid: number, at: number): void {
		this.#live.stacksOn(pid, at);
	}

	/** The debugger no longer collects them. @param at µs of hrtime */
	stacksOff(pid: number, at: number): void {
		this.#live.stacksOff(pid, at);
	}

	/** The person ends the debug session, and with it the processes that still run. */
	endByPerson(): void {
		this.#live.endByPerson();
	}

	/** The debug session restarts its program: returns the session of the new run. This one ends by itself. */
	async again(): Promise<ProfiledSession> {
		const next = new ProfiledSession(this.name, await this.#live.again(), this.#log);
		if (this.origin !== undefined) next.origin = this.origin;
		next.#before = this;
		const begun = next.onDidChange(() => {
			begun.dispose();
			void next.#endBefore();
		});
		return next;
	}

	/** The person ends the profile, and the program continues. */
	stop(): Promise<void> {
		this.#isStopped = true;
		return this.end();
	}

	/** Reads what is left and stops the tail; the last report stays, even when that fails. */
	end(): Promise<void> {
		this.#end ??= this.#finish();
		return this.#end;
	}

	async #finish(): Promise<void> {
		await this.#endBefore();
		try {
			this.#ended = await this.#live.stop();
		} catch (error) {
			this.#log.error(error as Error);
			showError(vscode.l10n.t('Waitline could not follow the program. {0}', reasonOf(error)));
			this.#ended = this.#live.report();
		}
		this.endedAt = new Date();
		void this.#goOn(true);
		this.#log.info(`"${this.name}" ended with ${this.#ended.lines.length} annotated lines.`);
		this.#changed.fire();
	}

	/** Reads the stretch to which it is limited again. */
	async #goOn(isOver: boolean): Promise<void> {
		try {
			await this.limited.goOn(isOver);
		} catch (error) {
			// It may be forgotten meanwhile.
			if (!(error instanceof ThreadEnded)) this.#log.error(error as Error);
		}
	}

	async #endBefore(): Promise<void> {
		const before = this.#before;
		this.#before = undefined;
		await before?.end();
	}

	/** Possible until disposal. */
	save(file: vscode.Uri, ran: (file: string) => readonly string[] | undefined): Promise<void> {
		return this.#live.save(file.fsPath, (source) => ran(source)?.join('\n'));
	}

	async keep(ran: (file: string) => readonly string[] | undefined): Promise<void> {
		await this.end();
		const { name, startedAt, endedAt, origin } = this;
		const facts = {
			name,
			startedAt: startedAt.getTime(),
			endedAt: endedAt?.getTime() ?? null,
			isStopped: this.#isStopped,
			isCleared: this.cleared,
			origin:
				origin === undefined
					? null
					: { folder: origin.folder?.uri.toString() ?? null, configuration: origin.configuration },
		};
		await this.#live.keep(facts, (source) => ran(source)?.join('\n'));
		vscode.Disposable.from(...this.#disposables).dispose();
	}

	/** Ends it and removes its journals. */
	dispose(): void {
		void this.close();
	}

	/** Like `dispose`, but resolves when it is done. */
	async close(): Promise<void> {
		await this.end();
		try {
			await this.#live.remove();
		} catch (error) {
			this.#log.error(error as Error);
		}
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}
