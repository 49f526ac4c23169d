// A program must not notice Waitline, whatever kind of program it is: small ones of every kind, each run bare and with the tracer on every Node. What is
// compared is what they print, and how they end. `harmless.test.ts` does the same with whole programs, through the command line.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tracedEnvironment } from '../../src/host/injection/environment.ts';
import { JOURNAL_SUFFIX, LEASE_FILE } from '../../src/protocol/journal.ts';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { root, tracerPrograms } from '../support/paths.ts';
import { execute, type Outcome } from '../support/process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';

interface Kind {
	what: string;
	/** The program, after `say` (prints a line) and `work` (starts some of each operation, and calls back) are there. */
	code?: string;
	/** In place of `code`: all of the command after `node`, in which FOLDER is a folder of its own. */
	command?: string[];
	/** Node's options. */
	options?: string[] | ((major: number) => string[]);
	/** Its extension; `cjs` where this is not given. */
	type?: 'mjs';
	input?: string;
	env?: Record<string, string>;
	/** Something that the bare program prints, so that one that fails to do its thing does not pass for a comparison. */
	says: RegExp;
	/** How the bare program ends; 0 where this is not given. */
	ends?: number | NodeJS.Signals;
	/** The oldest Node that has what it uses, and the newest. */
	since?: number;
	until?: number;
	/** What the tracer may cost, in percent; any where this is not given. */
	budgetPercent?: number;
	/** How long the traced program runs, in ms, as its argument, where only that shows what it is about; the bare one gets 0. */
	lastsMs?: number;
	/** What is no concern of ours in its output. */
	without?: RegExp;
}

const permission = (major: number) => [
	major < 24 ? '--experimental-permission' : '--permission',
	'--allow-fs-read=*',
	'--allow-fs-write=*',
	'--no-warnings',
];
const worker = (code: string, options = '') =>
	`const { Worker } = require('node:worker_threads');
	new Worker(${JSON.stringify(code)}, { eval: true, ${options} })
		.on('message', (value) => say('message ' + JSON.stringify(value)))
		.on('error', (error) => say('error ' + error.message))
		.on('exit', (code) => say('worker ' + code));`;
const done = "work(() => say('done'));";

