// biome-ignore-all lint/suspicious/noShadowRestrictedNames: the names of the globals are what this is about.
// The globals that the tracer uses, taken while it is loaded, before the program runs. A program may hide, replace or freeze any of them
// later: a test that plays a browser sets `process` to undefined, fake timers replace `Date`. The build puts these in the place of the globals
// (`inject` in esbuild.mjs), and test/unit/bundles.test.ts finds one that is missing here.
// What a V8 flag has taken away is undefined, and whoever uses it has to ask.
export const {
	Array,
	Atomics,
	Buffer,
	Date,
	Error,
	Float64Array,
	Function,
	Int32Array,
	Map,
	Math,
	Number,
	Object,
	Promise,
	Proxy,
	Reflect,
	Set,
	SharedArrayBuffer,
	String,
	Symbol,
	URL,
	WeakMap,
	WeakRef,
	WeakSet,
	decodeURIComponent,
	encodeURI,
	process,
} = globalThis;
