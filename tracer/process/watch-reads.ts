// Learns when a program asks a class of Node's for one of its methods, without replacing the method: an accessor stands in its place, calls us,
// and returns the same function. A program that assigns to the name gets an ordinary property.
import { defineProperty, getOwnPropertyDescriptor, tryToDefine } from './object-functions.ts';

/**
 * @param prototype whose own method it is
 * @param onRead called at each read; `getter` is where a stack that it reads begins. It must not throw
 * @returns a function that puts the ordinary property back; null where nothing can be watched
 */
export function watchReads(
	prototype: object,
	name: string,
	onRead: (getter: () => unknown) => void,
): (() => void) | null {
	const descriptor = getOwnPropertyDescriptor(prototype, name);
	if (descriptor?.configurable !== true || typeof descriptor.value !== 'function') return null;
	const { value, enumerable = false } = descriptor;
	function get(): unknown {
		onRead(get);
		return value;
	}
	/** As an assignment does where there is no accessor. */
	function set(this: object, replacement: unknown): void {
		const isOwn = this === prototype;
		const own = { value: replacement, writable: true, configurable: true, enumerable: isOwn ? enumerable : true };
		tryToDefine(this, name, own);
	}
	defineProperty(prototype, name, { get, set, enumerable, configurable: true });
	return () => {
		if (getOwnPropertyDescriptor(prototype, name)?.get === get) {
			defineProperty(prototype, name, descriptor);
		}
	};
}
