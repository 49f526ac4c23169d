// Counts who goes through arrays, maps and sets by their iterators while it works, which a program may replace. Its own work and Node's do not.
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const zlib = require('node:zlib');

const uses = {};

function watch(what, object, key) {
	const original = object[key];
	uses[what] = 0;
	Object.defineProperty(object, key, {
		configurable: true,
		writable: true,
		value: function (...args) {
			uses[what]++;
			return Reflect.apply(original, this, args);
		},
	});
}

const server = http.createServer((_request, response) => response.end('answer'));
const echo = net.createServer((socket) => socket.pipe(socket));

/** @param then is called when all of it is over, however long that takes */
function work(then) {
	let left = 6;
	const over = () => --left === 0 && then();
	fs.readFile(__filename, over);
	fs.promises.stat(__filename).then(over);
	zlib.gzip('text', over);
	http.get({ port: server.address().port, agent: false }, (response) => response.resume()).on('close', over);
	const socket = net.connect(echo.address().port, () => socket.write('text')).on('close', over);
	socket.on('data', () => socket.end());
	process.nextTick(over);
}

server.listen(0, () => echo.listen(0, begin));
let turns = 0;

function begin() {
	// What Node loads when it is first needed goes through arrays.
	work(() => {
		watch('arrays', Array.prototype, Symbol.iterator);
		watch('steps through arrays', Object.getPrototypeOf([][Symbol.iterator]()), 'next');
		watch('maps', Map.prototype, Symbol.iterator);
		watch('entries of maps', Map.prototype, 'entries');
		watch('steps through maps', Object.getPrototypeOf(new Map().entries()), 'next');
		watch('sets', Set.prototype, Symbol.iterator);
		watch('steps through sets', Object.getPrototypeOf(new Set().values()), 'next');
		turn();
	});
}

function turn() {
	work(() => {
		if (++turns < 20) setTimeout(turn, 10);
		// The tracer writes what it has meanwhile.
		else setTimeout(end, 200);
	});
}

function end() {
	console.log(JSON.stringify(uses));
	server.close();
	echo.close();
}
