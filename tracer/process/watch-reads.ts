// Notices when a program reads a method of one of Node's classes, without replacing the method: an accessor in its
// place calls us and returns the same function. A program that assigns to the name gets an ordinary property.
import { defineProperty, getOwnPropertyDescriptor, tryToDefine } from './object-functions.ts';

/**
 * @param prototype the object that has the method as its own
 * @param onRead called at each read of the property `of` an object; a stack that it reads begins at `getter`. It must not throw
 * @returns a function that puts the ordinary property back; null where the method cannot be watched
 */
export function watchReads(
	prototype: object,
	name: string,
	onRead: (getter: () => unknown, of: object) => void,
): (() => void) | null {
	const descriptor = getOwnPropertyDescriptor(prototype, name);
	if (descriptor?.configurable !== true || typeof descriptor.value !== 'function') return null;
	const { value, enumerable = false } = descriptor;
	function get(this: object): unknown {
		onRead(get, this);
		return value;
	}
	/** Behaves as an assignment does where there is no accessor. */
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
