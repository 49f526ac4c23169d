// Whether anyone but Node has turned on a hook of async_hooks, which would see each promise of ours. Only `enable`
// turns one on, a method that every hook inherits: an accessor in its place returns the same function and shows who
// reads it. Node's own hooks (those of AsyncLocalStorage, `domain` and its test runner) pass nothing of what they see
// on to the program.

import { createHook } from 'node:async_hooks';
import { getPrototypeOf } from './object-functions.ts';
import { readStack } from './own-realm.ts';
import { watchReads } from './watch-reads.ts';

/** Turns on its hook when it is loaded. */
const DOMAIN = 'node:domain';

const prototype = getPrototypeOf(createHook({})) as object;

export interface OtherHooks {
	/** Whether one was ever turned on. */
	readonly areThere: boolean;
	/** Stops watching. */
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
	// `enable` cannot be watched, so assume that there is one.
	else state.areThere = true;
	return state;
}

/** The script that reads the property; an empty string where that is unknown. */
function callerOf(getter: () => unknown): string {
	try {
		return readStack(scriptOf, 1, getter) ?? '';
	} catch {
		// No stack is left to read it.
		return '';
	}
}

function scriptOf(_holder: object, { 0: caller }: NodeJS.CallSite[]): string {
	return caller?.getScriptNameOrSourceURL() ?? '';
}
