// Requests of undici over fewer connections than there are requests, of two lines: they wait for one that is free. Prints how long each took.
// Beside them fetches of Node's own, which opens as many connections as it needs; and at last requests that wait for ever, for the bodies of
// the responses before them are not read. UNDICI is the package of another version.
const http = require('node:http');
const { Client, Pool } = require(process.env.UNDICI ?? 'undici');

const WORK_MS = 60;
const REQUESTS = 4;
const now = () => performance.now();

function spent(what, from) {
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms`);
}

async function asksPool(pool) {
	const from = now();
	const { body } = await pool.request({ path: '/', method: 'GET' }); // over few connections
	spent('few', from);
	await body.text();
}

async function asksToo(pool) {
	const from = now();
	const { body } = await pool.request({ path: '/', method: 'GET' }); // over few as well
	spent('as well', from);
	await body.text();
}

async function asksClient(client) {
	const from = now();
	const { body } = await client.request({ path: '/', method: 'GET' }); // over the only one
	spent('alone', from);
	await body.text();
}

async function fetches(url) {
	const response = await fetch(url); // over its own
	await response.text();
}

const several = (start) => Promise.all(Array.from({ length: REQUESTS }, start));

const server = http.createServer((request, response) => {
	if (request.url === '/endless') response.write('never read');
	else setTimeout(() => response.end('done'), WORK_MS);
});
server.listen(0, '127.0.0.1', async () => {
	const url = `http://127.0.0.1:${server.address().port}`;
	const pool = new Pool(url, { connections: 2 });
	const opens = () => pool.request({ path: '/', method: 'GET' }).then(({ body }) => body.text()); // opens them
	await Promise.all([opens(), opens()]);
	await Promise.all([several(() => asksPool(pool)), several(() => asksToo(pool))]);
	await several(() => fetches(url));
	const client = new Client(url);
	const open = () => client.request({ path: '/', method: 'GET' }).then(({ body }) => body.text()); // opens it
	await open();
	await several(() => asksClient(client));
	await client.close();

	const unread = () => pool.request({ path: '/endless', method: 'GET' }); // not read
	await Promise.all([unread(), unread()]);
	pool.request({ path: '/', method: 'GET' }); // for good
	setTimeout(() => process.exit(), Number(process.env.STAYS_MS));
});
