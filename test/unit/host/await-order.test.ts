// Which awaits certainly need not wait for one another: each program marks the call that starts an operation with `»`.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AwaitOrder, type AwaitsInScript } from '../../../src/host/script/await-order.ts';

function around(marked: string, isTypeScript = false): AwaitsInScript | null {
	const [before = '', after = ''] = marked.split('»');
	const lines = before.split('\n');
	return new AwaitOrder({ text: before + after, isTypeScript }).around({
		line: lines.length,
		column: lines.at(-1)!.length + 1,
	});
}

/** The lines of the awaits that could run together; empty where nothing is certain. */
function together(text: string): number[] {
	return around(text)?.together?.awaits.map(({ line }) => line) ?? [];
}

/** The lines of the code that runs for each item; null where nothing is certain. */
function loop(text: string): [number, number][] | null {
	return around(text)?.loop?.map(({ from, to }) => [from.line, to.line]) ?? null;
}

const inAsync = (body: string) => `async function main(id, ids) {\n${body}\n}`;

test('together: neighbours that only read, and do not use each other’s result', () => {
	const two = inAsync('const a = await »fetch("/a" + id);\nconst b = await fetch("/b" + id);');
	assert.deepEqual(around(two)?.together, {
		awaits: [
			{ line: 2, column: 17 },
			{ line: 3, column: 17 },
		],
		index: 0,
	});
	const second = inAsync('const a = await fetch("/a");\nconst { b } = await »fetch("/b", { headers: { id } });');
	assert.equal(around(second)?.together?.index, 1);
	const files = `import { readFile } from 'node:fs/promises';\nconst a = await »readFile('a');\nconst b = await readFile('b');`;
	assert.deepEqual(together(files), [2, 3]);
	const required = `const fs = require('fs');\n${inAsync('const a = await fs.promises.»stat(id);\nconst b = await fetch(id);')}`;
	assert.deepEqual(together(required), [3, 4]);
	const row = inAsync(
		'const a = await fetch("/a");\nconst b = await »fetch(a.url);\nconst c = await fetch("/c");\nf();\nconst d = await fetch("/d");',
	);
	assert.deepEqual(together(row), [3, 4], 'from where the result of the first is used, up to another statement');
});

test('together: where addresses come from a server of the program', () => {
	const url = (path: string) => `\`http://127.0.0.1:\${server.address().port}/${path}\``;
	assert.deepEqual(
		together(inAsync(`const a = await »fetch(${url('a')});\nconst b = await fetch(${url('b')});`)),
		[2, 3],
	);
});

test('together: where functions of the script compute what is asked for', () => {
	const two = inAsync('const a = await »fetch(url("a"));\nconst b = await fetch(url("b"));');
	assert.deepEqual(
		together(`const url = (path) => { const full = base + path; return full.trim(); };\n${two}`),
		[3, 4],
	);
	assert.deepEqual(
		together(`function url(path) { return path === '' ? base : url(''); }\n${two}`),
		[],
		'it calls itself',
	);
	assert.deepEqual(together(`let n = 0; const url = (path) => path + n++;\n${two}`), [], 'it changes something');
	assert.deepEqual(together(`const url = (path) => sign(path);\n${two}`), [], 'what it calls is unknown');
	const uses = inAsync('const a = await »fetch(url("a"));\nlast = a;\nconst b = await fetch(url("b"));');
	assert.deepEqual(together(`const url = (path) => path;\n${uses}`), []);
});

