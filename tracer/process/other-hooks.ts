// Whether somebody else than Node has turned a hook of async_hooks on: that one would hear of each promise of ours. Only `enable` does so, a
// method that every hook inherits: as an accessor it returns the same function and tells who asks for it. Node's own hooks (those of
// AsyncLocalStorage, `domain` and its test runner) tell the program nothing of what they hear.

import { createHook } from 'node:async_hooks';
import { getPrototypeOf } from './object-functions.ts';
import { readStack } from './own-realm.ts';
import { watchReads } from './watch-reads.ts';

/** Its hook is turned on when it is loaded. */
const DOMAIN = 'node:domain';

const prototype = getPrototypeOf(createHook({})) as object;

export interface OtherHooks {
	/** Whether one was turned on, ever. */
	readonly areThere: boolean;
	/** Hears no more. */
	unwatch(): void;
}

/**
 * Watches from now on.
 * @param areThere whether one is on already
 * @param onDomain is called before the hook of the module `domain` is turned on
 */
export function watchOtherHooks(areThere: boolean, onDomain: () => void): OtherHooks {
	const state = { areThere, unwatch: () => undefined as unknown };
	const unwatch = watchReads(prototype, 'enable', (getter) => {
		const caller = callerOf(getter);
		if (caller === DOMAIN) onDomain();
		else if (!caller.startsWith('node:')) state.areThere = true;
	});
	if (unwatch !== null) state.unwatch = unwatch;
	// Nobody can tell then.
	else state.areThere = true;
	return state;
}

/** The script that reads the property; an empty string where nobody can tell. */
function callerOf(getter: () => unknown): string {
	try {
		return readStack(scriptOf, 1, getter) ?? '';
	} catch {
		// No stack is left to look at it.
		return '';
	}
}

function scriptOf(_holder: object, { 0: caller }: NodeJS.CallSite[]): string {
	return caller?.getScriptNameOrSourceURL() ?? '';
}
