// Which sync functions are called in the code behind an operation: each program marks the operation's call with `»`.
import assert from 'node:assert/strict';
import test from 'node:test';
import { SyncCalls } from '../../../src/host/script/sync-calls.ts';

/** `name at line` of each, for a call that starts behind the mark. */
function behind(marked: string): string[] {
	const [before = '', after = ''] = marked.split('»');
	const lines = before.split('\n');
	const calls = new SyncCalls({ text: before + after, isTypeScript: false }).behind(
		lines.length,
		lines.at(-1)!.length + 1,
	);
	return calls.map(({ name, line }) => `${name} at ${line}`);
}

test('in the callback, where V8 gives the position of the method’s name', () => {
	assert.deepEqual(behind('fs.»readFile(a, () => {\n fs.writeFileSync(b);\n});\nfs.statSync(c);'), [
		'fs.writeFileSync at 2',
	]);
	assert.deepEqual(behind('»setTimeout(function () { require("zlib").gzipSync(a); }, 9);'), ['zlib.gzipSync at 1']);
	assert.deepEqual(behind('const { execSync } = cp;\n»setTimeout(() => execSync("x"));'), [
		'child_process.execSync at 2',
	]);
});

test('in a function of the file that the callback is, or calls', () => {
	assert.deepEqual(
		behind('»setInterval(tick, 9);\nfunction tick() { load(); }\nconst load = () => fs.readFileSync(a);'),
		['fs.readFileSync at 3'],
	);
	assert.deepEqual(behind('»setTimeout(() => a());\nfunction a() { b(); }\nfunction b() { a(); fs.statSync(x); }'), [
		'fs.statSync at 3',
	]);
	const twice = '»setTimeout(() => a());\n{ function a() { fs.statSync(x); } }\n{ function a() { return 1; } }';
	assert.deepEqual(behind(twice), [], 'which of the two it is, is not known');
});

test('after an await: the rest of the function, in a loop all of the loop', () => {
	const text = 'async function f() {\n fs.statSync(a);\n await »g();\n fs.readFileSync(b);\n}';
	assert.deepEqual(behind(text), ['fs.readFileSync at 4']);
	const loop = 'async function f() {\n fs.statSync(a);\n for (;;) {\n  fs.openSync(a);\n  await »g();\n }\n}';
	assert.deepEqual(behind(loop), ['fs.openSync at 4']);
	assert.deepEqual(behind('await »g();\nfs.statSync(a);'), ['fs.statSync at 2'], 'at the top of a module');
	assert.deepEqual(behind('async function f() {\n »g();\n fs.statSync(b);\n}'), [], 'nobody waits there');
	const all = 'async function f() {\n await Promise.all(a.map((x) => fs.promises.»stat(x)));\n fs.statSync(b);\n}';
	assert.deepEqual(behind(all), ['fs.statSync at 3']);
});

test('behind an await of many operations together a call runs once', () => {
	const isOnce = (marked: string) => {
		const [before = '', after = ''] = marked.split('»');
		const lines = before.split('\n');
		return new SyncCalls({ text: before + after, isTypeScript: false })
			.behind(lines.length, lines.at(-1)!.length + 1)
			.map(({ isBehindMany }) => isBehindMany);
	};
	const read = '() => fs.promises.»readFile(a)';
	assert.deepEqual(isOnce(`await Promise.all(names.map((n) => limit(${read})));\nfs.rmSync(d);`), [true]);
	assert.deepEqual(isOnce(`await Promise.allSettled(names.map(${read})).then(() => fs.rmSync(d));`), [true]);
	assert.deepEqual(isOnce(`await Promise.all(names.map(${read}));\nclean();\nfunction clean() { fs.rmSync(d); }`), [
		true,
	]);
	const each = 'async () => { await fs.promises.»readFile(a); fs.statSync(a); }';
	assert.deepEqual(isOnce(`await Promise.all(names.map(${each}));`), [false], 'for each of them');
	const both = 'async () => { await fs.promises.»readFile(a); look(); }';
	assert.deepEqual(isOnce(`await Promise.all(names.map(${both}));\nlook();\nfunction look() { fs.statSync(a); }`), [
		false,
	]);
	assert.deepEqual(isOnce('await new Promise((r) => »setTimeout(r, 9));\nfs.statSync(a);'), [false]);
	assert.deepEqual(isOnce('await Promise.all([fs.promises.»stat(a), other()]);\nfs.statSync(b);'), [false]);
});

test('in then(), and in functions that run at once', () => {
	assert.deepEqual(behind('»g().then(() => 1).then((x) => fs.statSync(x));'), ['fs.statSync at 1']);
	assert.deepEqual(behind('»setTimeout(() => files.map((f) => fs.readFileSync(f)));'), ['fs.readFileSync at 1']);
	assert.deepEqual(behind('»setTimeout(() => setTimeout(() => fs.statSync(a)));'), [], 'that is another callback');
});

