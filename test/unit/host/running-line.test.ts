// Which line of a function ran, from the text and from V8's lines.
import assert from 'node:assert/strict';
import test from 'node:test';
import { NAMELESS } from '../../../src/engine/common/place.ts';
import { callsOnly } from '../../../src/host/positions/only-call.ts';
import { builtInOn, isArgument, isClass, isWithin, runningLine } from '../../../src/host/positions/running-line.ts';

const TEXT = `const fs = require('node:fs');
function read(file) {
	// readFileSync( is what takes long
	const name = 'readFileSync(';
	return fs.readFileSync(file);
}
class Report {
	async build(rows: string[]): Promise<string> {
		const parts = rows.map((row) => format(row));
		if (parts.length > 9) return format(parts.join());
		return joined(parts);
	}
}
const short = (rows) => rows.map(twice);
const twice = (row) => format(row) + row;
function wait(until) {
	const from = now();
	while (now() < until);
}
`;

/** The place of a text in TEXT, 1-based. */
function begin(of: string) {
	const before = TEXT.slice(0, TEXT.indexOf(of)).split('\n');
	return { line: before.length, column: before.at(-1)!.length + 1 };
}

test('the line of the only call, not one in a comment or a string', () => {
	assert.equal(runningLine(TEXT, begin('(file)'), 'readFileSync', []), 5);
	assert.equal(runningLine(TEXT, begin('(file)'), 'fs.readFileSync', [2]), 5);
});

test('the line that calls a function of Node’s by the name that programs know it by', () => {
	const text = `function pack(data) {
	check(data);
	return zlib.gzipSync(data);
}`;
	assert.equal(runningLine(text, { line: 1, column: 14 }, 'syncBufferWrapper', []), 3);
});

test('a method with types, in which several lines call the function: the one that ran', () => {
	assert.equal(runningLine(TEXT, begin('(rows: string'), 'format', [10, 9]), 10);
	assert.equal(runningLine(TEXT, begin('(rows: string'), 'joined', []), 11);
	assert.equal(runningLine(TEXT, begin('(rows: string'), 'format', []), 10, 'the one that is in no function within it');
});

test('the first line of a function computes nothing, unless its parameters do', () => {
	const text = (head: string) => `const wait = ${head} {
	const end = clock.read() + 300;
	for (start(); clock.read() < end; );
};`;
	const running = (head: string, called: string) => runningLine(text(head), { line: 1, column: 14 }, called, [1]);
	for (const head of ['() =>', 'async (a, { b }) =>', 'function wait(a)']) {
		assert.equal(running(head, 'read'), 3, 'the call in the loop');
		assert.equal(running(head, ''), 3, 'the loop');
	}
	assert.equal(running('(a = sum(all)) =>', ''), 1);
	assert.equal(runningLine('const twice = (row) => format(row) +\n	row;', { line: 1, column: 15 }, '', [1]), 1);
});

test('which functions are given to what is called', () => {
	const isGiven = (text: string) => {
		const [before = '', behind = ''] = text.split('|');
		return isArgument(`\n${before}${behind}`, { line: 2, column: before.length + 1 });
	};
	const given = [
		'new Worker(name, |async (job) => {}, { connection })',
		'run(function |() {})',
		'run(\tasync function* |() {})',
	];
	assert.deepEqual(given.map(isGiven), [true, true, true]);
	const others = [
		'exports.a = |async () => {}',
		'a.b = function |() {}',
		'{ a: |() => 1, b|() {} }',
		'|() => 1',
		'exports.b |(c) {}',
	];
	assert.deepEqual(others.map(isGiven), [false, false, false, false, false]);
	assert.equal(isArgument('', { line: 3, column: 9 }), false);
});

test('which function of V8’s takes the time of a line: the only one that it calls', () => {
	const on = (line: string) => builtInOn(`\n${line}\n`, 2);
	assert.equal(on("return JSON.parse(fs.readFileSync(file, 'utf8'));"), 'JSON.parse');
	assert.equal(on('while (process.cpuUsage().user < until) text = JSON.stringify(rows);'), 'JSON.stringify');
	assert.equal(on('const copy = structuredClone(value); // not JSON.parse(value)'), 'structuredClone');
	const unknown = [
		'JSON.parse(text.replace(/a/g, name))',
		'JSON.parse(JSON.stringify(value))',
		'rows.map((row) => JSON.parse(row))',
		'new Map(JSON.parse(text))',
		'my.JSON.parse(text)',
		'parse(text)',
		`JSON.parse(${'x'.repeat(2000)})`,
	];
	assert.deepEqual(
		unknown.map(on),
		unknown.map(() => ''),
	);
	assert.equal(builtInOn('', 7), '');
});

