// What a program needs on disk to be profiled: the tracer, the sampler, and a folder for its journals.
import path from 'node:path';
import type * as vscode from 'vscode';
import type { Injection } from '../../host/environment.ts';
import { makeSessionFolder, removeLeftovers } from '../../host/session-storage.ts';
import { installTracer, tracerStorage } from '../../host/tracer-file.ts';
import type { Log } from '../common/log.ts';

export class TracingFiles {
	readonly #bundles: string;
	/** Removed by VS Code when the extension is uninstalled. */
	readonly #sessions: string;
	readonly #log: Log;
	#cleaning: Promise<void> | undefined;

	constructor(context: vscode.ExtensionContext, log: Log) {
		this.#bundles = path.join(context.extensionPath, 'dist');
		this.#sessions = path.join(context.globalStorageUri.fsPath, 'sessions');
		this.#log = log;
	}

	/** For one session. @param isSampled whether stacks are to be sampled @throws what the file system says */
	async prepare(isSampled: boolean): Promise<Injection> {
		this.#cleaning ??= this.#removeLeftovers();
		return {
			tracer: await this.#install('tracer.cjs'),
			sampler: isSampled ? await this.#install('sampler.cjs', 'sampler-') : undefined,
			folder: await makeSessionFolder(this.#sessions),
		};
	}

	#install(bundle: string, part?: 'sampler-'): Promise<string> {
		return installTracer(path.join(this.#bundles, bundle), tracerStorage(), part);
	}

	/** Once, and not while the editor starts: windows that crashed are rare, and nobody waits for it. */
	async #removeLeftovers(): Promise<void> {
		try {
			const removed = await removeLeftovers(this.#sessions);
			if (removed > 0) this.#log.info(`Removed the journals of ${removed} sessions of windows that did not end well.`);
		} catch (error) {
			this.#log.error(error as Error);
		}
	}
}