const kinds: Kind[] = [
	// --- built-ins that the program changes
	{
		what: 'methods that are watched',
		command: [join(tracerPrograms, 'watches-methods.cjs')],
		says: /^many calls, strangers: \{\}$/m,
	},
	{
		what: 'methods of arrays, strings, maps and patterns that throw',
		code: `// All that Node itself does not call.
			const broken = [];
			for (const { prototype } of [Array, String, Map, Set, WeakMap, WeakSet, RegExp])
				for (const key of Reflect.ownKeys(prototype))
					if (!/^(constructor|pop|push|shift)$/.test(String(key)) && typeof Object.getOwnPropertyDescriptor(prototype, key).value === 'function')
						broken.push({ prototype, key });
			for (let at = 0; at < broken.length; at++)
				broken[at].prototype[broken[at].key] = () => { throw new Error('called by somebody else'); };
			const wait = setTimeout;
			wait(() => wait(() => say('done'), 1200), 5);`,
		says: /^done$/m,
	},
	{
		what: 'methods of strings that lie',
		code: `for (const name of ['includes', 'startsWith', 'endsWith']) String.prototype[name] = () => true;
			String.prototype.slice = String.prototype.split = () => 'nothing';
			${done}`,
		says: /^done$/m,
	},
	{
		what: 'functions without call, apply and bind',
		code: `for (const name of ['call', 'apply', 'bind', 'toString']) delete Function.prototype[name];
			setTimeout(() => setTimeout(() => say('done'), 1200), 5);`,
		says: /^done$/m,
	},
	{
		what: 'maps without methods',
		code: `for (const { prototype } of [Map, Set, WeakMap, WeakSet])
			for (const key of Reflect.ownKeys(prototype)) delete prototype[key];
			${done}`,
		says: /^done$/m,
	},
	{
		what: 'an iterator of arrays that throws, in a program without a moment to spare: the tracer must not rest',
		code: `const { performance } = require('node:perf_hooks');
			Array.prototype[Symbol.iterator] = () => { throw new Error('used by somebody else'); };
			const end = performance.now() + Number(process.argv[2]);
			const again = () => { if (performance.now() < end) setImmediate(again); else say('done'); };
			again();`,
		says: /^done$/m,
		// It rests some eight seconds after the start.
		lastsMs: 10_000,
		budgetPercent: 0.1,
		until: 20,
	},
	{
		what: 'accessors on Object.prototype',
		code: `const { defineProperty } = Object;
			const names = 'at began bigint delay depth encoding fd first flag id init length line lines mode name next site stack stage step throwIfNoEntry type';
			for (const name of names.split(' '))
				defineProperty(Object.prototype, name, {
					set(value) { say('set ' + name); defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true }); },
					get() { say('get ' + name); },
					configurable: true,
				});
			setTimeout(() => { setTimeout(() => say('done'), 1200); }, 5);`,
		says: /^done$/m,
	},
	{
		what: 'setters of indexes on Array.prototype',
		// Node itself uses the first few.
		code: `for (let at = 5; at < 100; at++)
				Object.defineProperty(Array.prototype, at, { set() { say('set ' + at); }, configurable: true });
			setTimeout(() => setTimeout(() => say('done'), 1200), 5);`,
		says: /^done$/m,
	},
	{
		what: 'a species of promises',
		code: `let reads = 0;
			Object.defineProperty(Promise.prototype, 'constructor', { get() { reads++; return Promise; } });
			Object.defineProperty(Promise, Symbol.species, { get() { reads++; return this; } });
			setTimeout(() => setTimeout(() => say(reads + ' reads'), 250), 5);`,
		says: /^0 reads$/m,
	},
	{
		what: 'everything frozen',
		code: `for (const name of Object.getOwnPropertyNames(globalThis)) {
				// No accessors: Node warns where some are read.
				const { value } = Object.getOwnPropertyDescriptor(globalThis, name);
				if (typeof value !== 'function') continue;
				if (value.prototype) Object.freeze(value.prototype);
				Object.freeze(value);
			}
			for (const each of [Reflect, Math, Object.getPrototypeOf(process), require('node:perf_hooks').PerformanceObserver.prototype]) Object.freeze(each);
			${done}`,
		says: /^done$/m,
	},
	{
		what: 'an Error of its own',
		code: `const Own = Error; let made = 0;
			globalThis.Error = class extends Own { constructor(...args) { super(...args); made++; } };
			globalThis.Error.captureStackTrace = () => made++;
			work(() => say(made + ' made'));`,
		says: /^0 made$/m,
	},
	{
		what: 'stacks formatted by the program',
		code: `let formatted = 0;
			Error.stackTraceLimit = 3;
			Error.prepareStackTrace = (error, frames) => { formatted++; return frames.length + ' frames'; };
			work(() => say(new Error('here').stack + ', formatted ' + formatted));`,
		says: /^\d frames, formatted 1$/m,
	},
	{
		what: 'clocks that are replaced',
		code: `let reads = 0;
			Date.now = performance.now = process.hrtime = () => { reads++; return [0, 0]; };
			process.hrtime.bigint = () => { reads++; return 0n; };
			setTimeout(() => say(reads + ' reads'), 1200);`,
		says: /^0 reads$/m,
	},
	{
		what: 'a global object that is watched',
		code: `Object.setPrototypeOf(globalThis, new Proxy(Object.getPrototypeOf(globalThis), { get: (of, key, on) => { if (key !== Symbol.toStringTag) say('get ' + String(key)); return Reflect.get(of, key, on); } }));
			${done}`,
		says: /^done$/m,
	},

	// --- options of Node
	...[
		'--frozen-intrinsics',
		'--disable-proto=delete',
		'--disable-proto=throw',
		'--jitless',
		'--no-opt',
		'--stack-size=300',
		'--disallow-code-generation-from-strings',
		'--enable-source-maps',
		'--expose-gc',
		'--expose-internals',
		'--pending-deprecation',
		'--throw-deprecation',
		'--trace-deprecation',
		'--trace-warnings',
		'--zero-fill-buffers',
		'--stack-trace-limit=1',
	].map(
		(option): Kind => ({
			what: option,
			options: [option, '--no-warnings'],
			code: `${done} say(process.execArgv[0])`,
			says: /^done$/m,
		}),
	),
	{
		what: '--permission',
		options: permission,
		code: `${done} say(process.permission.has('child'))`,
		says: /^done$/m,
		// Node 20 does not let the tracer start (README).
		since: 22,
	},
	{
		what: '--abort-on-uncaught-exception',
		options: ['--abort-on-uncaught-exception'],
		code: "process.on('uncaughtException', () => say('caught')); setTimeout(() => { throw new Error('planted'); }, 5);",
		says: /planted/,
		ends: process.arch === 'x64' ? 'SIGTRAP' : 'SIGABRT',
		// Addresses.
		without: /0x[0-9a-f]+|^ *\d+: .*$/gm,
	},
	...['strict', 'warn', 'none', 'throw'].map(
		(mode): Kind => ({
			what: `--unhandled-rejections=${mode}`,
			options: [`--unhandled-rejections=${mode}`],
			code: `process.on('exit', (code) => say('exit ' + code));
				const early = Promise.reject(new Error('planted'));
				setTimeout(() => early.catch(() => say('late')), 100);`,
			says: /^exit \d$/m,
			ends: mode === 'warn' || mode === 'none' ? 0 : 1,
			without: /\(node:\d+\)/g,
		}),
	),

	// --- where the program comes from
	{ what: '-e', command: ['-e', "setTimeout(() => { throw new Error('planted'); }, 5)"], says: /planted/, ends: 1 },
	{
		what: '-p',
		command: ['-p', "setTimeout(() => console.log('later'), 5); process.execArgv.length"],
		says: /^later$/m,
	},
	{ what: 'standard input', command: ['-'], input: "setTimeout(() => console.log('later'), 5)", says: /^later$/m },
	{
		what: '--input-type=module',
		command: [
			'--input-type=module',
			'-e',
			"import fs from 'node:fs'; await fs.promises.stat('.'); console.log('done')",
		],
		says: /^done$/m,
	},
	{
		what: 'a REPL',
		command: ['-i'],
		input:
			'1 + 1\nlet x = 5\nx\nawait new Promise((r) => setTimeout(r, 20, 7))\nlet process = 3\nprocess\nthrow new Error("planted")\n.exit\n',
		says: /planted/,
	},
	{
		what: 'a module that never settles',
		type: 'mjs',
		code: "process.on('exit', (code) => console.log('exit', code)); await new Promise(() => undefined);",
		says: /^exit \d+$/m,
		ends: 13,
	},
	{ what: 'a syntax error', code: 'let x = ;', says: /SyntaxError/, ends: 1 },
	{
		what: 'module hooks',
		type: 'mjs',
		options: ['--no-warnings'],
		code: `import { register } from 'node:module';
			register('data:text/javascript,' + encodeURIComponent('export const load = async (url, context, next) => url === "own:x" ? { format: "module", source: "export default 7", shortCircuit: true } : next(url, context); export const resolve = async (name, context, next) => name === "own:x" ? { url: name, shortCircuit: true } : next(name, context);'));
			console.log((await import('own:x')).default);`,
		says: /^7$/m,
		since: 20,
	},
	{
		what: '--import',
		options: ['--import', 'data:text/javascript,console.log("before"); await 1;'],
		code: done,
		says: /^before\ndone$/m,
		since: 20,
	},

	// --- ends
	...[
		{ what: 'process.exit in a tick', code: 'process.nextTick(() => process.exit(4));', ends: 4 },
		{ what: 'process.exit in a microtask', code: 'queueMicrotask(() => process.exit(5));', ends: 5 },
		{ what: 'process.exit while it exits', code: "process.on('exit', () => process.exit(6));", ends: 6 },
		{ what: 'process.exit in beforeExit', code: "process.on('beforeExit', () => process.exit(3));", ends: 3 },
		{ what: 'an exit code that changes', code: "process.on('exit', () => { process.exitCode = 9; });", ends: 9 },
		{ what: 'an error while it exits', code: "process.on('exit', () => { throw new Error('planted'); });", ends: 1 },
		{ what: 'an error in a tick', code: "process.nextTick(() => { throw new Error('planted'); });", ends: 1 },
		{ what: 'an error in an immediate', code: "setImmediate(() => { throw new Error('planted'); });", ends: 1 },
		{ what: 'process.reallyExit', code: 'setTimeout(() => process.reallyExit(7), 5);', ends: 7 },
		{
			what: 'SIGINT',
			code: "setTimeout(() => process.kill(process.pid, 'SIGINT'), 5); setInterval(() => 0, 99);",
			ends: 'SIGINT',
		},
		{
			what: 'SIGSEGV',
			code: "setTimeout(() => process.kill(process.pid, 'SIGSEGV'), 5); setInterval(() => 0, 99);",
			ends: 'SIGSEGV',
		},
		{ what: 'process.abort', code: 'setTimeout(() => process.abort(), 5);', ends: 'SIGABRT', without: /^ *\d+: .*$/gm },
	].map(
		({ code, ...kind }): Kind => ({
			says: /^exit|^/m,
			...kind,
			ends: kind.ends as number | NodeJS.Signals,
			code: `process.on('exit', (code) => say('exit ' + code)); ${code}`,
		}),
	),
	{
		what: 'values that are thrown',
		code: `process.on('uncaughtException', (value) => say('caught ' + typeof value));
			for (const value of [null, undefined, 1, 'text', {}, new Proxy({}, { get: () => say('read'), getOwnPropertyDescriptor: () => say('asked') })])
				setTimeout(() => { throw value; }, 5);`,
		says: /^caught undefined$/m,
	},
	{
		what: 'full stacks',
		// Node goes on with its ticks and microtasks in an immediate, which comes before or after a timer: it ends when both were heard of.
		code: `let heard = 0;
			process.on('uncaughtException', ({ message }) => { say(message); if (++heard === 2) setTimeout(() => say('done'), 5); });
			process.nextTick(function again() { again(); });
			queueMicrotask(function again() { again(); });`,
		says: /^Maximum(.|\n)*^Maximum(.|\n)*^done$/m,
	},
	{
		what: 'a full stack where a timer is set',
		code: `let set = 0;
			function again() { setTimeout(() => 0, 1).unref(); set++; again(); }
			try { again(); } catch (error) { say(error.name + ' ' + (error instanceof RangeError) + ' ' + typeof error.stack); }
			setTimeout(() => say('done'), 50);`,
		says: /^RangeError true string\ndone$/m,
		since: 22,
	},

	// --- Node's modules
	{
		what: 'domains',
		code: `const domain = require('node:domain').create();
			domain.on('error', ({ message }) => say('domain heard ' + message));
			domain.run(() => {
				process.nextTick(() => { throw new Error('of a tick'); });
				require('node:fs').stat('.', () => {
					setTimeout(() => { throw new Error('of a timer'); }, 1);
					throw new Error('of a file');
				});
			});`,
		says: /^domain heard of a tick\ndomain heard of a file\ndomain heard of a timer$/m,
	},
	{
		what: 'a domain that is collected',
		options: ['--expose-gc'],
		code: `const domain = require('node:domain');
			const { AsyncResource } = require('node:async_hooks');
			let collected = 0;
			const registry = new FinalizationRegistry(() => collected++);
			(() => { const own = domain.create(); registry.register(own, 0); own.run(() => new AsyncResource('own')); })();
			// V8 reports it in a task of its own, some time after the collection.
			const look = (left) => collected > 0 || left === 0 ? say(collected + ' collected') : setTimeout(look, 5, left - 1);
			setImmediate(() => { gc(); look(400); });`,
		says: /^1 collected$/m,
	},
	{
		what: 'contexts of vm',
		code: `const vm = require('node:vm');
			vm.runInNewContext('setTimeout(() => say(1), 5); Promise.resolve(2).then(say);', { say, setTimeout }, { microtaskMode: 'afterEvaluate' });
			try { vm.runInNewContext('for (;;);', {}, { timeout: 20 }); } catch (error) { say(error.code); }
			${done}`,
		says: /^ERR_SCRIPT_EXECUTION_TIMEOUT\n(.|\n)*^done$/m,
	},
	{
		what: 'stores of AsyncLocalStorage',
		code: `const { AsyncLocalStorage } = require('node:async_hooks');
			const store = new AsyncLocalStorage();
			store.run('first', () => work(() => say(store.getStore())));
			store.enterWith('second');
			setTimeout(() => { say(store.getStore()); store.disable(); say(store.getStore()); }, 5);`,
		says: /^second\nundefined\n(.|\n)*$/m,
	},
	{
		what: 'async ids',
		code: `const { executionAsyncId, triggerAsyncId } = require('node:async_hooks');
			const ids = () => say(executionAsyncId() + ' ' + triggerAsyncId());
			ids(); setTimeout(() => { ids(); setImmediate(() => { ids(); process.nextTick(ids); }); }, 250);`,
		says: /^1 0$/m,
	},
	{
		what: 'resources with accessors',
		code: `const { AsyncResource } = require('node:async_hooks');
			const names = ['_idleTimeout', 'handle', 'reading', 'start', 'stream', 'ondone', 'type'];
			class Trap extends AsyncResource {}
			for (const name of names) Object.defineProperty(Trap.prototype, name, { get: () => { if (name !== '_idleTimeout') say('read ' + name); } });
			for (const type of ['TCPWRAP', 'PROCESSWRAP', 'SIGNALWRAP', 'WORKER', 'ZLIB', 'MESSAGEPORT', 'HTTPCLIENTREQUEST', 'KEYPAIRGENREQUEST', 'PROMISE', 'own', '__proto__', 'constructor']) {
				const resource = new Trap(type);
				resource.runInAsyncScope(() => say('in ' + type));
				resource.emitDestroy();
			}`,
		says: /^in TCPWRAP$/m,
	},
	{
		what: 'hooks that are turned on and off',
		code: `const hook = require('node:async_hooks').createHook({ init() {}, before() {}, after() {}, destroy() {} });
			for (let i = 0; i < 20; i++) { hook.enable(); hook.disable(); }
			work(() => { hook.enable(); work(() => { hook.disable(); say('done'); }); });`,
		says: /^done$/m,
	},
	{
		what: 'a hook that throws',
		code: "require('node:async_hooks').createHook({ init() { throw new Error('planted'); } }).enable(); setTimeout(() => 0, 5);",
		says: /planted/,
		ends: 1,
	},
	{
		what: 'entries of performance',
		code: `const { PerformanceObserver, performance } = require('node:perf_hooks');
			new PerformanceObserver((list) => { for (const { entryType, name } of list.getEntries()) say(entryType + ' ' + name); }).observe({ entryTypes: ['mark', 'measure', 'function'] });
			performance.mark('a');
			work(() => { performance.measure('b', 'a'); setTimeout(() => say(performance.getEntries().filter(({ entryType }) => entryType !== 'node').length), 5); });`,
		says: /^mark a\n(.|\n)*^measure b\n/m,
	},
	{
		what: 'resources that are collected',
		options: ['--expose-gc'],
		code: `let collected = 0;
			const registry = new FinalizationRegistry(() => collected++);
			(() => { for (let i = 0; i < 50; i++) registry.register(setTimeout(() => 0, 1), i); })();
			const look = (left) => { gc(); collected === 50 || left === 0 ? say(collected + ' collected') : setTimeout(look, 100, left - 1); };
			setTimeout(look, 250, 20);`,
		says: /^50 collected$/m,
	},
	{
		what: 'functions that are given another place',
		code: `let calls = 0;
			for (const holder of [require('node:fs'), process, require('node:net').Socket.prototype, require('node:events').prototype])
				for (const name of ['statSync', 'openSync', 'readSync', 'nextTick', '_writeGeneric', 'on', 'emit']) {
					const own = holder[name];
					if (typeof own === 'function') holder[name] = function (...args) { calls++; return Reflect.apply(own, this, args); };
				}
			calls = 0;
			setTimeout(() => say(calls + ' calls'), 1200);`,
		says: /^0 calls$/m,
	},
	{
		what: 'modules that are asked for',
		code: `const Module = require('node:module');
			for (const name of ['_load', '_resolveFilename']) {
				const own = Module[name];
				Module[name] = function (asked, ...rest) { say(name + ' ' + asked); return Reflect.apply(own, this, [asked, ...rest]); };
			}
			require('node:os'); ${done}`,
		says: /^_load node:os\n/m,
	},
	{
		what: 'Workers of every sort',
		// One after the other: no more than one of them speaks.
		code: worker(
			"require('node:worker_threads').parentPort.postMessage([Object.keys(process.env).length, process.execArgv])",
			"env: { A: '1' }",
		).replace(
			/;$/,
			`.on('exit', () => {${worker("setTimeout(() => { throw new Error('planted'); }, 300)", "execArgv: ['--no-warnings']")}});`,
		),
		says: /^message \[1,\[\]\]\n(.|\n)*^error planted\n/m,
	},
	{
		what: 'a Worker that is out of memory',
		code: worker(
			'const kept = []; for (;;) kept.push(new Array(1e5).fill(1.5));',
			'resourceLimits: { maxOldGenerationSizeMb: 20 }',
		),
		says: /^error Worker terminated due to reaching memory limit/m,
		// V8's account of its last collections.
		without: /^(?!error|worker).*$/gm,
	},
	{
		what: 'a Worker that is ended',
		code: `const { Worker } = require('node:worker_threads');
			const ended = new Worker("setInterval(() => require('node:fs').statSync('.'), 1); require('node:worker_threads').parentPort.postMessage(1)", { eval: true });
			ended.on('message', async () => say('ended with ' + (await ended.terminate())));`,
		says: /^ended with 1$/m,
	},
	{
		what: 'a child with messages',
		code: `if (process.argv[2]) process.on('message', (text) => { process.send(text + ' back'); process.disconnect(); });
			else require('node:child_process').fork(__filename, ['child'], { serialization: 'advanced' }).on('message', say).on('exit', say).send('there');`,
		says: /^there back\n0$/m,
	},
	{
		what: 'a folder that is gone',
		code: `const fs = require('node:fs');
			const folder = fs.mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'gone-'));
			process.chdir(folder); fs.rmdirSync(folder);
			work(() => { try { process.cwd(); } catch (error) { say(error.code); } });`,
		says: /^ENOENT$/m,
	},
	{
		what: 'handles and requests',
		code: `say([process._getActiveHandles().length, process._getActiveRequests().length, process.getActiveResourcesInfo()].join());
			work(() => say(process.getActiveResourcesInfo().join()));`,
		says: /^0,0,/m,
	},
	{
		what: 'an inspector session of its own',
		code: `const session = new (require('node:inspector').Session)();
			session.connect(); session.post('Profiler.enable'); session.post('Profiler.start');
			work(() => session.post('Profiler.stop', (error, { profile }) => { say(error + ' ' + (profile.nodes.length > 0)); session.disconnect(); }));`,
		says: /^null true$/m,
	},
	{
		what: 'WebAssembly',
		code: `const bytes = [0,97,115,109,1,0,0,0,1,4,1,96,0,0,2,7,1,1,97,1,98,0,0,3,2,1,0,7,5,1,1,102,0,1,10,6,1,4,0,16,0,11];
			new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), { a: { b: () => setTimeout(() => say('done'), 5) } }).exports.f();`,
		says: /^done$/m,
	},
	{
		what: "Node's test runner",
		options: (major) => (major < 20 ? [] : ['--test-reporter=tap']),
		code: `const { test } = require('node:test');
			test('one', () => require('node:fs').promises.stat('.'));
			test('two', (t, done) => setTimeout(done, 20));
			test('three', () => { throw new Error('planted'); });`,
		says: /^not ok 3 - three$/m,
		ends: 1,
		without: /duration_ms:? [\d.e-]+/g,
	},
];