test('of several calls, the one that is in no function within this one', () => {
	const text = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', (rows) => {
	parentPort.postMessage(rows.length);
});
for (let i = 0; i < 5; i++) {
	const answer = once(worker, 'message');
	worker.postMessage(rows);
}
const send = (rows) => {
	later(() => port.postMessage([]));
	port.postMessage(rows);
};`;
	assert.equal(runningLine(text, { line: 9, column: 14 }, 'postMessage', []), 11);
	assert.equal(runningLine(text, { line: 2, column: 26 }, 'postMessage', []), 3);
	const whole = text.split('\n').slice(0, 8).join('\n');
	assert.equal(runningLine(whole, { line: 1, column: 1 }, 'postMessage', []), 7);
});

test('what the program has compiled itself is on the only line that calls something of a name of its own', () => {
	const text = `function check(text) {
	if (text === '') return false;
	const body = JSON.parse(text.trim());
	return validate(body);
}
const twice = (text) => validate(text) && other.check(text);
function both(text) {
	validate(text);
	report(text);
}`;
	assert.equal(runningLine(text, { line: 1, column: 15 }, 'RegExp in eval code', []), 4);
	assert.equal(runningLine(text, { line: 6, column: 15 }, 'eval code', []), 6);
	assert.equal(runningLine(text, { line: 7, column: 14 }, 'eval code', []), 0);
});

test('of several lines, without another hint, that of a loop', () => {
	assert.equal(runningLine(TEXT, begin('(until)'), 'now', []), 18);
});

test('a line of an inlined function is not a line of the function around it', () => {
	assert.equal(runningLine(TEXT, begin('(until)'), '', [548, 5, 18]), 18);
	assert.equal(runningLine(TEXT, begin('(until)'), '', [548, 5]), 18, 'the only loop');
	assert.equal(runningLine(TEXT, begin('(file)'), '', [548, 15]), 0);
});

test('a part of a loop to which V8 gives the line of the return behind it, or of a bracket', () => {
	const text = `function count(text, until) {
	let words = 0;
	while (now() < until) {
		words += text.split(' ').length;
	}
	return words; // all of them
}
function copied(list) {
	const copy = list.slice();
	return copy;
}`;
	const begin = { line: 1, column: 15 };
	assert.equal(runningLine(text, begin, '', [6, 4]), 4);
	assert.equal(runningLine(text, begin, '', [5, 4]), 4);
	assert.equal(runningLine(text, begin, '', [6]), 3, 'the only loop');
	assert.equal(runningLine(text, { line: 8, column: 16 }, '', [10]), 0, 'nothing is known');
	assert.equal(runningLine(text, { line: 8, column: 16 }, '', [10, 9]), 9);
});

test('an arrow function ends with its expression', () => {
	assert.equal(runningLine(TEXT, begin('(rows) =>'), 'format', []), 0);
	assert.equal(runningLine(TEXT, begin('(row) => format(row) +'), 'format', []), 15);
});

test('the code of a module is all of it', () => {
	assert.equal(runningLine(TEXT, { line: 1, column: 1 }, 'require', []), 1);
});

test('without the text, V8’s own line', () => {
	assert.equal(runningLine('', { line: 3, column: 9 }, 'format', [7]), 7);
	assert.equal(runningLine('', { line: 3, column: 9 }, 'format', []), 0);
});

test('a begin that the text does not have', () => {
	assert.equal(runningLine(TEXT, { line: 900, column: 1 }, 'format', [7]), 0);
});

test('the line that loads a module, among several', () => {
	const text = `const fs = require('node:fs');
