// Searches the stack for the tracer's own calls.
import { readStack } from '../process/stacks.ts';

/**
 * What a debugger evaluates has its own frames above the call that it interrupts: evaluated expressions go no deeper.
 */
const DEPTH = 100;

/**
 * Whether a call of the tracer is further down the stack, below frames of others: a debugger has interrupted it, and
 * what the debugger evaluates runs now. A capture that was interrupted must be repeated.
 */
export function isInterrupting(): boolean {
	const text = readStack(asText, DEPTH, isInterrupting);
	const areOwn = String(text)
		.split('\n')
		.slice(1)
		.map((frame) => frame.includes(__filename));
	const others = areOwn.indexOf(false);
	return others !== -1 && areOwn.includes(true, others);
}

/** The stack as V8 writes it when no function formats it, while it is reading another stack. */
function asText(_holder: object, frames: NodeJS.CallSite[]): string {
	return ['Error', ...frames.map((frame) => `    at ${frame}`)].join('\n');
}
