// biome-ignore-all lint/suspicious/noShadowRestrictedNames: the names of the globals are what this is about.
// The built-ins of the tracer's own realm (tracer/realm.ts), and what the program has in its.
// A global that a V8 flag has taken away is undefined, and its users have to check.
export const {
	Array,
	Atomics,
	DataView,
	Date,
	Error,
	Float64Array,
	Function,
	Int32Array,
	Map,
	Math,
	Number,
	Object,
	Proxy,
	Reflect,
	Set,
	SharedArrayBuffer,
	String,
	Symbol,
	Uint8Array,
	WeakMap,
	WeakRef,
	WeakSet,
	encodeURI,
} = globalThis;
export const { process } = program;