const { Pool } = require("pg");
const redis = require('@redis/client/dist');
const own = require('./lib/heavy');
const parts = require('./parts');
for (const each of [1, 2]) use(each);
`;
	const whole = { line: 1, column: 1 };
	const lineOf = (script: string) => runningLine(text, whole, `require(${script})`, []);
	assert.equal(lineOf('/app/node_modules/pg/lib/index.js'), 2);
	assert.equal(lineOf('C:\\app\\node_modules\\@redis\\client\\dist\\index.js'), 3);
	assert.equal(lineOf('/app/lib/heavy.cjs'), 4);
	assert.equal(lineOf('/app/parts/index.js'), 5);
	assert.equal(lineOf('/app/node_modules/other/index.js'), 0, 'no line of it, and not the one of a loop');
	assert.equal(runningLine(text, whole, 'require', []), 0, 'of several lines none is known');
	assert.equal(runningLine('\nrequire(name);', whole, 'require(/app/any.js)', []), 2);
});

test('the line that loads a module whose name is computed, among several', () => {
	const text = `const path = require('node:path');
const pg = require('pg');
const name = process.env.NAME;
const ts = require(name || 'typescript');
const long = require(
	'express',
);
`;
	const lineOf = (script: string, of = text) => runningLine(of, { line: 1, column: 1 }, `require(${script})`, []);
	assert.equal(lineOf('/app/node_modules/typescript/lib/typescript.js'), 4);
	assert.equal(lineOf('/app/node_modules/express/index.js'), 5);
	assert.equal(lineOf('/app/node_modules/pg/lib/index.js'), 2);
	assert.equal(lineOf('/app/parts.js'), 0, 'any of them may lead there by a link');
	assert.equal(lineOf('/app/node_modules/other/index.js', text.replace("name || 'typescript'", "'./lib'")), 0);
	const called = (of: string) => runningLine(of, { line: 1, column: 1 }, 'require', []);
	assert.equal(called(text), 0, 'of several none is known');
	assert.equal(called("const fs = require('fs');\nconst path = require('node:path');\nrequire(name);"), 3);
	assert.equal(called("const fs = require('fs');\nconst path = require('node:path');"), 0);
});

test('a listener is called where its emitter emits, if nothing else calls it', () => {
	const text = `place(order) {
		order.id = 1;
		this.emit('placed', order);
		return order;
	}`;
	const lineOf = (called: string, of = text) =>
		runningLine(`${of}\non('placed', tax);`, { line: 1, column: 6 }, called, []);
	assert.equal(lineOf('tax'), 3);
	assert.equal(lineOf('tax', text.replace('return order', 'return tax(order)')), 4);
	assert.equal(lineOf('tax', text.replace('return order', "return this.emit('done')")), 0, 'either may');
	assert.equal(lineOf(''), 0, 'it ran itself');
	assert.equal(lineOf('readFileSync'), 3, 'nothing else can have called it');
	const other = text.replace('order.id = 1', 'order.check()');
	assert.equal(lineOf('readFileSync', other), 0, 'no listener that is known here');
});

test('calls of functions that have the name of a property of every object', () => {
	const text = `function read(chunk) {
	check(chunk);
	return chunk.toString() + chunk.constructor(1);
}`;
	for (const name of ['toString', 'constructor']) assert.equal(runningLine(text, { line: 1, column: 14 }, name, []), 3);
});

test('of several calls, without another hint, the one after the await that was over', () => {
	const text = `async function main() {
	await sleep(100);
	spin(150);
	await sleep(50);
	for (const each of list) {
		await sleep(30);
		spin(70);
	}
	setTimeout(main, 9);
	spin(1);
}`;
	const begin = { line: 1, column: 20 };
	assert.equal(runningLine(text, begin, 'spin', [], 2), 3);
	assert.equal(runningLine(text, begin, 'spin', [], 6), 7);
	// Not the callback of a timer, and not the wait of another function.
	for (const awaited of [0, 9, 12]) assert.equal(runningLine(text, begin, 'spin', [], awaited), 5);
	assert.equal(runningLine(text, begin, 'spin', [3], 6), 3, 'V8’s own line');
});

test('a function that is given to what calls it', () => {
	const text = `function search(list) {
	const copy = list.slice();
	copy.sort(byName);
	return copy.reduce(twice, 0) + list.reduce(twice,
		0);
}`;
	assert.equal(runningLine(text, { line: 1, column: 16 }, 'byName', []), 3);
	assert.equal(runningLine(text, { line: 1, column: 16 }, 'list', []), 0, 'a parameter is no argument');
	assert.equal(runningLine(text, { line: 1, column: 16 }, 'byName', [2]), 2, 'V8’s own line');
});

test('a method that is given to what calls it', () => {
	for (const given of ['Ranking.#compare', 'this.#compare.bind(this)', 'by.#compare, 1']) {
		const text = `function top(rows) {\n	const all = [...rows];\n	all.sort(${given});\n	return all;\n}`;
		assert.equal(runningLine(text, { line: 1, column: 13 }, '#compare', []), 3, given);
	}
});

test('a tagged template calls its tag, and a template calls what is called in it', () => {
	const text = `function page(rows) {
	const title = \`list html\`;
	return html\`<h1>\${title}</h1>
		<ul>\${list(rows)}</ul>
		<p>\${rows.map(Row).join(')')}</p>\`;
}`;
	assert.equal(runningLine(text, { line: 1, column: 14 }, 'html', []), 3);
	assert.equal(runningLine(text, { line: 1, column: 14 }, 'list', []), 4);
	assert.equal(runningLine(text, { line: 1, column: 14 }, 'Row', []), 5);
});

