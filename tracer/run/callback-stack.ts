// The callbacks that run within each other: the innermost one, and those around it that continue after it.
import type { Operation } from '../operations/operation.ts';
import type { StartNode, Step } from '../sites/start-tree.ts';

/**
 * Marks a callback that is not the program's instead of its time: CARRIES for a carrier, TICKS for a tick, which is not
 * in the operations' table.
 */
export const CARRIES = -1;
export const TICKS = -2;

/** A callback within which another one runs. */
interface Frame {
	readonly operation: Operation;
	/** The async id that Node gave with the callback. */
	readonly id: number;
	/** µs since the journal began, CARRIES or TICKS. */
	readonly began: number;
	/** Where the predictor was in it, and what predicted it when it is a tick. */
	readonly nextNode: StartNode | null | undefined;
	readonly origin: Step | null;
}

export class CallbackStack {
	/** How many operations have their callbacks on the stack. */
	depth = 0;
	/** The innermost of them, with the async id that Node gave, and when it began: µs since the journal began, CARRIES or TICKS. */
	top: Operation;
	topId = 0;
	topBegan = 0;
	/** The callbacks around it, outermost first: as many as `depth` says, less one. */
	private readonly outer: Frame[] = [];

	/** @param main is in `top` until there is a callback */
	constructor(main: Operation) {
		this.top = main;
	}

	/** Whether the innermost callback is a tick. */
	get isInTick(): boolean {
		return this.depth > 0 && this.topBegan === TICKS;
	}

	/** Another callback is about to run within the innermost one. See `Frame`. */
	suspend(node: StartNode | null | undefined, origin: Step | null): void {
		const { top: operation, topId: id, topBegan: began } = this;
		this.outer[this.depth - 1] = { operation, id, began, nextNode: node, origin };
	}

	/** @param began µs since the journal began, CARRIES or TICKS */
	push(operation: Operation, id: number, began: number): void {
		this.depth++;
		this.top = operation;
		this.topId = id;
		this.topBegan = began;
	}

	/**
	 * A callback is over; `top` stays until `resume`, or the next callback.
	 * @returns whether it was on the stack
	 */
	leave(id: number): boolean {
		if (this.depth === 0 || (this.topId !== id && !this.unwind(id))) return false;
		this.depth--;
		return true;
	}

	/** The callback around the one that was left continues. */
	resume(): Frame {
		const frame = this.outer[this.depth - 1]!;
		this.top = frame.operation;
		this.topId = frame.id;
		this.topBegan = frame.began;
		return frame;
	}

	/**
	 * After an uncaught error that the program handles, Node calls `after` for every open callback.
	 * @returns whether this was one
	 */
	private unwind(id: number): boolean {
		let at = this.depth - 2;
		while (at >= 0 && this.outer[at]!.id !== id) at--;
		if (at < 0) return false;
		this.depth = at + 1;
		this.top = this.outer[at]!.operation;
		this.topBegan = this.outer[at]!.began;
		return true;
	}
}