const setup = `const { say, work } = require(${JSON.stringify(join(tracerPrograms, 'some-of-each.cjs'))});\n`;

/** Runs the kind once. @param folder for its journals; null runs it bare */
async function run(node: NodeBuild, kind: Kind, program: string, folder: string | null) {
	const { budgetPercent = 0, code, command, input, lastsMs, without } = kind;
	const options = typeof kind.options === 'function' ? kind.options(node.major) : (kind.options ?? []);
	const lasts = lastsMs === undefined ? [] : [String(folder === null ? 0 : lastsMs)];
	const args = code === undefined ? command! : [...options, program, ...lasts];
	const tracing =
		folder === null ? {} : tracedEnvironment({}, { tracer: join(root, 'dist', 'tracer.cjs'), folder, budgetPercent });
	const outcome = await execute(node.path, args, { env: { ...kind.env, ...tracing }, input: Buffer.from(input ?? '') });
	return readable(outcome, without);
}

function readable({ code, signal, stdout, stderr }: Outcome, without: RegExp | undefined) {
	const text = (bytes: Buffer) => (without === undefined ? bytes.toString() : bytes.toString().replace(without, ''));
	return { end: code ?? signal, stderr: text(stderr), stdout: text(stdout) };
}

async function compare(node: NodeBuild, kind: Kind): Promise<void> {
	const folder = scratchFolder();
	const journals = join(folder, 'journals');
	mkdirSync(journals);
	// This process keeps it for as long as it runs.
	writeFileSync(join(journals, LEASE_FILE), String(process.pid));
	const program = join(folder, `program.${kind.type ?? 'cjs'}`);
	if (kind.code !== undefined) writeFileSync(program, kind.type === 'mjs' ? kind.code : setup + kind.code);
	const [bare, traced] = await Promise.all([run(node, kind, program, null), run(node, kind, program, journals)]);
	assert.equal(bare.end, kind.ends ?? 0, `bare: ${bare.stderr}`);
	assert.match(`${bare.stdout}${bare.stderr}`, kind.says, 'bare');
	assert.deepEqual(traced, bare);
	const written = readdirSync(journals).filter((name) => name.endsWith(JOURNAL_SUFFIX));
	assert.ok(written.length > 0, 'it was traced');
	for (const name of written)
		assert.doesNotMatch(readFileSync(join(journals, name), 'latin1'), /could not start|error: /, 'the tracer stayed');
}

describe('unnoticed by every kind of program', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			for (const kind of kinds)
				if (node.major >= (kind.since ?? 0) && node.major <= (kind.until ?? Infinity))
					it(kind.what, () => compare(node, kind));
		});
	}
});
