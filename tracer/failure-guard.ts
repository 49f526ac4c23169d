// Makes sure that no failure of the tracer reaches the program: each entry into the tracer goes through here, or, for the three hooks, does the same
// without a call (tracer/hooks.ts).
import { isOrdinary, ownValue } from './process/own-value.ts';
import type { Governor } from './run/governor.ts';
import { isInterrupting } from './sites/own-frames.ts';
import type { Guard } from './sources/port.ts';
import type { Upkeep } from './upkeep.ts';

/** The message of V8's error when there is no stack left. */
const STACK_OVERFLOW = 'Maximum call stack size exceeded';

/** Takes the tracer out of the program. @param isBroken whether the last record may be half written */
type TakeOut = (reason: string, isBroken?: boolean) => void;

export class FailureGuard {
	/** Whether the tracer does nothing: it has not begun yet, or has stopped. */
	isOver = true;
	/**
	 * Still true when a call begins: either the call before was ended in the middle, by the end of the stack or of a `vm`'s time, or a debugger
	 * interrupts it, and what the debugger evaluates starts something.
	 */
	isInside = false;
	/** Whether the hooks are off for a while (tracer/rests.ts). */
	private isResting = false;
	takeOut!: TakeOut;
	private readonly governor: Governor;
	private upkeep!: Upkeep;

	constructor(governor: Governor) {
		this.governor = governor;
	}

	/** From now on the tracer records. */
	begin(upkeep: Upkeep, takeOut: TakeOut): void {
		this.upkeep = upkeep;
		this.takeOut = takeOut;
		this.isOver = false;
	}

	/** From now on the tracer does nothing. */
	end(): void {
		this.isOver = true;
	}

	/** The hooks are off from now on ... */
	rest(): void {
		this.isResting = true;
	}

	/** ... and on again. */
	goOn(): void {
		this.isResting = false;
	}

	/** Calls `step` unless the tracer is over; what it throws takes the tracer out and goes no further. */
	readonly runSafely: Guard = (step) => {
		const { governor } = this;
		if (this.isOver) return;
		try {
			if (this.isInside && !this.canGoOn()) return;
			this.isInside = true;
			const began = governor.begin();
			step();
			governor.end(began);
			this.isInside = false;
		} catch (error) {
			this.onError(error);
		}
	};

	/** The same, but does nothing while the hooks are off. */
	readonly record: Guard = (step) => {
		if (!this.isResting) this.runSafely(step);
	};

	/** Whether a call may do something although the one before did not end. */
	canGoOn(): boolean {
		if (!isInterrupting()) {
			this.upkeep.mend();
			return true;
		}
		// The interrupted call continues afterwards, and must find everything as it left it.
		this.upkeep.drop();
		return false;
	}

	/** A call of the tracer threw `error`. @throws it when it is the program's own */
	onError(error: unknown): void {
		const message = messageOf(error);
		// The program's own stack ran out in our hook: V8 throws in the program as well.
		if (message === STACK_OVERFLOW) return;
		// Node calls hooks also while an error of the program's is pending, which then surfaces in the first native call.
		if (isOfOthers(error)) throw error;
		try {
			this.takeOut(`error: ${message}`, true);
		} catch {
			// The disk is full or the folder is gone: nothing can be written, nothing was harmed.
			this.end();
		}
	}
}

/** Whether code other than ours has thrown that: none of its frames is ours. An error without frames may be ours. */
function isOfOthers(error: unknown): boolean {
	const stack = ownValue(error, 'stack');
	if (typeof stack !== 'string') return !isOrdinary(error);
	return /^ {4}at /m.test(stack) && !stack.includes(__filename);
}

/** The message of an error, whatever the program throws. */
export function messageOf(error: unknown): string {
	return String(ownValue(error, 'message') ?? 'unknown');
}