test('together: what is taken of an answer in the same declaration', () => {
	for (const [first, second] of [
		['await (await »fetch("/a")).json()', 'await (await fetch("/b")).json()'],
		['(await »fetch("/a")).status', '(await fetch("/b"))?.headers'],
		['(await (await »fetch("/a")).text()).trim().split(id)[0]', 'await fetch("/b").then((b) => b.json())'],
		['await »fetch("/a").then((a) => a.json()).then((a) => a.rows)', '(await (await fetch("/b")).json()).rows'],
		['await (await »fetch("/a")).blob()', 'await fetch("/b")'],
	] as const) {
		const two = inAsync(`const a = ${first};\nconst b = ${second};`);
		assert.deepEqual(together(two), [2, 3], two);
		const other = inAsync(`const a = ${first.replace('»', '')};\nconst b = ${second.replace('fetch', '»fetch')};`);
		assert.equal(around(other)?.together?.index, 1, other);
	}
	for (const [first, second] of [
		['await (await »fetch("/a")).json()', 'await (await fetch(a.url)).json()'],
		['await (await »fetch("/a")).json()', '(await fetch("/b")).headers[a.name]'],
		['await (await »fetch("/a")).json()', 'await send(await fetch("/b"))'],
		['await (await »fetch("/a")).json()', 'await (await fetch("/b")).body.pipeTo(id)'],
		['await (await »fetch("/a")).json()', '(await fetch("/b")).headers.get(next())'],
		['await (await »fetch("/a")).json()', '[await fetch("/b"), await fetch("/c")]'],
	] as const) {
		const two = inAsync(`const a = ${first};\nconst b = ${second};`);
		assert.deepEqual(together(two), [], two);
	}
});

test('together: where something is taken of each answer before the next question', () => {
	const two = (taken: string, second: string) =>
		inAsync(`const a = await »fetch("/a");\n${taken};\nconst b = await fetch(${second});\nconst d = await b.json();`);
	assert.deepEqual(together(two('const c = await a.json()', '"/b"')), [2, 4]);
	assert.deepEqual(together(two('const { c = 0 } = a.data', '"/b"')), [2, 4]);
	assert.deepEqual(together(two('const c = await a.json()', 'c.url')), [], 'the next question follows from it');
	assert.deepEqual(together(two('const c = await id.json()', '"/b"')), [], 'who knows what that is');
	assert.deepEqual(together(two('const c = await a.json(next())', '"/b"')), []);
	assert.deepEqual(together(two('const { c = next() } = a', '"/b"')), []);
	assert.deepEqual(together(two('if (!a.ok) return', '"/b"')), [], 'only if the first was answered well');
});

test('together: by functions of the script that only read, called in one place', () => {
	const load =
		'async function a(id) {\n const answer = await »fetch("/a" + id);\n if (!answer.ok) throw new Error("a");\n return answer.json();\n}\n';
	const other = 'const b = async (id) => (await fetch("/b" + id)).json();\n';
	const main = inAsync('const one = await a(id);\nconst two = await b(id);');
	assert.deepEqual(together(load + other + main), [8, 9]);
	assert.deepEqual(together(`${load}${other}${main}\na(1);`), [], 'whose time it is, is not known');
	assert.deepEqual(together(`export ${load}${other}${main}`), []);
	assert.deepEqual(together(`export default ${load}${other}${main}`), []);
	const fromOther = load.replace('»', '') + other.replace('fetch', '»fetch') + main;
	assert.deepEqual(together(fromOther), [8, 9]);
	assert.deepEqual(together(fromOther.replace('const b', 'export const b')), [], 'others may call it too');
	assert.deepEqual(together(`${load}${other}${main}\nexport { a };`), []);
	const counting = `let count = 0;\n${load.replace('if', 'count++; if')}`;
	assert.deepEqual(together(counting + other + main), [], 'it changes something');
	const closure = load.replace('"/a" + id', '"/a" + two').replace('async function a', 'async function b');
	const first = 'const a = async (id) => (await fetch("/b" + id)).json();\n';
	const reads = 'let two;\nconst c = await a(1);\nconst d = await b(2);';
	assert.deepEqual(together(closure + first + reads), [8, 9]);
	assert.deepEqual(together(closure.replace('+ two', '+ c') + first + reads), [], 'its function uses the result');
});

