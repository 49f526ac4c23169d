// The iterator of the program's arrays, which Node itself uses in some functions: they throw once a program has taken it away.
import { getOwnPropertyDescriptor } from './object-functions.ts';

const iteratorNow = (): unknown => getOwnPropertyDescriptor(program.Array.prototype, Symbol.iterator)?.value;
const original = iteratorNow();

/** Whether the program has changed it. */
export const isIteratorGone = (): boolean => iteratorNow() !== original;
