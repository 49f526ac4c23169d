import path from 'node:path';

/** The bundle of src/host/engine-thread/engine-thread.ts, beside ours (esbuild.mjs). */
export const ENGINE_THREAD = path.join(__dirname, 'engine-thread.js');