test('a getter runs where its property is used', () => {
	const text = `function show(post, html) {
	const other = html(post.id);
	return post.html;
}`;
	assert.equal(runningLine(text, { line: 1, column: 14 }, 'get html', []), 3);
});

test('a function that has another name than it is called by: on the only line that can call it', () => {
	const text = `const { marked } = require('marked');
const check = (text) => text !== '';
function html(source) {
	if (!check(source)) return '';
	const parts = source.split('#').map(String);
	return marked.parse(parts.join());
}
function both(source) {
	marked.use(source);
	return marked.parse(source);
}
function each(rows, format) {
	log(rows);
	return rows.map(format);
}`;
	assert.equal(runningLine(text, { line: 3, column: 14 }, 'x', []), 6);
	assert.equal(runningLine(text, { line: 3, column: 14 }, NAMELESS, []), 6);
	assert.equal(runningLine(text, { line: 8, column: 14 }, 'x', []), 0, 'either line may');
	assert.equal(runningLine(text, { line: 12, column: 14 }, 'x', []), 0, 'either line may');
	assert.equal(runningLine(text, { line: 3, column: 14 }, '', []), 0, 'it ran itself');
	assert.equal(runningLine(text, { line: 3, column: 14 }, 'x', [5]), 5, 'V8’s own line');
	assert.equal(runningLine(text, { line: 1, column: 1 }, 'x', []), 0, 'a module calls too much');
});

test('of several such lines, the one that calls what a variable or parameter holds', () => {
	const text = `const hash: Hash = makeHasher(60);
function page(data) {
	const template = Handlebars.compile(source);
	return template(data);
}
app.get('/list', async (req, res, next) => {
	try {
		res.type('html');
		res.send(hash(rows));
	} catch (error) {
		next(error);
	}
});
function timed(original, context) {
	log.start(context);
	return original.call(this);
}
function twice(a, b) {
	a();
	b();
}
function apply(rows: Row[], format: (row: Row) => string) {
	const found = table.rows(rows);
	return format(found);
}`;
	assert.equal(runningLine(text, { line: 2, column: 14 }, 'ret', []), 4);
	assert.equal(runningLine(text, { line: 6, column: 24 }, NAMELESS, []), 9);
	assert.equal(runningLine(text, { line: 6, column: 24 }, 'eval code', []), 9);
	assert.equal(runningLine(text, { line: 14, column: 15 }, 'digest', []), 16);
	assert.equal(runningLine(text, { line: 18, column: 15 }, 'digest', []), 0, 'either line may');
	assert.equal(runningLine(text, { line: 22, column: 15 }, 'digest', []), 24);
});

test('what is behind a function’s end is not within it', () => {
	const text = `const span = (name, f) => { const t = now(); return f() - t; };
function login() {
	return span('login', () => hash());
}
`;
	assert.equal(isWithin(text, { line: 1, column: 14 }, { line: 3, column: 23 }), false);
	assert.equal(isWithin(text, { line: 2, column: 15 }, { line: 3, column: 23 }), true);
	assert.equal(isWithin(text, { line: 1, column: 1 }, { line: 3, column: 23 }), true, 'the module');
	assert.equal(isWithin('', { line: 1, column: 14 }, { line: 3, column: 23 }), true, 'nobody knows');
});

