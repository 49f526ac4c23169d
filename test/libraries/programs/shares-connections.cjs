// Requests of undici over fewer connections than there are requests, of two lines: they wait for one that is free. Prints how long each took, and how long it
// must have taken at least: the server answers one after the other over each connection.
// Beside them fetches of Node's own, which opens as many connections as it needs; and at last requests that wait for ever, for the bodies of
// the responses before them are not read. UNDICI is the package of another version.
const http = require('node:http');
const { Client, Pool } = require(process.env.UNDICI ?? 'undici');

const WORK_MS = 60;
const REQUESTS = 4;
const CONNECTIONS = 2;
const now = () => performance.now();

/** Node's timers count whole milliseconds. */
const LEAST_MS = WORK_MS - 1;

/** @param due when it is over at the earliest @param by it had begun by then */
function spent(what, from, due, by) {
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms, at least ${(due - by).toFixed(3)} ms`);
}

/** @param since when the first of all was asked @param turns how many the server answers one after the other until this one */
async function asksPool(pool, since, turns) {
	const from = now();
	const asked = pool.request({ path: '/', method: 'GET' }); // over few connections
	const by = now();
	const { body } = await asked;
	spent('few', from, since + turns * LEAST_MS, by);
	await body.text();
}

async function asksToo(pool, since, turns) {
	const from = now();
	const asked = pool.request({ path: '/', method: 'GET' }); // over few as well
	const by = now();
	const { body } = await asked;
	spent('as well', from, since + turns * LEAST_MS, by);
	await body.text();
}

async function asksClient(client, since, turns) {
	const from = now();
	const asked = client.request({ path: '/', method: 'GET' }); // over the only one
	const by = now();
	const { body } = await asked;
	spent('alone', from, since + turns * LEAST_MS, by);
	await body.text();
}

async function fetches(url) {
	const response = await fetch(url); // over its own
	await response.text();
}

/** @param before how many were asked before these */
function several(start, connections = 1, since = now(), before = 0) {
	const turns = (k) => 1 + Math.floor((before + k) / connections);
	return Promise.all(Array.from({ length: REQUESTS }, (_, k) => start(since, turns(k))));
}

const server = http.createServer((request, response) => {
	if (request.url === '/endless') response.write('never read');
	else setTimeout(() => response.end('done'), WORK_MS);
});
server.listen(0, '127.0.0.1', async () => {
	const url = `http://127.0.0.1:${server.address().port}`;
	const pool = new Pool(url, { connections: CONNECTIONS });
	const opens = () => pool.request({ path: '/', method: 'GET' }).then(({ body }) => body.text()); // opens them
	await Promise.all([opens(), opens()]);
	const since = now();
	await Promise.all([
		several((...when) => asksPool(pool, ...when), CONNECTIONS, since),
		several((...when) => asksToo(pool, ...when), CONNECTIONS, since, REQUESTS),
	]);
	await several(() => fetches(url));
	const client = new Client(url);
	const open = () => client.request({ path: '/', method: 'GET' }).then(({ body }) => body.text()); // opens it
	await open();
	await several((...when) => asksClient(client, ...when));
	await client.close();

	const unread = () => pool.request({ path: '/endless', method: 'GET' }); // not read
	await Promise.all([unread(), unread()]);
	pool.request({ path: '/', method: 'GET' }); // for good
	setTimeout(() => process.exit(), Number(process.env.STAYS_MS));
});
