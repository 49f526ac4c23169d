// One of many kinds of operations on lines of their own. What a report must say of a line stands behind it (→) or above it (↓):
// name, class and count of each entry. Lines without such a comment must have none.
const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
const childProcess = require('node:child_process');
const crypto = require('node:crypto');
const dgram = require('node:dgram');
const dns = require('node:dns');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const util = require('node:util');
const zlib = require('node:zlib');

const done = (start) => new Promise(start);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'many-operations-'));

async function files() {
	await done((go) => fs.readFile(__filename, go)); // → fs.readFile threadpool 1
	await done((go) => fs.stat(__filename, go)); // → fs.stat threadpool 1
	await fs.promises.readFile(__filename); // → fs.promises.readFile threadpool 1
	const both = [
		fs.promises.readFile(__filename), // → fs.promises.readFile threadpool 1
		fs.promises.stat(__filename), // → fs.promises.stat threadpool 1
	];
	await Promise.all(both);
	await util.promisify(fs.readFile)(__filename); // → fs.readFile threadpool 1
	await done((go) => fs.createReadStream(__filename).resume().on('close', go)); // → fs.createReadStream threadpool 1
	await fs.promises.writeFile(path.join(scratch, 'file'), 'text'); // → fs.promises.writeFile threadpool 1
	for (let i = 0; i < 3; i++) {
		await fs.promises.access(__filename); // → fs.promises.access threadpool 3
	}
	fs.readFileSync(__filename);
}

async function hashes() {
	await done((go) => crypto.pbkdf2('a', 'b', 1000, 64, 'sha512', go)); // → crypto.pbkdf2 threadpool 1
	await done((go) => crypto.scrypt('a', 'b', 64, go)); // → crypto.scrypt threadpool 1
	await done((go) => crypto.randomBytes(16, go)); // → crypto.randomBytes threadpool 1
	await done((go) => crypto.generateKeyPair('ec', { namedCurve: 'P-256' }, go)); // → crypto.generateKeyPair threadpool 1
	// None of these waits for the pool.
	crypto.randomBytes(16);
	crypto.randomUUID();
	crypto.pbkdf2Sync('a', 'b', 10, 64, 'sha512');
	crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
	await done((go) => zlib.gzip(Buffer.alloc(1000), go)); // → zlib.gzip threadpool 1
}

async function timers() {
	await sleep(5); // → timers.promises.setTimeout timer 1
	await done((go) => setTimeout(go, 5)); // → setTimeout timer 1
	await done((go) => setImmediate(go)); // → setImmediate loop 1
	let turns = 0;
	await done((go) => {
		const timer = setInterval(() => (++turns === 3 ? go(clearInterval(timer)) : 0), 5); // → setInterval timer 3
	});
	clearTimeout(setTimeout(() => undefined, 5000));
	await done((go) => process.nextTick(go));
	await done((go) => queueMicrotask(go));
}

async function network() {
	await dns.promises.lookup('localhost'); // → dns.promises.lookup threadpool 1
	await done((go) => dns.lookup('localhost', go)); // → dns.lookup threadpool 1
	// ↓ http.Server request kernel 5
	const server = http.createServer((_request, response) => {
		fs.readFile(__filename, (_error, text) => response.end(text)); // → fs.readFile threadpool 5
	});
	await done((go) => server.listen(0, '127.0.0.1', go));
	const url = `http://127.0.0.1:${server.address().port}/`;
	for (let i = 0; i < 2; i++) {
		const response = await fetch(url); // → fetch kernel 2
		await response.text();
	}
	const agent = new http.Agent({ keepAlive: true });
	for (let i = 0; i < 3; i++) {
		await done((go) => http.get(url, { agent }, (response) => response.resume().on('end', go))); // → http.get kernel 3
	}
	agent.destroy();
	const socket = net.connect(server.address().port, '127.0.0.1'); // → net.connect kernel 1
	await done((go) => socket.on('connect', go));
	socket.destroy();
	server.close();
	server.closeAllConnections();
	const datagrams = dgram.createSocket('udp4');
	await done((go) => datagrams.bind(0, '127.0.0.1', go));
	// Goes out at once: nothing waits.
	await done((go) => datagrams.send('a', datagrams.address().port, '127.0.0.1', go));
	datagrams.close();
}

async function processes() {
	await done((go) => childProcess.execFile(process.execPath, ['-e', '0'], go)); // → child_process.execFile process 1
	await done((go) => childProcess.spawn(process.execPath, ['-e', '0']).on('exit', go)); // → child_process.spawn process 1
}

async function bound() {
	await done((go) => setImmediate(AsyncResource.bind(() => go()))); // → setImmediate loop 1; bound function other 1
	await done((go) => setImmediate(AsyncLocalStorage.bind(() => go()))); // → setImmediate loop 1; bound function other 1
	const named = (go) => go();
	await done(AsyncResource.bind(named)); // → named other 1
}

(async () => {
	await files();
	await hashes();
	await timers();
	await network();
	await processes();
	await bound();
	fs.rmSync(scratch, { recursive: true });
})();
