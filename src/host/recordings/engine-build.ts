// Which engine this is.

/** A digest of the sources of engine, host and protocol, which the build puts in (esbuild.mjs). */
declare const WAITLINE_ENGINE: string | undefined;

/** Two that are equal make the same report of the same bytes. */
export const ENGINE_BUILD = typeof WAITLINE_ENGINE === 'undefined' ? 'not built' : WAITLINE_ENGINE;
