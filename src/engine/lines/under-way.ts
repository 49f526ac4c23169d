// What a line has under way: how many operations at one time, and for how much wall time at least one.
import { WallTime } from '../common/wall-time.ts';

export class UnderWay {
	private count = 0;
	/** The most operations at one time between their start and the end of their callback. */
	most = 0;
	/** `most` before the latest operation began. */
	private mostBefore = 0;
	/** The time in which at least one was under way, in µs of the thread. */
	wall = new WallTime();

	/** An operation begins. @returns whether there are more than ever before */
	begin(): boolean {
		this.mostBefore = this.most;
		if (++this.count <= this.most) return false;
		this.most = this.count;
		return true;
	}

	/** The operation that has begun last has not begun yet. */
	withdraw(): void {
		this.count--;
		this.most = this.mostBefore;
	}

	/** An operation that had begun is over. */
	end(): void {
		this.count--;
	}

	/** How many were under way at one time. */
	saw(count: number): void {
		this.most = Math.max(this.most, count);
	}

	/** The figures of a stretch of time begin. */
	beginPart(): void {
		this.most = this.count;
		this.wall = new WallTime();
	}

	/** Forgets a sum. */
	empty(): void {
		this.most = 0;
		this.wall = new WallTime();
	}

	/** The same as this has, to go on from. */
	copy(): UnderWay {
		const copy = new UnderWay();
		copy.count = this.count;
		copy.most = this.most;
		copy.mostBefore = this.mostBefore;
		copy.wall.addAll(this.wall);
		return copy;
	}
}
