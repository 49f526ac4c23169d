// Which of Node's test files are run, and to which family of Node's API each belongs. Only what a tracer of I/O can touch:
// no tests of the documentation, the command line, the linter, or pure computation. Never `internet`, which needs one, nor
// `pummel`, which takes hours.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './stage.ts';

export interface TestFile {
	/** Path below `test/`: `parallel/test-fs-stat.js`. */
	path: string;
	family: string;
	/** It uses a fixed port or the like: nothing else may run beside it. */
	alone: boolean;
}

/** The first word of a file's name after `test-` is its family. */
const families: Record<string, RegExp> = {
	fs: /^(fs|file|filehandle|watch|cwd|blob)$/,
	net: /^(net|socket|socketaddress|listen|tcp|blocklist|pipe)$/,
	http: /^(http|outgoing|fetch|websocket|eventsource|client|double)$/,
	http2: /^(http2|h2|h2leak)$/,
	https: /^https$/,
	tls: /^(tls|x509|openssl)$/,
	dns: /^(dns|c)$/,
	dgram: /^dgram$/,
	child_process: /^(child|spawn|kill|signal|sigint|stdin|stdout|stdio|stderr|ttywrap|tty|exception|beforeexit)$/,
	cluster: /^cluster$/,
	worker: /^(worker|broadcastchannel|messagechannel|messageport|messageevent|messaging|atomics)$/,
	stream: /^(stream|stream2|stream3|streams|readable|webstream|webstreams|whatwg|compression)$/,
	zlib: /^zlib$/,
	crypto: /^(crypto|webcrypto|dsa)$/,
	timers: /^(timers|timer|next|tick|microtask|queue|set|ref|immediate)$/,
	async_hooks: /^(async|asyncresource|emit|destroy)$/,
	promises: /^(promise|promises|unhandled)$/,
	process: /^(process|memory|uv|wrap|handle|gc|heap|heapdump|heapsnapshot|v8|trace|tracing|error|errors)$/,
	events: /^(event|events|eventemitter|eventtarget|nodeeventtarget|abortcontroller|aborted|abortsignal|domain)$/,
	readline: /^readline$/,
	repl: /^repl$/,
	vm: /^(vm|global|primordials|freeze|disable)$/,
	performance: /^(performance|performanceobserver|perf)$/,
	inspector: /^(inspector|debugger)$/,
	diagnostics_channel: /^diagnostics$/,
};

/** Folders whose files all belong to one family. */
const wholeFolders: Record<string, string> = { 'async-hooks': 'async_hooks', 'es-module': 'es-module' };

/** All files of the I/O families, in an order that does not depend on the machine. */
export function chooseFiles(stage: Stage): TestFile[] {
	return ['parallel', 'async-hooks', 'es-module', 'sequential'].flatMap((folder) =>
		readdirSync(join(stage.sources, 'test', folder))
			.filter((name) => /^test-.*\.m?js$/.test(name))
			.sort()
			.flatMap((name) => {
				const family = wholeFolders[folder] ?? familyOf(name);
				return family === undefined ? [] : [{ path: `${folder}/${name}`, family, alone: folder === 'sequential' }];
			}),
	);
}

function familyOf(name: string): string | undefined {
	const word = /^test-([a-z0-9]+)/.exec(name)?.[1] ?? '';
	return Object.keys(families).find((family) => families[family]!.test(word));
}
