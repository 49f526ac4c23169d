// The sessions that can be shown, newest first. Those that have ended are kept up to a number; a recording that is open
// in an editor stays for as long as the editor.
import type { ShownSession } from './shown-session.ts';

export class SessionHistory {
	#sessions: readonly ShownSession[] = [];

	/** Newest first. */
	get all(): readonly ShownSession[] {
		return this.#sessions;
	}

	add(session: ShownSession): void {
		this.#sessions = [session, ...this.#sessions];
	}

	/** Adds one from before all others. */
	addOldest(session: ShownSession): void {
		this.#sessions = [...this.#sessions, session];
	}

	remove(session: ShownSession): void {
		this.#sessions = this.#sessions.filter((each) => each !== session);
	}

	/** Forgets the oldest of the ended debug sessions past `limit`, but never `shown`; returns those that were forgotten. */
	trim(limit: number, shown: ShownSession | undefined): ShownSession[] {
		const ended = this.#sessions.filter(({ live, file }) => !live && file === undefined);
		const dropped = new Set(ended.slice(limit).filter((session) => session !== shown));
		this.#sessions = this.#sessions.filter((session) => !dropped.has(session));
		return [...dropped];
	}
}
