// Functions of `Object` and `Reflect`, by short names.
export const { assign, defineProperty, getOwnPropertyDescriptor, getOwnPropertySymbols, getPrototypeOf } = Object;
/** Returns whether it succeeded, where that of `Object` throws. */
export const { defineProperty: tryToDefine } = Reflect;
