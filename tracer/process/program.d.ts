/** The program's global object, in the bundles of the tracer. */
declare const program: typeof globalThis;
