// The programs of the ground truth: `node loads.cjs NAME` puts one mixed load on libuv's pool for about a second.
'use strict';
const crypto = require('node:crypto');
const dns = require('node:dns');
const fs = require('node:fs');
const net = require('node:net');
const zlib = require('node:zlib');

/** About 20 ms of a pool thread at 20,000. */
function derive(iterations, done = () => undefined) {
	crypto.pbkdf2('secret', 'salt', iterations, 64, 'sha512', done);
}

function spin(ms) {
	const until = performance.now() + ms;
	while (performance.now() < until);
}

/** Calls `step` with the number of the call, every `everyMs` until `forMs` have passed. */
function repeat(everyMs, forMs, step) {
	let count = 0;
	const timer = setInterval(() => step(count++), everyMs);
	setTimeout(() => clearInterval(timer), forMs);
}

function rounds(count, round) {
	if (count > 0) round(() => rounds(count - 1, round));
}

/** @returns a function whose `count`-th call calls `done` */
function join(count, done) {
	let left = count;
	return () => {
		if (--left === 0) done();
	};
}

const loads = {
	'five-derivations': () =>
		rounds(5, (next) => {
			const one = join(5, next);
			for (let i = 0; i < 5; i++) derive(20_000 + 5_000 * i, one);
		}),

	'reads-and-derivations': () => {
		for (let i = 0; i < 200; i++) {
			fs.readFile(__filename, () => undefined);
			if (i % 25 === 0) derive(20_000);
		}
	},

	'stat-and-staggered-derivations': () => {
		repeat(9, 1000, (i) => derive(8_000 + 3_000 * (i % 7)));
		repeat(4, 1000, () => fs.stat(__filename, () => undefined));
	},

	'lookups-and-reads': () =>
		rounds(12, (next) => {
			const one = join(40, next);
			for (let i = 0; i < 16; i++) dns.lookup('localhost', one);
			for (let i = 0; i < 4; i++) dns.lookupService('127.0.0.1', 80, one);
			for (let i = 0; i < 18; i++) fs.readFile(__filename, one);
			for (let i = 0; i < 2; i++) derive(4_000, one);
		}),

	'steady-with-short-spins': () => {
		repeat(5, 1500, (i) => {
			fs.stat(__filename, () => spin(1));
			fs.promises.readFile(__filename).then(() => spin(1));
			if (i % 3 === 0) derive(6_000, () => spin(1));
			if (i % 5 === 0) crypto.randomBytes(4096, () => spin(1));
		});
	},

	'long-spins': () => {
		repeat(170, 1600, () => {
			for (let i = 0; i < 3; i++) fs.stat(__filename, () => fs.stat(__filename, () => undefined));
			for (let i = 0; i < 6; i++) derive(15_000 + 4_000 * i);
			setTimeout(spin, 10, 100);
		});
	},

	// One poll finds a socket's event and, after it, the pool's: jobs that end during the socket's callback come with that poll
	// too, though they were not done by it.
	'sockets-with-spins': () => {
		const server = net.createServer((socket) => {
			socket.on('data', () => {
				derive(2_000);
				spin(4);
			});
		});
		server.listen(0, '127.0.0.1', () => {
			const socket = net.connect(server.address().port, '127.0.0.1', () => {
				repeat(20, 1200, () => {
					socket.write('x');
					fs.stat(__filename, () => spin(2));
					derive(10_000);
					spin(3);
				});
				setTimeout(() => server.close(), 1400);
				setTimeout(() => socket.end(), 1400);
			});
		});
	},

	// A stream submits a job per chunk that it takes and gives, one after the other; no hook shows these.
	compressing: () => {
		const bytes = crypto.randomBytes(150_000);
		repeat(20, 1200, (i) => {
			zlib.deflate(bytes, () => undefined);
			if (i % 2 === 0) zlib.brotliCompress(bytes.subarray(0, 2_000), () => undefined);
			if (i % 3 === 0) derive(6_000);
			fs.stat(__filename, () => undefined);
		});
	},

	// The main thread and two Workers, each with a loop of its own, submit to the one pool.
	'three-threads': () => {
		const { isMainThread, Worker } = require('node:worker_threads');
		if (isMainThread) for (let i = 0; i < 2; i++) new Worker(__filename, { argv: ['three-threads'] });
		repeat(25, 1200, (i) => {
			derive(4_000 + 3_000 * (i % 5), () => i % 3 === 0 && spin(5));
			if (i % 2 === 0) fs.stat(__filename, () => undefined);
		});
	},
};

loads[process.argv[2]]();