test('together: nothing where it is not certain', () => {
	for (const body of [
		'const a = await »fetch("/a");\nconst b = await fetch(a.url);',
		'const { url } = await »fetch("/a");\nconst b = await fetch("/" + url);',
		'const a = await »fetch("/a");\nsend(a);\nconst b = await fetch("/b");',
		'const a = await »fetch("/a", { method: "POST" });\nconst b = await fetch("/b", { method: "POST" });',
		'const a = await »fetch("/a", id);\nconst b = await fetch("/b", id);',
		'const a = await »fetch(next());\nconst b = await fetch(next());',
		'const a = await »fetch(id++);\nconst b = await fetch(id++);',
		'const a = await client.»query("begin");\nconst b = await client.query("commit");',
		'await »fetch("/a");\nawait fetch("/b");',
		'const a = await »fetch("/a"), b = await fetch("/b");',
		'const a = »fetch("/a");\nconst b = await fetch("/b");',
		'const { a = f() } = await »fetch("/a");\nconst b = await fetch("/b");',
		'const fetch = client.fetch;\nconst a = await »fetch("/a");\nconst b = await fetch("/b");',
		'const fs = mine();\nconst a = await fs.»readFile("/a");\nconst b = await fs.readFile("/b");',
	]) {
		assert.deepEqual(together(inAsync(body)), [], body);
	}
	assert.deepEqual(together('async function f( {\n const a = await »fetch(1);'), [], 'no JavaScript');
});

test('loop: items that are read one after the other', () => {
	const push =
		'const found = [];\nfor (const each of ids) {\nconst a = await »fetch("/" + each);\nif (!a.ok) continue;\nfound.push(await a.json());\n}';
	assert.deepEqual(loop(inAsync(push)), [[3, 7]]);
	const counted = 'const all = {};\nfor (let i = 0; i < ids.length; i++) all[i] = await »fetch(ids[i]);';
	assert.deepEqual(loop(inAsync(counted)), [[3, 3]]);
	const throws = 'for (const each in ids) { const a = await »fetch(each); if (!a.ok) throw new Error(each); }';
	assert.deepEqual(loop(inAsync(throws)), [[2, 2]]);
	const local =
		'for (const each of ids) { let url = "/"; url += each; const a = await »fetch(url); console.log(a.status); }';
	assert.deepEqual(loop(inAsync(local)), [[2, 2]]);
	const called = `async function load(id) {\nreturn await »fetch(id);\n}\n${inAsync('for (const each of ids) {\nconst a = await load(each);\n}')}`;
	assert.deepEqual(
		loop(called),
		[
			[5, 7],
			[1, 3],
		],
		'with the function that it calls',
	);
});

test('loop: nothing where one item may depend on another', () => {
	for (const body of [
		'let next = "/";\nfor (const each of ids) { const a = await »fetch(next); next = a.url; }',
		'let next = "/";\nfor (const each of ids) { let url; url = next; const a = await »fetch(url); next = a.url; }',
		'const at = new URL("http://a");\nfor (const each of ids) { const a = await »fetch(at); at.searchParams.set("next", a.url); }',
		'for (const each of ids) { const a = await »fetch(each); ids.push(a.url); }',
		'for (const each of ids) { const all = ids; const a = await »fetch(each); all.push(a.url); }',
		'for (const each of ids) { const a = await »fetch(each); if (a.ok) break; }',
		'for (const each of ids) { const a = await »fetch(each); if (a.ok) return a; }',
		'for (const each of ids) { const a = await »fetch(each); await sleep(100); }',
		'for (const each of ids) { const a = await »fetch(each); await client.save(a); }',
		'for (const each of ids) { const a = await »fetch(each); handle(a); }',
		'for (const each of ids) { const a = await »fetch(each); const b = save(a); await b; }',
		'for (const each of ids) { const a = await »fetch(each, { method: "PUT" }); }',
		'for (const each of ids) { await Promise.all([»fetch(each)]); }',
		'for (const each of ids) { var next; const a = await »fetch(next); next = a.url; }',
		'for await (const each of ids) { const a = await »fetch(each); }',
		'while (id) { const a = await »fetch("/"); id = a.next; }',
		'for (let url = "/"; url; ) { const a = await »fetch(url); url = a.url; }',
		'for (let i = 0; i < 9; i++) { const a = await »fetch(i); i += a.skip; }',
		'for (let i = 0; i < id; i++) { const a = await »fetch(i); id = a.count; }',
		'for (const each of ids) { ids.forEach(async () => { const a = await »fetch(each); }); }',
		'const a = await »fetch(id);',
	]) {
		assert.deepEqual(loop(inAsync(body)), null, body);
	}
});

