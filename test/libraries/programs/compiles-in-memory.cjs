// Compiles what a program loads as ts-node, Babel's hook and jest do: in memory, with maps that only the function knows that is
// installed for stacks. A preload; FORMAT says what became of that function: `bound` as jest's is, `rewritten` by Babel.
const Module = require('node:module');
const fs = require('node:fs');
const esbuild = require('esbuild');
const support = require('source-map-support');

const maps = new Map();
support.install({
	environment: 'node',
	handleUncaughtExceptions: false,
	retrieveSourceMap: (file) => (maps.has(file) ? { url: file, map: maps.get(file) } : null),
});
const format = Error.prepareStackTrace;
if (process.env.FORMAT === 'bound') Error.prepareStackTrace = format.bind(support);
else if (process.env.FORMAT === 'rewritten') {
	Error.prepareStackTrace = function stackTraceRewriter(error, trace) {
		return format(error, trace);
	};
}

for (const extension of ['.ts', '.js']) {
	const load = Module._extensions['.js'];
	Module._extensions[extension] = (module, file) => {
		if (file.includes('node_modules')) return load(module, file);
		const options = { loader: 'ts', format: 'cjs', sourcemap: true, sourcefile: file };
		const { code, map } = esbuild.transformSync(fs.readFileSync(file, 'utf8'), options);
		maps.set(file, map);
		module._compile(code, file);
	};
}
