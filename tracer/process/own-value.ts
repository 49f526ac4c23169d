// Reads objects of libraries without calling any code of theirs.

import { isProxy } from './node-functions.ts';
import { getOwnPropertyDescriptor } from './object-functions.ts';

/** The value of an object's own property; undefined where reading it could call the program. */
export function ownValue(of: unknown, name: string | symbol): unknown {
	return isOrdinary(of) ? getOwnPropertyDescriptor(of, name)?.value : undefined;
}

/** Whether it is an object and no Proxy. */
export function isOrdinary(value: unknown): value is object {
	return isObject(value) && !isProxy(value);
}

export function isObject(value: unknown): value is object {
	return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