test('what a stream’s end calls is not what its data took the time for', () => {
	const stream = (event: string) =>
		behind(
			`fs.»createReadStream(a).on('${event}', (data) => fs.appendFileSync(b, data)).on('end', () => fs.writeFileSync(c));`,
		);
	assert.deepEqual(stream('data'), ['fs.appendFileSync at 1']);
	assert.deepEqual(stream('close'), []);
});

test('a request’s handler is found by the line where it starts', () => {
	const text = 'const a = 1;\n»app.get("/", function (req, res) {\n res.end(fs.readFileSync(b));\n});';
	assert.deepEqual(behind(text.replace('app.get("/", function', 'function h').replace('});', '}')), [
		'fs.readFileSync at 3',
	]);
});

test('a request’s handler is found by the place where it starts, within what calls it and what `listen` is called of', () => {
	const calls = ['fs.readFileSync at 3'];
	assert.deepEqual(
		behind(
			'const a = 1;\ncreateServer(async »(req, res) => {\n res.end(fs.readFileSync(b));\n}).listen(0, () => fs.statSync(a));',
		),
		calls,
	);
	assert.deepEqual(
		behind('const a = 1;\nclass A { b() { fs.statSync(a); } list»(req, res) {\n res.end(fs.readFileSync(b));\n} }'),
		calls,
	);
});

test('what is no function of Node, and what is no JavaScript, yields nothing', () => {
	assert.deepEqual(behind('»setTimeout(() => store.saveSync());'), []);
	assert.deepEqual(behind('»setTimeout(() => fs.statSync(a as string));'), []);
	assert.deepEqual(behind('with (a) »setTimeout(() => fs.statSync(b));'), ['fs.statSync at 1'], 'sloppy code');
});

test('code within code, deeper than V8’s stack reaches, is not searched', () => {
	assert.deepEqual(behind(`»setTimeout(() => { fs.statSync(x); a${'.b()'.repeat(100_000)}; });`), []);
	assert.deepEqual(behind(`»setTimeout(() => fs.statSync(x));\n${'['.repeat(100_000)}`), []);
});

test('in TypeScript, whose types Node strips itself', () => {
	const [before, after] = [
		'function load(a: string): Buffer { return fs.readFileSync(a as string)!; }\n',
		'setTimeout((): void => { load(a!); }, 9);',
	];
	const calls = new SyncCalls({ text: before + after, isTypeScript: true }).behind(2, 1);
	assert.deepEqual(calls, [{ name: 'fs.readFileSync', line: 1, column: 43, isBehindMany: false }]);
});

test('a text made to be searched endlessly is given up', () => {
	const functions = Array.from({ length: 9000 }, (_, i) => `function a${i}() { a${i + 1}(); }`);
	const text = [...functions, 'function a9000() { fs.statSync(x); }', 'setTimeout(a0);'].join('\n');
	const calls = new SyncCalls({ text, isTypeScript: false });
	const line = text.split('\n').length;
	assert.deepEqual(calls.behind(line, 1), []);
	const few = new SyncCalls({
		text: text.slice(text.indexOf('function a8000(')).replace('a0', 'a8000'),
		isTypeScript: false,
	});
	assert.deepEqual(
		few.behind(1002, 1).map(({ name }) => name),
		['fs.statSync'],
	);
});

test('of a handler that serves several routes, what does not run on the way of one of them is not its own', () => {
	/** The calls in the function at the beginning, where the code at the mark runs. */
	const on = (marked: string) => {
		const [before = '', after = ''] = marked.split('»');
		const lines = before.split('\n');
		const way = { line: lines.length, column: lines.at(-1)!.length + 1 };
		const calls = new SyncCalls({ text: before + after, isTypeScript: false }).behind(1, 1, way);
		return calls.map(({ name, line }) => `${name} at ${line}`);
	};
	const branches = (first: string, second: string) =>
		on(`async (q, s) => {\n if (q.a) {\n  fs.statSync(x); ${first}a();\n } else {\n  load(); ${second}b();\n }\n}
function load() { fs.readFileSync(y); }`);
	assert.deepEqual(branches('»', ''), ['fs.statSync at 3']);
	assert.deepEqual(branches('', '»'), ['fs.readFileSync at 8']);
	const returns = (first: string, second: string) =>
		on(
			`(q, s) => {\n if (q.a) {\n  fs.statSync(x);\n  return ${first}a();\n }\n fs.readFileSync(y);\n ${second}b();\n}`,
		);
	assert.deepEqual(returns('»', ''), ['fs.statSync at 3']);
	assert.deepEqual(returns('', '»'), ['fs.readFileSync at 6']);
	const cases = (first: string, second: string) =>
		on(
			`(q, s) => {\n switch (q) {\n case 1: fs.statSync(x); ${first}a(); break;\n default: fs.openSync(y); ${second}b();\n }\n}`,
		);
	assert.deepEqual(cases('', '»'), ['fs.openSync at 4']);
	assert.deepEqual(on('(q, s) => {\n fs.statSync(x);\n if (q.a) »a();\n fs.openSync(y);\n}'), [
		'fs.statSync at 2',
		'fs.openSync at 4',
	]);
});