test('loop: an item that is asked for only as long as those before have brought nothing depends on them', () => {
	for (const body of [
		'let a;\nfor (const each of ids) { if (a) continue; a = await »fetch(each); }',
		'let left = 9;\nfor (const each of ids) { if (left > 0) { const a = await »fetch(each); left -= a.status; } }',
		'let a;\nfor (const each of ids) a ??= await »fetch(each);',
		'let a;\nfor (const each of ids) a = a || (await »fetch(each));',
		'let isDone;\nfor (const each of ids) { const a = isDone ? null : await »fetch(each); isDone = a?.ok; }',
	]) {
		assert.equal(loop(inAsync(body)), null, body);
	}
	const own =
		'for (const each of ids) { if (!each.isNew) continue; const a = await »fetch(each); if (!a.ok) missing.push(each); }';
	assert.deepEqual(loop(inAsync(own)), [[2, 2]], 'conditions of its own');
});

test('loop: what one item writes with a synchronous call may be what the next one reads', () => {
	const read = "const fs = require('fs');\nconst fsp = require('fs/promises');\n";
	const body = (call: string) =>
		`${read}${inAsync(`for (const each of ids) { const a = await fsp.»readFile(each); ${call}; }`)}`;
	assert.equal(loop(body('fs.writeFileSync("a", a)')), null);
	assert.deepEqual(loop(body('console.log(fs.existsSync("a"))')), [[4, 4]]);
});

test('loop: the same question again and again is no item', () => {
	for (const body of [
		'for (const each of ids) { const a = await »fetch("/status"); console.log(each, a.status); }',
		'const times = [];\nfor (let i = 0; i < 9; i++) times.push(await »fetch(id));',
	]) {
		assert.equal(loop(inAsync(body)), null, body);
	}
});

test('loop: a generator may make an item of what the one before has brought', () => {
	const pages = 'let next = "/";\nfunction* pages() { while (next) yield next; }\n';
	const body = (of: string) => `for (const each of ${of}) { const a = await »fetch(each); console.log(a.url); }`;
	assert.equal(loop(pages + inAsync(body('pages()'))), null);
	assert.equal(loop(pages + inAsync(`const all = pages();\n${body('all')}`)), null);
	assert.deepEqual(loop(inAsync(body('list()'))), [[2, 2]]);
});

test('chained: each question follows from the answers before', () => {
	const isChained = (body: string) => around(inAsync(body))?.isChained ?? false;
	for (const body of [
		'let url = "/";\nwhile (url) { const a = await »fetch(url); url = a.next; }',
		'let url = "/";\nfor (let i = 0; i < 8; i++) { const a = await »fetch(url); ({ url } = await a.json()); }',
		'let last = 0;\ndo { const { rows } = await client.»query("…", [last]); last = rows.at(-1)?.id; } while (last);',
		'let offset = 0;\nfor (;;) { const a = await client.»query("…", offset); if (a.rows.length === 0) break; offset += 10; }',
		'let a;\nwhile (a !== "done") { a = await client.»get("status"); await sleep(50); }',
		'while (!(await client.»get("status"))) await sleep(50);',
		'for (let i = 0; i < 5; i++) { const a = await »fetch("/"); if (a.ok) return a; await sleep(50); }',
		'const queue = [id];\nwhile (queue.length) { const next = queue.shift(); const a = await »fetch(next); queue.push(...a.links); }',
		'const queue = [id];\nfor (const next of queue) { const a = await »fetch(next); queue.push(...a.links); }',
	]) {
		assert.ok(isChained(body), body);
	}
	for (const body of [
		'for (const each of ids) { const a = await »fetch(each); all.push(a); }',
		'for (const each of ids) each.rows = await client.»query("…", [each.id]);',
		'for (let i = 0; i < ids.length; i++) ids[i].rows = await client.»query("…", [ids[i].id]);',
		'while (ids.length) { const next = ids.pop(); const a = await »fetch(next); all.push(a); }',
		'for (const each of ids) { const a = await »fetch(each); if (a.ok) return a; }',
		'for (const each of ids) { const a = await client.»query("settings"); all.push(a); }',
		'let url = "/";\nconst a = await »fetch(url); url = a.next;',
	]) {
		assert.ok(!isChained(body), body);
	}
	const called = `async function page(url) { return (await »fetch(url)).json(); }\n`;
	const loop = inAsync('let url = "/";\nwhile (url) { const a = await page(url); url = a.next; }');
	assert.equal(around(called + loop)?.isChained, true, 'in the function that it awaits');
});

