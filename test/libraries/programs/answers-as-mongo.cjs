// As much of a MongoDB server as its driver needs to send a `find` and get an answer: of its wire protocol messages of the kind OP_MSG, and the OP_QUERY by
// which drivers greet. The real server is no package that tests can install.
const net = require('node:net');
const { BSON } = require('mongodb');

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;

/**
 * @param delayMs until it answers a `find`
 * @param ready resolves when it may begin with that
 * @returns a server that is not listening yet
 */
module.exports = function answersAsMongo(delayMs, ready) {
	return net.createServer((socket) => {
		let received = Buffer.alloc(0);
		socket.on('error', () => undefined);
		socket.on('data', (bytes) => {
			received = Buffer.concat([received, bytes]);
			while (received.length >= HEADER && received.length >= received.readInt32LE(0)) {
				const length = received.readInt32LE(0);
				answer(socket, received.subarray(0, length), delayMs, ready);
				received = received.subarray(length);
			}
		});
	});
};

function answer(socket, message, delayMs, ready) {
	const id = message.readInt32LE(4);
	if (message.readInt32LE(12) === OP_QUERY) {
		// Flags, cursor and position, and that there is one document.
		const fields = Buffer.alloc(20);
		fields.writeInt32LE(1, 16);
		send(socket, id, OP_REPLY, fields, GREETING);
		return;
	}
	const command = BSON.deserialize(message.subarray(HEADER + 5));
	// Flags, and that one document follows.
	const reply = (document) => send(socket, id, OP_MSG, Buffer.alloc(5), document);
	if ('find' in command) {
		const found = { ok: 1, cursor: { id: 0n, ns: 'a.b', firstBatch: [{ found: true }] } };
		ready().then(() => setTimeout(reply, delayMs, found));
	} else reply(GREETING);
}

const GREETING = {
	ok: 1,
	isWritablePrimary: true,
	ismaster: true,
	maxBsonObjectSize: 2 ** 24,
	maxMessageSizeBytes: 48e6,
	maxWriteBatchSize: 1e5,
	minWireVersion: 0,
	maxWireVersion: 21,
};

function send(socket, answers, kind, fields, document) {
	const body = BSON.serialize(document);
	const header = Buffer.alloc(HEADER);
	const numbers = [HEADER + fields.length + body.length, 1, answers, kind];
	for (const [at, number] of numbers.entries()) header.writeInt32LE(number, 4 * at);
	socket.write(Buffer.concat([header, fields, body]));
}
