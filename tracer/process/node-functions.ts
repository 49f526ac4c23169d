// Functions of Node's modules, taken while the tracer is loaded: a program may replace them later (mocks do). By default imports, whose modules the
// build loads with a plain `require` (plainModulesOfNode in esbuild.mjs).
import hooks from 'node:async_hooks';
import fs from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import perf from 'node:perf_hooks';
import url from 'node:url';
import util from 'node:util';

export const { AsyncResource, createHook, executionAsyncId, executionAsyncResource } = hooks;
export const {
	closeSync,
	existsSync,
	fstatSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	readSync,
	statSync,
	writeSync,
} = fs;
export const { findSourceMap } = module;
export const { basename, join } = path;
export const { performance, PerformanceObserver } = perf;
export const { fileURLToPath } = url;
export const { isPromise, isProxy } = util.types;