test('ways: different questions through one function are none of a loop', () => {
	const ways = (text: string) => around(text)?.ways ?? 0;
	const client = 'class Client { async #get(path) { return await »fetch(path); }\n';
	const load = 'async load(ids) { const a = await this.#get("/a"); const b = await this.#get("/b"); return [a, b];';
	const serve = 'http.createServer(async (req, res) => res.end(await new Client().load([])));';
	assert.equal(ways(`${client}${load} } }\n${serve}`), 2);
	assert.equal(ways(`${client}${load} } async both() { return [await this.load(), await this.load()]; } }`), 4);
	const asks = 'async function ask(id) { return await »fetch(id); }\n';
	assert.equal(
		ways(`${asks}app.get("/", async (req, res) => { const a = await ask(1); res.send(await ask(a)); });`),
		2,
	);
	assert.equal(ways(`${asks}module.exports = async () => { for (const each of await ask(1)) log(each); };`), 1);
	assert.equal(ways(`${asks}module.exports = { ask };`), 1, 'called from other scripts, nobody knows how often');
	for (const again of [
		'for (const id of ids) await ask(id);',
		'while (await ask(1)) sleep();',
		'await Promise.all(ids.map(ask));',
		'await Promise.all(ids.map((id) => ask(id)));',
		'each(ids, async (id) => { await ask(id); });',
		'async function next(i) { await ask(i); await next(i + 1); }\nnext(0);',
		'function* all() { yield ask(1); }',
	]) {
		assert.equal(ways(`${asks}async function main(ids) { await ask(0); }\n${again}`), 0, again);
		assert.equal(
			ways(`${asks.replaceAll('ask', 'inner')}async function ask(id) { return await inner(id); }\n${again}`),
			0,
			again,
		);
	}
	const nested =
		'const get = async () => »fetch("/");\n'.repeat(1) +
		Array.from(
			{ length: 12 },
			(_, i) =>
				`const f${i} = async () => [await ${i === 0 ? 'get' : `f${i - 1}`}(), await ${i === 0 ? 'get' : `f${i - 1}`}()];`,
		).join('\n');
	assert.equal(ways(nested), 0, 'more than anybody writes is not counted');
});

test('questions that the callers in other scripts say are theirs', () => {
	const isForOthers = (text: string) => around(text)?.asksForOthers ?? false;
	for (const text of [
		'export async function query(text, values) { const { rows } = await pool.»query(text, values); return rows; }',
		'const query = async (text) => await pool.»query(text);\nmodule.exports = { query };',
		'const query = async (text) => await pool.»query(text);\nexport { query };\nquery("begin");',
		'exports.query = async (text) => await pool.»query(text);',
		`export class Client { async get(path) { const url = \`/api/v2\${path}\`; return await »fetch(url); } }`,
		'export default { async get(path) { return await »fetch(new URL(path, "https://example.org/")); } };',
		'const clientOf = (base) => async (path) => await »fetch(base + path);',
	])
		assert.ok(isForOthers(text), text);
	for (const text of [
		'export async function books(author) { return await pool.»query("select * from books where author = $1", [author]); }',
		`export const item = async (id) => await »fetch(\`/item/\${id}\`);`,
		'export const item = async (id) => await »fetch(base + pathOf(id));',
		'export const all = async () => await pool.»query(ALL);',
		'async function query(text) { return await pool.»query(text); }\nfor (const id of ids) await query(id);',
		'class Client { async #get(path) { return await »fetch(path); } }',
		'app.get("/", async (req, res) => { await »fetch(req.url); });',
		'await »fetch(url);',
	])
		assert.ok(!isForOthers(text), text);
});

