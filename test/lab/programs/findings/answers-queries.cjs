// A server that speaks as much of PostgreSQL's protocol as a client needs that asks one thing after the other: it answers each query with no row, one that
// names a number of milliseconds (`/* 300 ms */`) after them.
const net = require('node:net');

const AUTHENTICATED = Buffer.from('R\0\0\0\x08\0\0\0\0', 'latin1');
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');
const NO_ROW = Buffer.from('C\0\0\0\x0dSELECT 0\0', 'latin1');

/** @returns how to connect to it */
exports.startServer = () =>
	new Promise((resolve) => {
		const server = net.createServer((socket) => {
			socket.once('data', () => {
				socket.write(Buffer.concat([AUTHENTICATED, READY]));
				socket.on('data', (query) => {
					const answer = () => socket.write(Buffer.concat([NO_ROW, READY]));
					const [, ms] = /(\d+) ms/.exec(query.toString('latin1')) ?? [];
					if (ms === undefined) answer();
					else setTimeout(answer, Number(ms));
				});
			});
		});
		server.listen(0, '127.0.0.1', () =>
			resolve({ host: '127.0.0.1', port: server.address().port, user: 'lab', database: 'lab' }),
		);
	});
