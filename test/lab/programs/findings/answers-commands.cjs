// A server that speaks as much of Redis' protocol as ioredis needs: it answers each connection's commands in their order, and all its answers are empty. `blpop` waits as
// long as its last argument says, in seconds, and `getrange` takes 4 ms.
const net = require('node:net');

const NOTHING = '*-1\r\n';
const TAKES = { blpop: (args) => 1000 * Number(args.at(-1)), getrange: () => 4 };

/** The first complete command of a text, and what follows it; null where none is complete. */
function firstOf(text) {
	const [head] = /^\*\d+\r\n/.exec(text) ?? [];
	if (head === undefined) return null;
	const args = [];
	let at = head.length;
	for (let left = Number.parseInt(head.slice(1), 10); left > 0; left--) {
		const [length] = /^\$\d+\r\n/.exec(text.slice(at)) ?? [];
		if (length === undefined) return null;
		const begin = at + length.length;
		at = begin + Number.parseInt(length.slice(1), 10) + 2;
		if (at > text.length) return null;
		args.push(text.slice(begin, at - 2));
	}
	return { args, rest: text.slice(at) };
}

function serve(socket) {
	let text = '';
	let isBusy = false;
	const answerNext = () => {
		const command = isBusy ? null : firstOf(text);
		if (command === null) return;
		text = command.rest;
		const ms = TAKES[command.args[0].toLowerCase()]?.(command.args) ?? 0;
		if (ms === 0) {
			socket.write(NOTHING);
			answerNext();
			return;
		}
		isBusy = true;
		setTimeout(() => {
			isBusy = false;
			socket.write(NOTHING);
			answerNext();
		}, ms);
	};
	socket.setNoDelay();
	socket.setEncoding('latin1').on('error', () => undefined);
	socket.on('data', (data) => {
		text += data;
		answerNext();
	});
}

/** @returns how ioredis connects to it */
exports.startServer = () =>
	new Promise((resolve) => {
		const server = net.createServer(serve);
		server.listen(0, '127.0.0.1', () =>
			// No commands of its own, behind which the program's first one would wait, on a slow machine for longer than is worth a finding.
			resolve({ host: '127.0.0.1', port: server.address().port, enableReadyCheck: false, disableClientInfo: true }),
		);
	});
