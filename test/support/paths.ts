// Where the tests find things. Every path is derived from this file's own place, so the repository can lie anywhere.
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** The built CLI, the product under test. */
export const cli = join(root, 'dist', 'cli.js');

/** Given to Node as `--require`, before what is started often: see there. */
export const compileCache = join(import.meta.dirname, 'compile-cache.cjs');

/** Programs with known answers, one or two per seed. */
export const labPrograms = join(root, 'test', 'lab', 'programs');

/** Programs that report whether they noticed the tracer. */
export const tracerPrograms = join(root, 'test', 'tracer', 'programs');
