// What a view asks now and then of the session that it shows, and what takes reading its journals again: what if its pool had another size, and what is
// slower than in other sessions.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { RecordingTask } from '../../host/engine-thread/engine-messages.ts';
import { compareInThread, ReplayThread } from '../../host/engine-thread/replay-thread.ts';
import type { Comparison } from '../../protocol/comparison.ts';
import type { Report } from '../../protocol/report.ts';
import type { WhatIfQuestion, WhatIfReport } from '../../protocol/what-if.ts';
import type { Annotations } from '../annotations/annotations.ts';
import { ENGINE_THREAD } from '../common/engine-thread-file.ts';
import { workspacePaths } from '../sessions/session-texts.ts';
import type { ShownSession } from '../sessions/shown-session.ts';

export class Replays implements vscode.Disposable {
	readonly #annotations: Annotations;
	/** The session that was read last, as far as its report went. */
	#read: { session: ShownSession; report: Report; thread: ReplayThread } | undefined;

	constructor(annotations: Annotations) {
		this.#annotations = annotations;
	}

	/** @throws when the session cannot be read */
	async predict(session: ShownSession, question: WhatIfQuestion): Promise<WhatIfReport> {
		const report = session.report();
		if (this.#read?.session !== session || this.#read.report !== report) {
			const task = await this.#taskOf(session);
			this.#read?.thread.dispose();
			this.#read = { session, report, thread: new ReplayThread(task, ENGINE_THREAD) };
		}
		return this.#read.thread.ask(question);
	}

	/** @param before sessions, and files of recordings @throws when one cannot be read */
	async compare(before: readonly (ShownSession | vscode.Uri)[], after: ShownSession): Promise<Comparison> {
		const tasks: RecordingTask[] = [];
		for (const each of before) {
			tasks.push(await (each instanceof vscode.Uri ? taskOfFile(each) : this.#taskOf(each)));
		}
		return compareInThread(tasks, await this.#taskOf(after), ENGINE_THREAD);
	}

	/** A recording's file as it is; a debug session as it would be saved. */
	async #taskOf(session: ShownSession): Promise<RecordingTask> {
		if (session.file !== undefined) return taskOfFile(session.file);
		const folder = await mkdtemp(path.join(os.tmpdir(), 'waitline-replay-'));
		try {
			const file = vscode.Uri.file(path.join(folder, 'session.waitline'));
			await session.save(file, (source) => this.#annotations.ranText(session, source)?.lines);
			const bytes = await vscode.workspace.fs.readFile(file);
			return { bytes, name: session.name, folders: workspacePaths() };
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	}

	dispose(): void {
		this.#read?.thread.dispose();
		this.#read = undefined;
	}
}

async function taskOfFile(file: vscode.Uri): Promise<RecordingTask> {
	return { bytes: await vscode.workspace.fs.readFile(file), name: file.path, folders: workspacePaths() };
}
