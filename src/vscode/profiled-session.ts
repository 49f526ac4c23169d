// One profiled debug session: owns its live tail, its journal folder and everything else that must end with it.
import * as vscode from 'vscode';
import { LiveSession, type ProcessNow } from '../host/live-session.ts';
import type { Report } from '../protocol/report.ts';
import type { Timeline } from '../protocol/timeline.ts';
import type { LaunchOrigin, ShownSession } from './shown-session.ts';

export class ProfiledSession implements ShownSession, vscode.Disposable {
	/** The debug session's name. */
	readonly name: string;
	readonly startedAt = new Date();
	endedAt: Date | null = null;
	cleared = false;
	/** Set by who starts it. */
	origin?: LaunchOrigin;
	/** How often its program was started again. */
	run = 0;

	readonly #live: LiveSession;
	readonly #log: vscode.LogOutputChannel;
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[] = [this.#changed];
	/** The end, once it was asked for; the report stays readable during and after it. */
	#end: Promise<void> | undefined;
	#ended: Report | undefined;

	readonly onDidChange = this.#changed.event;

	private constructor(name: string, live: LiveSession, log: vscode.LogOutputChannel) {
		this.name = name;
		this.#live = live;
		this.#log = log;
		this.#disposables.push({ dispose: live.onUpdate(() => this.#changed.fire()) });
	}

	static async start(name: string, folder: string, log: vscode.LogOutputChannel): Promise<ProfiledSession> {
		return new ProfiledSession(name, await LiveSession.start({ folder }), log);
	}

	get live(): boolean {
		return this.#ended === undefined;
	}

	report(): Report {
		return this.#ended ?? this.#live.report();
	}

	timeline(): Timeline {
		return this.#live.timeline();
	}

	/** Nothing once it has ended. */
	now(): readonly ProcessNow[] {
		return this.live ? this.#live.now() : [];
	}

	/** The debugger has stopped a process. */
	pause(pid: number): void {
		this.#live.pause(pid);
	}

	/** The debugger lets it go on. */
	resume(pid: number): void {
		this.#live.resume(pid);
	}

	/** The debug session starts its program again: the report begins anew. */
	async startAfresh(): Promise<void> {
		this.cleared = false;
		this.run++;
		await this.#live.startAfresh();
	}

	/** Reads what is left and stops the tail; the last report stays. */
	end(): Promise<void> {
		this.#end ??= this.#live.stop().then((report) => {
			this.#ended = report;
			this.endedAt = new Date();
			this.#log.info(`"${this.name}" ended with ${report.lines.length} annotated lines.`);
			this.#changed.fire();
		});
		return this.#end;
	}

	/** Writes the recording; possible until disposal. */
	save(file: vscode.Uri): Promise<void> {
		return this.#live.save(file.fsPath);
	}

	/** Ends it and removes its journals. Failures go to the log: there is nothing left for a person to do. */
	dispose(): void {
		void this.close();
	}

	/** `dispose` that can be waited for. */
	async close(): Promise<void> {
		try {
			await this.end();
			await this.#live.remove();
		} catch (error) {
			this.#log.error(error as Error);
		}
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}
