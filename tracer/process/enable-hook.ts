// Turns our hook on in a way that the program does not notice: without promise events, which alone would cost more than
// all the rest, and without Node's callback trampoline, whose frame would stand at the end of every stack trace.
// async_hooks has no public switch for either on most versions; its own `enable` and `disable` have, when they are
// called on a stand-in.
import type { HookCallbacks } from 'node:async_hooks';
import { PROMISE_HOOKS } from '../../src/protocol/journal.ts';
import { isIteratorGone } from './array-iterator.ts';
import { createHook } from './node-functions.ts';
import { NODE_MAJOR } from './node-version.ts';

// Taken now: once the tracer watches who turns on a hook (tracer/process/other-hooks.ts), it must not take itself for one of the program's.
const { enable, disable } = createHook({});

export interface EnabledHook {
	disable(): void;
	/**
	 * Turns it on again, as it was before `disable`. Not from within a promise's continuation: on Node 18 and 20 the continuation would then end
	 * with a hook that did not see its begin.
	 */
	enable(): void;
	/** How promise events were kept away, as an index of PROMISE_HOOKS; 0 when they were not. */
	way: number;
}

/**
 * Enables the hook.
 * @param sawPromise returns whether the hook has seen a promise since the previous call
 * @param isAttached whether the program runs already: the way of Node 18 and 20 would abort a process that is inside a promise
 *   continuation
 */
export function enableHook(callbacks: HookCallbacks, sawPromise: () => boolean, isAttached: boolean): EnabledHook {
	const trackPromises = needsPromiseIds();
	// Node 24.21 and 26.10 know the option; older ones ignore it.
	const options: HookCallbacks & { trackPromises: boolean } = { ...callbacks, trackPromises };
	const hook = createHook(options);
	const way = trackPromises ? 'on' : markWithoutPromises(hook);
	const turnOn = () => {
		Reflect.apply(enable, hook, []);
		removeTrampoline();
		if (way === 'setPromiseHooks' && !isAttached) clearPromiseHooks();
	};
	turnOn();
	return {
		disable: () => {
			if (mayDisable()) Reflect.apply(disable, hook, []);
		},
		enable: turnOn,
		way: promisesFire(sawPromise) ? 0 : PROMISE_HOOKS.indexOf(way),
	};
}

/**
 * Whether a hook can be turned off: Node 18 and 20 then go through an array in a microtask of its own, and what that throws ends the program. A hook
 * that stays on does nothing.
 */
export function mayDisable(): boolean {
	return NODE_MAJOR > 20 || !isIteratorGone();
}

/**
 * With `--unhandled-rejections=strict`, Node releases of 2024 and 2025 (20.19 for one) abort after a rejection that the
 * program has handled, when there is a hook and promises have no ids: nodejs/node#52108 introduced that, and #60103
 * fixed it.
 */
function needsPromiseIds(): boolean {
	const options = [...process.execArgv, process.env.NODE_OPTIONS].join(' ');
	return /--unhandled[-_]rejections[= ]strict/.test(options);
}

/** From Node 22 on a hook with a certain internal symbol leaves V8's promise hooks alone, if it has it before `enable`. */
function markWithoutPromises(hook: object): (typeof PROMISE_HOOKS)[number] {
	const symbol = noPromiseHookSymbol();
	if (symbol === undefined) return 'setPromiseHooks';
	if (Reflect.get(hook, symbol) === true) return 'trackPromises';
	Object.assign(hook, { [symbol]: true });
	return 'kNoPromiseHook';
}

function noPromiseHookSymbol(): symbol | undefined {
	let symbol: symbol | undefined;
	const standIn = new StandIn((key) => {
		if (key.description === 'kNoPromiseHook') symbol = key;
	});
	standIn.enable();
	standIn.disable();
	return symbol;
}

/** Makes a promise now: does the hook see it? */
function promisesFire(sawPromise: () => boolean): boolean {
	sawPromise();
	program.Promise.resolve();
	return sawPromise();
}

/** Our callbacks. */
const claimed = ['init', 'before', 'after'];

/**
 * Sets the trampoline again for the module `domain`, which enters a domain for native callbacks in it. With our hook
 * alone the count goes down to zero and up again, at which Node sets it.
 */
export function restoreTrampoline(): void {
	const standIn = new StandIn();
	standIn.enable();
	standIn.disable(claimed);
	standIn.enable(claimed);
	standIn.disable();
}

/**
 * Node calls callbacks through `callbackTrampoline` while async_hooks are in use, and natively, with the same hooks,
 * when it has none; it takes the trampoline away when the count of callbacks falls to zero and sets it when that rises
 * from zero. So: down to zero with a stand-in that claims our callbacks, one below, and up again past zero. Where
 * another hook is active the count never comes to zero, and everything stays as it was.
 */
function removeTrampoline(): void {
	const down = new StandIn();
	down.enable();
	down.disable(claimed);
	down.enable();
	down.disable(['init']);
	const up = new StandIn();
	up.enable(claimed);
	up.disable();
	up.enable(['init']);
	up.disable();
}

/** Passes for a hook in `AsyncHook`'s methods: it claims to have callbacks only while they count them. */
class StandIn {
	private claims: readonly string[] = [];
	private readonly hook: ReturnType<typeof createHook>;

	constructor(onKey?: (key: symbol) => void) {
		this.hook = new Proxy(createHook({}), {
			get: (target, key) => {
				if (typeof key !== 'symbol') return Reflect.get(target, key);
				onKey?.(key);
				const { description = '' } = key;
				return description === 'kNoPromiseHook' || this.claims.includes(description) || undefined;
			},
		});
	}

	enable(claims: readonly string[] = []): void {
		this.claims = claims;
		Reflect.apply(enable, this.hook, []);
		this.claims = [];
	}

	disable(claims: readonly string[] = []): void {
		this.claims = claims;
		Reflect.apply(disable, this.hook, []);
		this.claims = [];
	}
}

/** Node 18 and 20: the binding that `enable` itself has just called. */
function clearPromiseHooks(): void {
	const { noDeprecation } = process;
	// With `--no-deprecation` it is true already, and cannot be set.
	if (!noDeprecation) process.noDeprecation = true;
	try {
		const binding = (process as unknown as { binding(name: string): AsyncWrapBinding }).binding('async_wrap');
		const own = 3; // our init, before and after; more means that another hook wants its promises
		if (binding.async_hook_fields[binding.constants.kTotals] === own) {
			binding.setPromiseHooks(undefined, undefined, undefined, undefined);
		}
	} finally {
		if (noDeprecation === undefined) delete process.noDeprecation;
		else if (!noDeprecation) process.noDeprecation = noDeprecation;
	}
}

/** The part of lib/internal/async_hooks.js' binding that we use. */
interface AsyncWrapBinding {
	async_hook_fields: Record<number, number>;
	constants: { kTotals: number };
	setPromiseHooks(init: undefined, before: undefined, after: undefined, settled: undefined): void;
}