test('in TypeScript, types change nothing', () => {
	const stretches = (text: string) => around(text, true)?.loop?.map(({ from, to }) => [from.line, to.line]) ?? null;
	const body = [
		'type Ids = readonly number[]; interface Item { id: number } declare const fetch: (url: string) => Promise<Response>;',
		'export async function main<T extends Item>(ids: Ids, all?: T[]): Promise<void> {',
		'	for (const id of ids as number[]) {',
		'		const answer = (await »fetch(id)) as Response;',
		'		all!.push((await answer.json()) satisfies T);',
		'	}',
		'}',
	];
	assert.deepEqual(stretches(body.join('\n')), [[3, 6]]);
	const called =
		'async function f(this: X, id: number) { const a = await »read<T>(id); const b: T = await read<T>(2)!; }';
	assert.equal(
		around(`${called} async function read<T>(id: number): Promise<T> { return (await fetch(id)).json(); }`, true)
			?.together?.awaits.length,
		2,
	);
	const imported =
		'import fs = require("fs"); class A { constructor(private id: string) {} abstract b(): void; c(): void;';
	const method = 'async c() { const a = await »fs.promises.stat(x); const b = await fs.promises.stat<any>(y); } }';
	assert.equal(around(`${imported.replace('class', 'abstract class')} ${method}`, true)?.together?.awaits.length, 2);
	const space =
		'namespace N.M { enum E { A } export async function f() { const a = await »fetch(E.A); const b = await fetch(2); } }';
	assert.equal(around(space, true)?.together?.awaits.length, 2);
	const nothing = 'export default interface I {} export = x; import type { T } from "t"; declare module "m" {}';
	assert.equal(
		around(`${nothing} const a = await »fetch(1); const b = await fetch(2);`, true)?.together?.awaits.length,
		2,
	);
});

test('types are no JavaScript, and a text that is neither has nothing', () => {
	const typed = 'const a: number = await »fetch(1); const b = await fetch(2);';
	assert.equal(around(typed), null);
	assert.notEqual(around(typed, true), null);
	assert.equal(around(`${typed} const = ;`, true), null);
	// As JavaScript, this compares.
	const asked = 'const a = await »fetch<A>(1); const b = await fetch<B>(2);';
	assert.equal(around(asked), null);
	assert.notEqual(around(asked, true), null);
});

test('a text that can be read as types in ever more ways is given up', () => {
	const nested = `${'<T>('.repeat(40)}1${')'.repeat(40)}`;
	assert.equal(around(`const a = await »fetch(1); const b = await fetch(2); ${nested}`, true), null);
});

test('types in types, deeper than V8’s stack reaches, are not searched', () => {
	const deep = `type A = ${'{ a: '.repeat(20_000)}1${'}'.repeat(20_000)};`;
	assert.equal(around(`const a = await »fetch(1); const b = await fetch(2); ${deep}`, true), null);
});

test('a text made to be searched endlessly is given up', () => {
	const nested = `${'String('.repeat(300)}id${')'.repeat(300)}`;
	const body = Array.from({ length: 300 }, () => `for (const id of ids) { const a = await fetch(${nested}); }`);
	const order = new AwaitOrder({ text: inAsync(body.join('\n')), isTypeScript: false });
	const found = body.map((line, i) => order.around({ line: i + 2, column: line.indexOf('fetch') + 1 }));
	assert.notEqual(found[0], null);
	assert.equal(found.at(-1), null);
});

