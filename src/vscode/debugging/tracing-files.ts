// What a program needs on disk to be profiled: the tracer, and a folder for its journals.
import path from 'node:path';
import type * as vscode from 'vscode';
import type { Injection } from '../../host/injection/environment.ts';
import { installTracer, tracerStorage } from '../../host/injection/tracer-file.ts';
import { JournalFolder } from '../../host/sessions/journal-folder.ts';
import { makeSessionFolder, removeLeftovers } from '../../host/sessions/session-storage.ts';
import type { Log } from '../common/log.ts';

export class TracingFiles {
	readonly #bundles: { tracer: string; sampler: string };
	/** Where sessions have their folders; removed by VS Code when the extension is uninstalled. */
	readonly folder: string;
	readonly #log: Log;
	#cleaning: Promise<void> | undefined;

	constructor(context: vscode.ExtensionContext, log: Log) {
		const bundle = (name: string) => path.join(context.extensionPath, 'dist', name);
		this.#bundles = { tracer: bundle('tracer.cjs'), sampler: bundle('sampler.cjs') };
		this.folder = path.join(context.globalStorageUri.fsPath, 'sessions');
		this.#log = log;
	}

	/** For one session. @param isSampled whether its stacks are sampled @throws the file system's errors */
	async prepare(isSampled: boolean): Promise<Injection> {
		void this.clean();
		const { tracer, sampler } = this.#bundles;
		const folder = await makeSessionFolder(this.folder);
		// Before the program starts, which on a busy machine may be before anybody reads its journals: without a lease it is not profiled.
		await new JournalFolder(folder).open();
		return {
			tracer: await installTracer(tracer, tracerStorage()),
			sampler: isSampled ? await installTracer(sampler, tracerStorage(), 'sampler') : undefined,
			isDebugged: true,
			folder,
		};
	}

	/** Removes what other windows left, once: not while the editor starts, since there is rarely anything, and nothing waits for it. */
	clean(): Promise<void> {
		this.#cleaning ??= this.#removeLeftovers();
		return this.#cleaning;
	}

	async #removeLeftovers(): Promise<void> {
		try {
			const removed = await removeLeftovers(this.folder);
			if (removed > 0) this.#log.info(`Removed the journals of ${removed} sessions of windows that did not end well.`);
		} catch (error) {
			this.#log.error(error as Error);
		}
	}
}
