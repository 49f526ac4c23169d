// Resource hooks without promise hooks, which alone would cost more than all the rest. Three ways, by Node version; each is
// tried and tested on the spot, because versions do not tell what was ported back.
import { createHook, type HookCallbacks } from 'node:async_hooks';
import { PROMISE_HOOKS } from '../src/protocol/journal.ts';

export interface EnabledHook {
	disable(): void;
	/** The way that worked, as an index of PROMISE_HOOKS; 0 when none did. */
	way: number;
}

/**
 * Enables the hook so that promises fire no event, if that can be had. Call it at preload's top level only: the last
 * way aborts a process that is inside a promise continuation.
 */
export function enableWithoutPromises(callbacks: HookCallbacks, sawPromise: () => boolean): EnabledHook {
	// Node 24.21 and 26.10; older ones ignore the option.
	const options: HookCallbacks & { trackPromises: boolean } = { ...callbacks, trackPromises: false };
	const hook = createHook(options);
	const enabled = (name: (typeof PROMISE_HOOKS)[number]) => ({
		disable: () => hook.disable(),
		way: PROMISE_HOOKS.indexOf(name),
	});

	hook.enable();
	if (!promisesFire(sawPromise)) return enabled('trackPromises');
	hook.disable();
	const symbol = noPromiseHookSymbol();
	if (symbol !== undefined) {
		Object.assign(hook, { [symbol]: true });
		hook.enable();
		if (!promisesFire(sawPromise)) return enabled('kNoPromiseHook');
	}
	hook.enable();
	clearPromiseHooks();
	return enabled(promisesFire(sawPromise) ? 'on' : 'setPromiseHooks');
}

/** A promise made now: does the hook see it? `sawPromise` tells and forgets. */
function promisesFire(sawPromise: () => boolean): boolean {
	sawPromise();
	Promise.resolve();
	return sawPromise();
}

/** Node 22 skips promise hooks for a hook that carries an internal symbol; `enable` asks a stand-in for it by name. */
function noPromiseHookSymbol(): symbol | undefined {
	let symbol: symbol | undefined;
	const standIn = new Proxy(createHook({}), {
		get(target, key) {
			if (typeof key === 'symbol' && key.description === 'kNoPromiseHook') {
				symbol = key;
				return true;
			}
			return Reflect.get(target, key);
		},
	});
	standIn.enable.call(standIn);
	standIn.disable.call(standIn);
	return symbol;
}

/** Node 18 and 20: the binding that `enable` itself has just called. */
function clearPromiseHooks(): void {
	const { noDeprecation } = process;
	process.noDeprecation = true;
	try {
		const binding = (process as unknown as { binding(name: string): AsyncWrapBinding }).binding('async_wrap');
		const own = 3; // our init, before and after; more means that somebody else's hook wants its promises
		if (binding.async_hook_fields[binding.constants.kTotals] === own) {
			binding.setPromiseHooks(undefined, undefined, undefined, undefined);
		}
	} finally {
		if (noDeprecation === undefined) delete process.noDeprecation;
		else process.noDeprecation = noDeprecation;
	}
}

/** What we use of lib/internal/async_hooks.js' binding. */
interface AsyncWrapBinding {
	async_hook_fields: Record<number, number>;
	constants: { kTotals: number };
	setPromiseHooks(init: undefined, before: undefined, after: undefined, settled: undefined): void;
}
