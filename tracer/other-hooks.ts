// Whether somebody else than Node has turned a hook of async_hooks on: that one would hear of each promise of ours. Only `enable` does so, a
// method that every hook inherits: as an accessor it returns the same function and tells who asks for it. Node's own hooks (those of
// AsyncLocalStorage, `domain` and its test runner) tell the program nothing of what they hear.
import { createHook } from 'node:async_hooks';
import { readStack } from './own-realm.ts';

const prototype = Object.getPrototypeOf(createHook({})) as object;

export interface OtherHooks {
	/** Whether one was turned on, ever. */
	readonly areThere: boolean;
	/** Hears no more. */
	unwatch(): void;
}

/** Watches from now on. @param areThere whether one is on already */
export function watchOtherHooks(areThere: boolean): OtherHooks {
	const state = { areThere, unwatch: () => undefined as unknown };
	const descriptor = Object.getOwnPropertyDescriptor(prototype, 'enable');
	if (descriptor?.configurable !== true || typeof descriptor.value !== 'function') {
		// Nobody can tell then.
		state.areThere = true;
		return state;
	}
	const { value, enumerable = false } = descriptor;
	function get(): unknown {
		if (!state.areThere) state.areThere = !isCalledByNode(get);
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

/** Whether a script of Node's own reads the property. */
function isCalledByNode(getter: () => unknown): boolean {
	try {
		return readStack(isNodes, 1, getter) === true;
	} catch {
		// No stack is left to look at it: then nobody can tell.
		return false;
	}
}

function isNodes(_holder: object, [caller]: NodeJS.CallSite[]): boolean {
	return caller?.getScriptNameOrSourceURL()?.startsWith('node:') === true;
}
