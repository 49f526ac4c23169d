// Looks for the tracer's own calls on the stack.
import { readStack } from '../process/own-realm.ts';

/** What a debugger evaluates has its own frames above the call that it interrupts: expressions call no deeper. */
const DEPTH = 100;

/**
 * Whether a call of the tracer stands further down the stack, below frames of others: a debugger interrupts it, and what that evaluates
 * runs now. A capture that stands there must be made again.
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

/** As V8 writes it while it reads another stack, when it asks nobody. */
function asText(_holder: object, frames: NodeJS.CallSite[]): string {
	return ['Error', ...frames.map((frame) => `    at ${frame}`)].join('\n');
}
