// The profiled sessions, those under way and those kept, and which of them the views show: the one that the person looked at
// last, by focusing its debug session, by choosing it from the list, or by opening its recording.
import * as vscode from 'vscode';
import { onSettingChange, setting } from '../common/config.ts';
import type { Log } from '../common/log.ts';
import { ProfiledSession } from './profiled-session.ts';
import { SessionHistory } from './session-history.ts';
import { isOwned, type OwnedSession, type ShownSession } from './shown-session.ts';

export class Sessions implements vscode.Disposable {
	readonly #log: Log;
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[];
	/** The current run of each debug session that is profiled, by the debug session's id. */
	readonly #running = new Map<string, ProfiledSession>();
	readonly #history = new SessionHistory();
	#shown: ShownSession | undefined;
	#shownDebugged: OwnedSession | undefined;
	/** Restarts run one after the other: each takes its folder over from the one before. */
	#restarts: Promise<void> = Promise.resolve();
	#closed = false;

	/** The session that is shown, its report, its state or the list of all changed. */
	readonly onDidChange = this.#changed.event;

	constructor(log: Log) {
		this.#log = log;
		this.#disposables = [this.#changed, onSettingChange('keptSessions', () => this.#trim())];
	}

	/** The session that the views show; undefined before the first. */
	get current(): ShownSession | undefined {
		return this.#shown;
	}

	/** The debug session that the views show, or showed before the recording that they show; undefined before the first. */
	get shownDebugged(): OwnedSession | undefined {
		return this.#shownDebugged;
	}

	/** All that can be shown, newest first. */
	get all(): readonly ShownSession[] {
		return this.#history.all;
	}

	/** The current run of a debug session, or of the one that it is a part of; undefined when it is not profiled. */
	of(session: vscode.DebugSession): ProfiledSession | undefined {
		for (let each: vscode.DebugSession | undefined = session; each !== undefined; each = each.parentSession) {
			const profiled = this.#running.get(each.id);
			if (profiled !== undefined) return profiled;
		}
		return undefined;
	}

	/** Makes the views show this session. */
	show(session: ShownSession): void {
		if (session === this.#shown) return;
		this.#shown = session;
		if (isOwned(session)) this.#shownDebugged = session;
		this.#trim();
		this.#changed.fire();
	}

	/** Adds a session that can be shown from now on, and shows it. */
	add(session: ShownSession): void {
		this.#history.add(session);
		this.#follow(session);
		this.show(session);
	}

	/** Adds the one that the window before has shown; it is shown unless this one shows another by now. */
	restore(session: OwnedSession): void {
		if (this.#closed) {
			void session.close();
			return;
		}
		this.#history.addOldest(session);
		this.#follow(session);
		if (this.#shown === undefined) this.show(session);
		else this.#changed.fire();
	}

	#follow(session: ShownSession): void {
		session.onDidChange(() => session === this.#shown && this.#changed.fire());
	}

	/** A recording's editor is closed. */
	remove(session: ShownSession): void {
		this.#history.remove(session);
		if (session === this.#shown) this.#shown = this.#history.all[0];
		this.#changed.fire();
	}

	/** Removes the annotations of the session that is shown; the panel keeps its report. */
	clearAnnotations(): void {
		if (this.#shown === undefined) return;
		this.#shown.cleared = true;
		this.#changed.fire();
	}

	/** Follows the programs that write into `folder`, for a debug session. */
	async begin(session: vscode.DebugSession, folder: string): Promise<void> {
		const profiled = await ProfiledSession.start(session.name, folder, this.#log);
		profiled.origin = { folder: session.workspaceFolder, configuration: session.name };
		await this.#take(session, profiled);
	}

	/** A profiled debug session restarts its program, with the folder that it has. */
	again(session: vscode.DebugSession): Promise<void> {
		const restarted = this.#restarts.then(() => this.#startAgain(session));
		this.#restarts = restarted.catch(() => undefined);
		return restarted;
	}

	async #startAgain(session: vscode.DebugSession): Promise<void> {
		const before = this.#running.get(session.id);
		if (before === undefined) return;
		const next = await before.again();
		// The debug session may have ended meanwhile.
		if (this.#running.get(session.id) === before) await this.#take(session, next);
		else await next.close();
	}

	/** Whether a debug session of that launch configuration is profiled right now. */
	isProfiled(folder: vscode.WorkspaceFolder | undefined, configuration: string): boolean {
		return [...this.#running.values()].some(
			({ live, origin }) =>
				live && origin?.configuration === configuration && origin.folder?.uri.toString() === folder?.uri.toString(),
		);
	}

	async #take(session: vscode.DebugSession, profiled: ProfiledSession): Promise<void> {
		if (this.#closed) {
			await profiled.close();
			return;
		}
		const before = this.#running.get(session.id);
		this.#running.set(session.id, profiled);
		// A session that ends by itself, because its journals cannot be read, is no longer followed: it can be profiled
		// again.
		const ended = profiled.onDidChange(() => {
			if (profiled.live) return;
			ended.dispose();
			if (this.#running.get(session.id) === profiled) this.#running.delete(session.id);
			this.#trim();
		});
		this.add(profiled);
		// A session that shares the new one's folder ends by itself, when its processes are gone.
		if (before !== undefined && before.folder !== profiled.folder) await before.end();
	}

	/** The person ends the profile of a debug session, which continues. */
	async stop(session: vscode.DebugSession): Promise<void> {
		// The reason first; the end is the same.
		void this.#running.get(session.id)?.stop();
		await this.finish(session);
	}

	/** The profile of a debug session is over, with the debug session or before; its report is kept. */
	async finish(session: vscode.DebugSession): Promise<void> {
		const profiled = this.#running.get(session.id);
		if (profiled === undefined) return;
		this.#running.delete(session.id);
		await profiled.end();
		this.#trim();
		this.#changed.fire();
	}

	#trim(): void {
		for (const dropped of this.#history.trim(setting('keptSessions'), this.#shown)) {
			if (isOwned(dropped)) void dropped.close();
		}
	}

	dispose(): void {
		void this.close();
	}

	/**
	 * Ends every session and removes what they left on disk.
	 * @param ran where given, the debug session that was shown last is left to the next window: the lines of a file as they ran
	 */
	async close(ran?: (session: ShownSession, file: string) => readonly string[] | undefined): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		vscode.Disposable.from(...this.#disposables).dispose();
		const kept = this.#shownDebugged;
		const ends = this.#history.all.filter(isOwned).map((session) => {
			return ran !== undefined && session === kept
				? this.#keep(session, (file) => ran(session, file))
				: session.close();
		});
		await Promise.all(ends);
	}

	async #keep(session: OwnedSession, ran: (file: string) => readonly string[] | undefined): Promise<void> {
		try {
			await session.keep(ran);
		} catch (error) {
			this.#log.error(error as Error);
			await session.close();
		}
	}
}
