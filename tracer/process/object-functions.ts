// Functions of `Object` and `Reflect`, taken while the tracer is loaded: a program may replace them later.
export const { defineProperty, getOwnPropertyDescriptor, getOwnPropertySymbols, getPrototypeOf } = Object;
/** Returns whether it succeeded, where that of `Object` throws. */
export const { defineProperty: tryToDefine } = Reflect;
