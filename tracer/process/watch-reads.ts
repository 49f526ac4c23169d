// Notices when a program reads a method of one of Node's classes, without replacing the method: an accessor in its
// place calls us and returns the same function. A program that assigns to the name gets an ordinary property.
import { defineValue, getOwnPropertyDescriptor, tryToDefine } from './object-functions.ts';

/**
 * @param prototype the object that has the method as its own
 * @param onRead called at each read of the property `of` an object; a stack that it reads begins at `getter`. It must not throw. What it
 * returns is read instead of the method; undefined for the method
 * @returns a function that puts the ordinary property back; null where the method cannot be watched
 */
export function watchReads(
	prototype: object,
	name: string,
	onRead: (getter: () => unknown, of: object) => unknown,
): (() => void) | null {
	const descriptor = getOwnPropertyDescriptor(prototype, name);
	if (descriptor?.configurable !== true || typeof descriptor.value !== 'function') return null;
	const { value, enumerable = false } = descriptor;
	function get(this: object): unknown {
		return onRead(get, this) ?? value;
	}
	/** Behaves as an assignment does where there is no accessor. */
	function set(this: object, replacement: unknown): void {
		const isOwn = this === prototype;
		defineValue(this, name, replacement, isOwn ? enumerable : true);
	}
	tryToDefine(prototype, name, { get, set, enumerable, configurable: true });
	const weakly = new WeakRef(prototype);
	return () => {
		const ours = weakly.deref();
		if (ours !== undefined && getOwnPropertyDescriptor(ours, name)?.get === get) tryToDefine(ours, name, descriptor);
	};
}
