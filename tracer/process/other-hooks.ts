// Whether anyone but Node has turned on a hook that would see each promise of ours.
//
// For a hook of async_hooks: only `enable` turns one on, a method that every hook inherits. An accessor in its place
// returns the same function and shows who reads it. Node's own hooks (those of AsyncLocalStorage and its test
// runner) pass nothing of what they see on to the program. That of `domain` gives each promise the domain: one of ours would keep
// it alive, and all that belongs to it.
//
// For a hook of `v8.promiseHooks`: accessors take the place of the functions there, but only once the program has loaded
// 'v8': most programs never do, and loading it would take as much memory as all the rest of the tracer. On Node 18 and
// 20 a hook that was turned on before that gives itself away: with it, our own hook sees the program's promises. But
// that happens with Node's own hooks, too, so it proves nothing where one of these is on.

import { createHook } from './node-functions.ts';
import { getPrototypeOf } from './object-functions.ts';
import { readStack } from './stacks.ts';
import { watchReads } from './watch-reads.ts';

/** Turns on its hook when it is loaded. */
const DOMAIN = 'node:domain';
/** Node's entry for the module 'v8' in its list of loaded ones. */
const V8 = 'NativeModule v8';
const PROMISE_HOOKS = ['createHook', 'onInit', 'onBefore', 'onAfter', 'onSettled'];

const prototype = getPrototypeOf(createHook({})) as object;
// Taken now: the program may hide or replace them later.
const { getBuiltinModule } = process as Partial<typeof process>;
const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] };

export interface OtherHooks {
	/** Whether one was ever turned on. */
	readonly areThere: boolean;
	/** Looks whether the program has loaded 'v8' since. @param sawPromise whether our own hook has ever seen a promise */
	look(sawPromise: boolean): void;
	/** Stops watching. */
	unwatch(): void;
}

/**
 * Watches from now on.
 * @param areThere whether one is on already
 * @param onDomain is called before the hook of the module `domain` is turned on
 */
export function watchOtherHooks(areThere: boolean, onDomain: () => void): OtherHooks {
	const watches: (() => void)[] = [];
	let modules = 0;
	let isV8Loaded = false;
	/** Whether one of Node's own hooks was turned on. */
	let hasNodes = false;
	const watch = (holder: object, name: string) => {
		const unwatch = watchReads(holder, name, (getter) => {
			const caller = callerOf(getter);
			if (caller === DOMAIN) onDomain();
			if (caller === DOMAIN || !caller.startsWith('node:')) state.areThere = true;
			else hasNodes = true;
		});
		if (unwatch !== null) watches.push(unwatch);
		// The function cannot be watched, so assume that it is in use.
		else state.areThere = true;
	};
	const state = {
		areThere,
		look(sawPromise: boolean) {
			while (!isV8Loaded && modules < moduleLoadList.length) {
				if (moduleLoadList[modules++] !== V8) continue;
				isV8Loaded = true;
				const hooks = (getBuiltinModule?.('node:v8') as { promiseHooks?: object } | undefined)?.promiseHooks;
				if (hooks !== undefined) for (let at = 0; at < PROMISE_HOOKS.length; at++) watch(hooks, PROMISE_HOOKS[at]!);
			}
			if (isV8Loaded && sawPromise && !hasNodes) state.areThere = true;
		},
		unwatch() {
			for (let at = 0; at < watches.length; at++) watches[at]!();
		},
	};
	watch(prototype, 'enable');
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
