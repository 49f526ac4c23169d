// Looks for the tracer's own calls on the stack.
import { borrowError, giveErrorBack } from './borrowed-error.ts';

/** What a debugger evaluates has its own frames above the call that it interrupts: expressions call no deeper. */
const DEPTH = 100;

/**
 * Whether a call of the tracer stands further down the stack, below frames of others: a debugger interrupts it, and what that evaluates
 * runs now. A capture that stands there must be made again.
 */
export function isInterrupting(): boolean {
	const holder: { stack?: unknown } = {};
	borrowError(holder);
	try {
		Error.stackTraceLimit = DEPTH;
		// As a text it can be had also while another stack is being read.
		Reflect.set(Error, 'prepareStackTrace', undefined);
		Error.captureStackTrace(holder);
		const areOwn = String(holder.stack)
			.split('\n')
			.slice(1)
			.map((frame) => frame.includes(__filename));
		const others = areOwn.indexOf(false);
		return others !== -1 && areOwn.includes(true, others);
	} finally {
		giveErrorBack();
	}
}
