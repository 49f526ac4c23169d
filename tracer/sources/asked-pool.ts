// The size of libuv's pool, and what the program asks for too late.
import { poolSize } from '../../src/protocol/journal.ts';

/** The environment that libuv reads: a program may put an object of its own in its place later. */
const { env } = process;

export class AskedPool {
	private size = 0;
	private told = 0;
	private readonly tell: (size: number, wanted: number) => void;

	/** @param tell writes the two sizes into the journal */
	constructor(tell: (size: number, wanted: number) => void) {
		this.tell = tell;
	}

	/** Something is submitted to the pool: libuv reads the variable at the first time, which follows at once. */
	use(): void {
		if (this.size > 0) return;
		this.size = poolSize(env.UV_THREADPOOL_SIZE);
		this.look();
	}

	/** Tells what is asked for now, if that is something else. */
	look(): void {
		if (this.size === 0) return;
		const wanted = poolSize(env.UV_THREADPOOL_SIZE);
		if (wanted === this.told) return;
		this.told = wanted;
		this.tell(this.size, wanted);
	}

	/** Tells again, to a reader that knows nothing yet. */
	retell(): void {
		this.told = 0;
		this.look();
	}
}
