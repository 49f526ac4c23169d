// Loaded before each test file: what it imports is compiled, and its types are taken out, once for all files that import it. Programs that
// it starts do not use that.
import * as modules from 'node:module';
import { join } from 'node:path';
import { root } from './paths.ts';

/** Of Node 22.8; the types are of an older Node. */
const { enableCompileCache } = modules as typeof modules & { enableCompileCache(folder: string): unknown };

enableCompileCache(join(root, 'test', 'out', 'compile-cache'));
