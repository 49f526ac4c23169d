// The realm in which the tracer runs: with built-ins of its own. What the program does to its built-ins (replaces, watches or freezes their methods,
// puts setters on `Object.prototype`, takes iterators away) it does to its own, and it hears of nothing that the tracer does with these.
import { constants, createContext, runInContext } from 'node:vm';

type Start = typeof import('./start.ts');

/** What is built of tracer/start.ts: a function without any name from outside (`oneScope` in esbuild.mjs). */
type Code = (require: NodeJS.Require, program: typeof globalThis, file: string) => Start;

const { toString: textOf } = Function.prototype;

/** Compiles the tracer in a new realm and runs it there. */
export function runInOwnRealm(code: Code): Start {
	// A context without the interceptors of a sandbox, where Node has that (from 20.18 and 22.8).
	const sandbox: object = (constants as unknown as { DONT_CONTEXTIFY?: object } | undefined)?.DONT_CONTEXTIFY ?? {};
	const context = createContext(sandbox, { name: 'waitline' });
	const text = `(${Reflect.apply(textOf, code, [])})`;
	return (runInContext(text, context, { filename: __filename }) as Code)(require, globalThis, __filename);
}
