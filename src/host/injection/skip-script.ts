// Makes a debugger step over a script, as js-debug does with those that `skipFiles` names.
import type { Inspector } from './inspector.ts';

/** From its first line on. */
const WHOLE = [{ lineNumber: 0, columnNumber: 0 }];

/** What V8 says of a script that it has collected (v8/src/inspector/v8-debugger-agent-impl.cc). */
const COLLECTED = 'No script with passed id';

/**
 * Pause and steps do not stop in that script from now on. V8 collects a script once nothing in it can run any more: then there is nothing to skip.
 * @throws what the inspector answers otherwise
 */
export async function skipScript(inspector: Pick<Inspector, 'call'>, scriptId: string): Promise<void> {
	try {
		await inspector.call('Debugger.setBlackboxedRanges', { scriptId, positions: WHOLE });
	} catch (error) {
		if (!String(error).includes(COLLECTED)) throw error;
	}
}