test('texts that nest too deeply, or call themselves, are no harm', () => {
	assert.equal(around(`${'('.repeat(100_000)}»f()${')'.repeat(100_000)}`), null);
	const self = 'async function a(id) {\n const b = await »fetch(id);\n const c = await a(id);\n}';
	assert.deepEqual(together(self), []);
});

test('together: what well-known clients of HTTP only read', () => {
	const two = (first: string, second: string) => inAsync(`const a = await »${first};\nconst b = await ${second};`);
	const api = `import axios from 'axios';\nconst api = axios.create({ baseURL });\n`;
	assert.deepEqual(together(api + two('api.get("/a")', 'axios.get("/b", { params: { id } })')), [4, 5]);
	assert.deepEqual(together(api + two('api.post("/a")', 'api.post("/b")')), []);
	assert.deepEqual(together(api + two('api({ url, method })', 'api("/b")')), [], 'its options may say anything');
	const others = `const fetch = require('node-fetch');\nconst { request } = require('undici');\nconst got = require('got');\n`;
	assert.deepEqual(together(others + two('fetch(id)', 'request(id)')), [5, 6]);
	assert.deepEqual(together(others + two('got(id).json()', 'fetch(id).then((r) => r.json())')), [5, 6]);
	assert.deepEqual(together(others + two('fetch(id, { method: "PUT" })', 'request(id)')), []);
	assert.deepEqual(
		together(two('fetch(id).then((r) => seen.push(r))', 'fetch("/b")')),
		[],
		'that is noticed elsewhere',
	);
	assert.deepEqual(together(two('client.get("/a")', 'client.get("/b")')), [], 'nobody knows that client');
});

test('together: what a database’s pool only reads', () => {
	const pool = `const { Pool } = require('pg');\nconst pool = new Pool({ max: 4 });\n`;
	const two = (first: string, second: string) =>
		inAsync(`const a = await »pool.query(${first});\nconst b = await pool.query(${second});`);
	assert.deepEqual(together(pool + two("'SELECT * FROM a WHERE id = $1', [id]", '`select count(*) from b`')), [4, 5]);
	assert.equal(around(pool + two("'SELECT 1'", "'SELECT 2'"))?.atOnce, 4);
	const mysql = `import mysql from 'mysql2/promise';\nconst pool = mysql.createPool({ host });\n`;
	assert.deepEqual(together(mysql + two("'SELECT 1'", "'SELECT 2'")), [4, 5]);
	assert.equal(around(mysql + two("'SELECT 1'", "'SELECT 2'"))?.atOnce, 10);
	for (const text of [
		"'INSERT INTO a VALUES (1)'",
		"'SELECT * FROM a FOR UPDATE'",
		"'SELECT next_number()'",
		"'SELECT 1; DELETE FROM a'",
		"'SELECT 1 INTO b'",
		'text',
		`\`SELECT \${text}\``,
	]) {
		assert.deepEqual(together(pool + two(text, "'SELECT 1'")), [], text);
	}
	const client = `const { Client } = require('pg');\nconst pool = new Client();\n`;
	assert.deepEqual(together(client + two("'SELECT 1'", "'SELECT 2'")), [], 'one connection, maybe in a transaction');
	const borrowed = inAsync(
		"const client = await pool.connect();\nconst a = await »client.query('SELECT 1');\nconst b = await client.query('SELECT 2');",
	);
	assert.deepEqual(together(pool + borrowed), []);
	const redis = `import Redis from 'ioredis';\nconst redis = new Redis();\n`;
	assert.deepEqual(
		together(redis + inAsync('const a = await »redis.get(id);\nconst b = await redis.hgetall(id);')),
		[4, 5],
	);
	assert.deepEqual(together(redis + inAsync('const a = await »redis.incr(id);\nconst b = await redis.get(id);')), []);
});
