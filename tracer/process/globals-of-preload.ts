// biome-ignore-all lint/suspicious/noShadowRestrictedNames: the names of the globals are what this is about.
// The globals that the part of the bundle uses which decides whether to start (preload.ts), as globals.ts for all the rest.
export const { Date, Error, Function, Number, Reflect, String, Symbol, process } = globalThis;
