// Loaded before each test file, and before each start of the command line tool: what it loads is compiled, and its types are taken out, once for all. It is no
// TypeScript itself, since to take out types Node first loads what does that. Programs that a test or the tool starts do not use the cache.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

enableCompileCache(join(__dirname, '..', 'out', 'compile-cache'));
