// The size of libuv's pool, and a size that the program sets in its environment once that is too late.
import { poolSize } from '../../src/protocol/journal.ts';
import { isWindows } from '../process/platform.ts';

/** The environment that libuv reads: a program may replace `process.env` later. */
const { env, versions } = process;
const atStart = env.UV_THREADPOOL_SIZE;
/** On Windows libuv before 1.52 asks the C runtime, which keeps the environment that the process was started with (src/threadpool.c). */
const isFixed = isWindows && Number(versions.uv.split('.')[1]) < 52;

function sizeNow(): number {
	return poolSize(isFixed ? atStart : env.UV_THREADPOOL_SIZE);
}

export class PoolSize {
	private size = 0;
	/** The size set later that the journal already has; 0 when it has none. */
	private writtenSize = 0;
	private readonly write: (size: number, wanted: number) => void;

	/** @param write writes the two sizes into the journal */
	constructor(write: (size: number, wanted: number) => void) {
		this.write = write;
		// A Worker has a copy of the environment and cannot know: the main thread's size is in its journal before that of any Worker.
		if (isFixed) this.use();
	}

	/** Something is submitted to the pool: libuv reads the variable right afterwards, the first time. */
	use(): void {
		if (this.size > 0) return;
		this.size = sizeNow();
		this.restate();
	}

	/** Work of an add-on starts, which may be the first that is submitted to the pool; until something surely is, the size may still change. */
	mayUse(): void {
		const size = sizeNow();
		if (this.size > 0 || size === this.writtenSize) return;
		this.writtenSize = size;
		this.write(size, size);
	}

	/** Writes the size that the environment names now, if it has changed. */
	look(): void {
		if (this.size === 0) return;
		const wanted = poolSize(env.UV_THREADPOOL_SIZE);
		if (wanted === this.writtenSize) return;
		this.writtenSize = wanted;
		this.write(this.size, wanted);
	}

	/** Writes both sizes again, for a reader of a new generation. */
	restate(): void {
		this.writtenSize = 0;
		this.look();
	}
}
