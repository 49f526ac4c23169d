// A server sends the headers of its responses with a part of the body, and the rest some time after two clients have those. Clients of two kinds wait for such
// responses, and print what they saw. Other responses come whole, and some are broken off a while after their headers.
const http = require('node:http');
const { setImmediate: turn, setTimeout: pause } = require('node:timers/promises');

const REST_MS = 60;
/** Responses that have begun, by path. */
const open = new Map();
/** When the rest of each was sent, ms. */
const sent = new Map();

const server = http.createServer((request, response) => {
	if (request.url === '/whole') return void response.end('whole');
	if (request.url === '/silent') return;
	response.write('first, ');
	if (request.url !== '/never') open.set(request.url, { response, isRead: false });
});

/** A client has the headers of the response to that path. */
function read(path) {
	open.get(path).isRead = true;
	if ([...open.values()].filter(({ isRead }) => isRead).length < 2) return;
	setTimeout(() => {
		for (const [each, { response }] of open) {
			sent.set(each, performance.now());
			response.end('rest');
		}
		open.clear();
	}, REST_MS);
}

function print(what, asked, least) {
	console.log(`${what}: ${asked.toFixed(3)} to ${performance.now().toFixed(3)} ms, at least ${least.toFixed(3)} ms`);
}

async function fetchIn(url, path) {
	const asked = performance.now();
	const answer = await fetch(url + path); // by fetch
	const head = performance.now();
	read(path);
	const text = await answer.text();
	print(`fetch ${path}`, asked, sent.get(path) - head);
	return text;
}

async function getIn(url, path) {
	const asked = performance.now();
	const answer = await new Promise((resolve) => http.get(url + path, resolve)); // by http
	const head = performance.now();
	read(path);
	let text = '';
	for await (const piece of answer) text += piece;
	print(`http ${path}`, asked, sent.get(path) - head);
	return text;
}

async function whole(url) {
	await (await fetch(`${url}/whole`)).text(); // whole by fetch
	const answer = await new Promise((resolve) => http.get(`${url}/whole`, resolve)); // whole by http
	for await (const piece of answer) String(piece);
}

async function breakOff(url) {
	const controller = new AbortController();
	const asked = performance.now();
	await fetch(`${url}/never`, { signal: controller.signal }); // broken off by fetch
	const head = performance.now();
	await pause(REST_MS);
	const least = performance.now() - head;
	await turn();
	controller.abort();
	print('broken off', asked, least);
	const answer = await new Promise((resolve) => http.get(`${url}/never`, resolve)); // broken off by http
	await pause(REST_MS);
	answer.destroy();
}

async function giveUp(url) {
	for (let i = 0; i < 3; i++)
		await fetch(`${url}/silent`, { signal: AbortSignal.timeout(REST_MS) }).catch(() => undefined); // given up by fetch
}

server.listen(0, '127.0.0.1', async () => {
	const url = `http://127.0.0.1:${server.address().port}`;
	await Promise.all([fetchIn(url, '/1'), fetchIn(url, '/2')]);
	await Promise.all([getIn(url, '/3'), getIn(url, '/4')]);
	await whole(url);
	await breakOff(url);
	await giveUp(url);
	server.closeAllConnections();
	server.close();
});
