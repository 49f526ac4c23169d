// Functions of `Object` and `Reflect`, by short names.
export const { assign, defineProperty, getOwnPropertyDescriptor, getOwnPropertySymbols, getPrototypeOf } = Object;
/** Returns whether it succeeded, where that of `Object` throws. */
export const { defineProperty: tryToDefine } = Reflect;

/** Gives an object a property as an assignment does where it has none of that name. @returns whether it succeeded */
export function defineValue(of: object, name: string, value: unknown, enumerable = true): boolean {
	return tryToDefine(of, name, { value, writable: true, enumerable, configurable: true });
}
