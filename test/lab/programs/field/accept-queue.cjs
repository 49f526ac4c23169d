// Another process connects while the loop is blocked: its connections wait in the system's queue, where nobody sees them. The two notify each
// other by files, since a blocked loop hears nothing. Prints for how long the main thread had no CPU while it took them, in ms: it may seem to have slept then.
const cp = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');

const [folder, port] = process.argv.slice(2);
const isThere = (name) => fs.existsSync(`${folder}/${name}`);

if (port !== undefined) {
	let connected = 0;
	let closed = 0;
	const connect = () => {
		const socket = net.connect(Number(port), '127.0.0.1', () => {
			if (++connected === 10) fs.writeFileSync(`${folder}/connected`, '');
		});
		socket.resume().on('close', () => {
			if (++closed === 10) process.exit();
		});
	};
	const look = setInterval(() => {
		if (!isThere('blocked')) return;
		clearInterval(look);
		for (let i = 0; i < 10; i++) connect();
	}, 5);
	process.send('runs');
} else {
	const withoutCpuMs = () => {
		try {
			return Number(fs.readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
		} catch {
			return 0;
		}
	};
	let before;
	const server = net.createServer((socket) => socket.on('error', () => undefined).end('x'));
	const block = () => {
		const end = process.cpuUsage().user + 300_000;
		// On one line: from the moment that the other process runs as well, this one may have to wait for a processor anywhere.
		for (fs.writeFileSync(`${folder}/blocked`, ''); process.cpuUsage().user < end || !isThere('connected'); );
		before = withoutCpuMs();
	};
	server.listen(0, '127.0.0.1', () => {
		const client = cp.fork(__filename, [folder, String(server.address().port)]);
		client.on('message', block);
		client.on('exit', () => {
			console.log(withoutCpuMs() - before);
			server.close();
		});
	});
}
