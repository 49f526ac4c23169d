// What a program needs on disk to be profiled: the tracer, and a folder for its journals.
import path from 'node:path';
import type * as vscode from 'vscode';
import type { Injection } from '../../host/environment.ts';
import { makeSessionFolder, removeLeftovers } from '../../host/session-storage.ts';
import { installTracer, tracerStorage } from '../../host/tracer-file.ts';
import type { Log } from '../common/log.ts';

export class TracingFiles {
	readonly #bundle: string;
	/** Removed by VS Code when the extension is uninstalled. */
	readonly #sessions: string;
	readonly #log: Log;
	#cleaning: Promise<void> | undefined;

	constructor(context: vscode.ExtensionContext, log: Log) {
		this.#bundle = path.join(context.extensionPath, 'dist', 'tracer.cjs');
		this.#sessions = path.join(context.globalStorageUri.fsPath, 'sessions');
		this.#log = log;
	}

	/** For one session. @throws the file system's errors */
	async prepare(): Promise<Injection> {
		this.#cleaning ??= this.#removeLeftovers();
		return {
			tracer: await installTracer(this.#bundle, tracerStorage()),
			folder: await makeSessionFolder(this.#sessions),
		};
	}

	/** Runs once, and not while the editor starts: windows that crashed are rare, and nothing waits for it. */
	async #removeLeftovers(): Promise<void> {
		try {
			const removed = await removeLeftovers(this.#sessions);
			if (removed > 0) this.#log.info(`Removed the journals of ${removed} sessions of windows that did not end well.`);
		} catch (error) {
			this.#log.error(error as Error);
		}
	}
}
