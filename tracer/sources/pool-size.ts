// The size of libuv's pool, and the size that the program asks for once it is too late.
import { poolSize } from '../../src/protocol/journal.ts';

/** The environment that libuv reads: a program may put an object of its own in its place later. */
const { env } = process;

export class PoolSize {
	private size = 0;
	/** The size asked for that the journal has; 0 when it has none. */
	private writtenSize = 0;
	private readonly write: (size: number, wanted: number) => void;

	/** @param write writes the two sizes into the journal */
	constructor(write: (size: number, wanted: number) => void) {
		this.write = write;
	}

	/** Something is submitted to the pool: libuv reads the variable at the first time, which follows at once. */
	use(): void {
		if (this.size > 0) return;
		this.size = poolSize(env.UV_THREADPOOL_SIZE);
		this.look();
	}

	/** Writes what is asked for now, if that is something else. */
	look(): void {
		if (this.size === 0) return;
		const wanted = poolSize(env.UV_THREADPOOL_SIZE);
		if (wanted === this.writtenSize) return;
		this.writtenSize = wanted;
		this.write(this.size, wanted);
	}

	/** Writes both sizes again, for a reader that knows nothing yet. */
	restate(): void {
		this.writtenSize = 0;
		this.look();
	}
}
