// The keys that Waitline puts into debug configurations.

/** Marks a configuration to be profiled; `waitline.debug` sets it. */
export const PROFILE_MARK = '__waitline';

/** The key under which an attach configuration carries what its program will get; see attach-tracer.ts. */
export const ATTACH_MARK = '__waitlineAttach';
