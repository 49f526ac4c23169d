// What an operation is called: the called function of Node becomes the name of a public API.
import {
	ACCEPTED,
	FS_ON_RING,
	NAMELESS_ADDON,
	RESOURCE_FACTS,
	type ResourceFacts,
	TLS,
} from '../../protocol/resource-facts.ts';

/** The calls of fs that libuv gives to io_uring (libuv 1.45 to 1.48, src/unix/linux.c): the rest of fs always takes the pool. */
const RING_CALLS =
	/^((read|write|append)File|open|close|readv?|writev?|create(Read|Write)Stream|[lf]?stat|f?(data)?sync|rename|unlink|mkdir|link|symlink)$/;

/** Facts of the same type in a process whose fs goes through io_uring. */
export function ringFacts(facts: ResourceFacts, name: string): ResourceFacts {
	return facts.family === 'fs' && RING_CALLS.test(name.slice(name.lastIndexOf('.') + 1)) ? FS_ON_RING : facts;
}

/** The public names of Node's scripts. */
const MODULES: [RegExp, string][] = [
	[/^node:(internal\/)?fs\/(promises|watchers)$/, 'fs.promises'],
	[/^node:(fs$|internal\/fs\/)/, 'fs'],
	[/^node:(crypto$|internal\/crypto\/)/, 'crypto'],
	[/^node:(internal\/)?dns\/promises$/, 'dns.promises'],
	[/^node:(dns$|internal\/dns\/)/, 'dns'],
	[/^node:timers\/promises$/, 'timers.promises'],
	[/^node:https$/, 'https'],
	[/^node:(http|_http_client)$/, 'http'],
	[/^node:internal\/http2\/core$/, 'http2'],
	[/^node:internal\/cluster\/primary$/, 'cluster'],
	[TLS, 'tls'],
	[/^node:(zlib|net|dgram|child_process)$/, ''],
];

/** Node's streams: what they read from a file or write to one later is named after what the program called of them. */
const STREAMS = /^node:(stream$|stream\/|internal\/streams\/)/;

/** c-ares' names for queries that Node names differently. */
const QUERIES = new Map([
	['queryA', 'resolve4'],
	['queryAaaa', 'resolve6'],
	['getHostByAddr', 'reverse'],
]);

/** Functions of HTTP/2 that open and read a file. */
const SENDS_FILE = /\brespondWith(File|FD)$/;

/** Functions of Node's that a stream calls when it is read, and what the program called for it. */
const OF_STREAMS = new Map([['fs.promises.pull', 'FileHandle.readableWebStream']]);

/**
 * Names of add-ons' work that mean nothing: none, and the one that node-addon-api gives where its caller gives none
 * (napi-inl.h).
 */
const SAYS_NOTHING = new Set([NAMELESS_ADDON, 'generic']);

/**
 * What an add-on's work is called: the add-on's own name for it, with the package where that name means nothing.
 * @param caller the script that called the add-on
 */
export function addonName(name: string, caller: string): string {
	const [, packageName] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(caller) ?? [];
	if (packageName === undefined || name.startsWith(packageName)) return name;
	return SAYS_NOTHING.has(name) ? packageName : `${packageName} ${name}`;
}

/** Whether the program emits an event of a file's stream itself, as graceful-fs does when it has opened the file: then the stream reads on. */
function isEvent(name: string, script: string): boolean {
	return name === 'emit' && script === 'node:internal/fs/streams';
}

/** The public API name, such as `fs.readFile`, and whether the program called an API of that type's own modules. */
export function apiName(facts: ResourceFacts, name: string, script: string): { name: string; isCalled: boolean } {
	// On the line that listens: no handler has started anything for it. A connection has none.
	if (facts.comesFromOutside && facts !== ACCEPTED && name === 'listen')
		return { name: `${facts.name}, handler unknown`, isCalled: true };
	if (facts.family === 'fs' && (STREAMS.test(script) || isEvent(name, script)) && name !== '') {
		// What `for await` calls.
		const isIterator = name === 'createAsyncIterator';
		return { name: isIterator ? 'stream[Symbol.asyncIterator]' : `stream.${name}`, isCalled: true };
	}
	if (facts.family === 'fs' && script === 'node:internal/http2/core' && SENDS_FILE.test(name))
		return { name: `ServerHttp2Stream.${name.slice(name.lastIndexOf('.') + 1)}`, isCalled: true };
	// The one function of the module without a name (lib/fs.js: `realpath.native = (path, options, callback) => …`); before Node 22
	// V8 called it `native`.
	if ((name === '' || name === 'native') && script === 'node:fs' && facts.family === 'fs')
		return { name: 'fs.realpath.native', isCalled: true };
	// In `pipeline(file, zlib.createGzip(), other)` what zlib has called back for makes Node read on, or write on: which of the streams did is not known.
	if (facts.family === 'fs' && script === 'node:zlib' && name !== '') return { name: 'fs stream', isCalled: true };
	if (name === '' || (facts.modules !== null && !facts.modules.test(script))) {
		return { name: facts.name, isCalled: facts.modules === null };
	}
	if (script === 'node:timers') return { name, isCalled: true };
	if (facts === RESOURCE_FACTS.FETCH) return { name: name === 'dispatch' ? facts.name : name, isCalled: true };
	if (facts === RESOURCE_FACTS.PORTMESSAGE) return { name: `${name} message`, isCalled: true };
	for (const [pattern, module] of MODULES) {
		if (!pattern.test(script)) continue;
		// Methods of a class that has a name of its own need no module's.
		if (module !== '' && name.includes('.')) return { name, isCalled: true };
		const called =
			facts === RESOURCE_FACTS.QUERYWRAP
				? (QUERIES.get(name) ?? name.replace(/^query/, 'resolve'))
				: name.replace(/^_/, '').replace(/^(sign|verify)OneShot$/, '$1');
		const full = `${module || script.slice('node:'.length)}.${called}`;
		return { name: OF_STREAMS.get(full) ?? full, isCalled: true };
	}
	return { name: facts.name, isCalled: true };
}
