// A session under way: tails the journals in one folder and keeps the report of all that they say.
import type { Report } from '../protocol/report.ts';

export interface LiveSessionOptions {
	/** The journal folder; made with mode 0700 if it is not there. */
	folder: string;
}

export class LiveSession {
	readonly folder: string;

	private constructor(options: LiveSessionOptions) {
		this.folder = options.folder;
	}

	/** Makes the folder, takes the lease and starts to tail. */
	static async start(options: LiveSessionOptions): Promise<LiveSession> {
		return new LiveSession(options);
	}

	/** What the journals say so far; the same object until something new arrived. */
	report(): Report {
		throw new Error('to come');
	}

	/** Calls `listener` after new records were read (about 10 times a second at most). Returns its removal. */
	onUpdate(_listener: () => void): () => void {
		return () => undefined;
	}

	/** Reads what is left, lets the lease go and ends the tailing. Programs that still run go on untraced. */
	async stop(): Promise<Report> {
		return this.report();
	}

	/** Writes the recording (`.waitline`) of all journals so far. */
	async save(_file: string): Promise<void> {}
}