test('a library’s function is called on the only line that calls what the script has imported from that library', () => {
	const text = `import Papa from 'papaparse';
import { log, read as load } from "@scope/files/lib";
const { a, parse: parseXml } = require('fast-xml-parser');
class Sink {
	_final(callback) {
		const { data } = Papa.parse(String(this.chunks), { header: true });
		log(data);
		callback(parseXml(load()));
	}
}`;
	const lineOf = (library: string, called = 'x') => runningLine(text, { line: 5, column: 8 }, called, [], 0, library);
	assert.equal(lineOf('papaparse'), 6);
	assert.equal(lineOf('papaparse', NAMELESS), 6);
	assert.equal(lineOf('fast-xml-parser'), 8);
	assert.equal(lineOf('@scope/files'), 0, 'either line may');
	assert.equal(lineOf('other'), 0);
	assert.equal(lineOf(''), 0);
});

test('what a module’s own code calls under a name that it has given was on its first line', () => {
	const text = `import Fastify from 'fastify';
import { a, b } from 'other';
const app = Fastify();
app.get('/', () => a());
app.post('/', () => b());
b(app);
`;
	const lineOf = (called: string, library: string) => runningLine(text, { line: 1, column: 1 }, called, [], 0, library);
	assert.equal(lineOf('fastify', 'fastify'), 3);
	assert.equal(lineOf('x', 'other'), 6);
	assert.equal(lineOf('x', 'fastify'), 0, 'one of several lines');
});

test('of what a library has made and what makes it, the line that calls the former', () => {
	const text = `const Handlebars = require('handlebars');
const parser = new Handlebars.Parser();
function page(data) {
	const template = Handlebars.compile(source);
	return template(data);
}
function parse(text) {
	check(text);
	return parser.parse(text);
}`;
	assert.equal(runningLine(text, { line: 3, column: 14 }, 'ret', [], 0, 'handlebars'), 5);
	assert.equal(runningLine(text, { line: 7, column: 15 }, 'x', [], 0, 'handlebars'), 9);
});

test('what computes the fields of an object was called where one is made', () => {
	const text = `function handler(response) {
	const session = new Session();
	response.end(session.id);
}`;
	assert.equal(runningLine(text, { line: 1, column: 17 }, '<instance_members_initializer>', []), 2);
});

test('where a class begins, its constructor is one that nobody has written', () => {
	const text = 'const a = 1;\n\tclass Session {\n\t\tconstructor() {}\n\t}\nclassify();';
	assert.equal(isClass(text, { line: 2, column: 2 }), true);
	assert.equal(isClass(text, { line: 3, column: 14 }), false);
	assert.equal(isClass(text, { line: 5, column: 1 }), false);
	assert.equal(isClass(text, { line: 9, column: 1 }), false);
});

test('of two loops that call it, without another hint, neither', () => {
	const text = `function both(list) {
	for (const each of list) check(each);
	while (list.length > 0) check(list.pop());
}`;
	assert.equal(runningLine(text, { line: 1, column: 14 }, 'check', []), 0);
	assert.equal(runningLine(text, { line: 1, column: 14 }, 'check', [3]), 3);
});

test('a regular expression is on the line that uses one', () => {
	const text = `function check(list) {
	const all = list.map(String);
	return all.filter((each) => PATTERN.test(each));
}`;
	assert.equal(runningLine(text, { line: 1, column: 15 }, 'RegExp', []), 3);
});

test('a line that only calls one function does nothing else that takes time', () => {
	const only = (line: string, name = 'toCsv') => callsOnly(`\n${line}\n`, 2, name);
	for (const line of [
		'	return toCsv(rows);',
		"const text = await this.toCsv(rows, 'a(b)'); // (c)",
		'if (toCsv(a.b[0]) > 1 + n) {',
		'sum += api?.toCsv?.(x)',
	])
		assert.ok(only(line), line);
	assert.ok(only('api.toCsv(rows)', 'Object.toCsv'));
	const others = [
		'return toCsv(sorted(rows));',
		'for (const row of rows) toCsv(row);',
		'rows.map((row) => toCsv(row));',
		'return `$'.concat('{toCsv(rows)}`;'),
	];
	for (const line of [
		...others,
		'toCsv([...rows])',
		'new toCsv(rows)',
		'return other(rows);',
		"x = toCsv(rows) + 'open",
		`toCsv(${'a'.repeat(300)})`,
	])
		assert.ok(!only(line), line);
});
