// Whether somebody else than Node has turned a hook of async_hooks on: that one would hear of each promise of ours. Only `enable` does so, a
// method that every hook inherits: as an accessor it returns the same function and tells who asks for it. Node's own hooks (those of
// AsyncLocalStorage, `domain` and its test runner) tell the program nothing of what they hear.
import { createHook } from 'node:async_hooks';
import { readStack } from './own-realm.ts';

/** Its hook is turned on when it is loaded. */
const DOMAIN = 'node:domain';

const prototype = Object.getPrototypeOf(createHook({})) as object;

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
	const descriptor = Object.getOwnPropertyDescriptor(prototype, 'enable');
	if (descriptor?.configurable !== true || typeof descriptor.value !== 'function') {
		// Nobody can tell then.
		state.areThere = true;
		return state;
	}
	const { value, enumerable = false } = descriptor;
	function get(): unknown {
		const caller = callerOf(get);
		if (caller === DOMAIN) onDomain();
		else if (!caller.startsWith('node:')) state.areThere = true;
		return value;
	}
	/** As an assignment does where there is no accessor. */
	function set(this: object, replacement: unknown): void {
		const isOwn = this === prototype;
		const own = { value: replacement, writable: true, configurable: true, enumerable: isOwn ? enumerable : true };
		Reflect.defineProperty(this, 'enable', own);
	}
	Object.defineProperty(prototype, 'enable', { get, set, enumerable, configurable: true });
	state.unwatch = () => {
		if (Object.getOwnPropertyDescriptor(prototype, 'enable')?.get === get) {
			Object.defineProperty(prototype, 'enable', descriptor);
		}
	};
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

function scriptOf(_holder: object, [caller]: NodeJS.CallSite[]): string {
	return caller?.getScriptNameOrSourceURL() ?? '';
}
