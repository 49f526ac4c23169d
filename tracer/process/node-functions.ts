// Functions of Node's modules, taken while the tracer is loaded: a program may replace them later (mocks do).
// By `require`, and not by default imports: for those esbuild would put a wrapper around each module into the bundle.
export const { AsyncResource, executionAsyncResource } =
	require('node:async_hooks') as typeof import('node:async_hooks');
export const { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, writeSync } =
	require('node:fs') as typeof import('node:fs');
export const { findSourceMap } = require('node:module') as typeof import('node:module');
export const { basename, join } = require('node:path') as typeof import('node:path');
export const { fileURLToPath } = require('node:url') as typeof import('node:url');
export const { isPromise, isProxy } = (require('node:util') as typeof import('node:util')).types;
