// Talks over a socket and looks at it from all sides: the bytes, an error's trace, and the native class behind it.
const net = require('node:net');

function look(prototype) {
	if (!Object.hasOwn(prototype, 'writeBuffer')) return look(Object.getPrototypeOf(prototype));
	for (const name of Object.keys(prototype).filter((key) => key.startsWith('write'))) {
		const { value, ...rest } = Object.getOwnPropertyDescriptor(prototype, name);
		console.log(name, value?.name, value?.length, value !== undefined && 'prototype' in value, JSON.stringify(rest));
	}
}

const server = net.createServer((socket) => {
	look(Object.getPrototypeOf(socket._handle));
	socket.pipe(socket);
});
server.listen(0, '127.0.0.1', () => {
	const socket = net.connect(server.address().port, '127.0.0.1', () => {
		socket.cork();
		socket.write('text, ');
		socket.write(Buffer.from('bytes, '));
		socket.uncork();
		socket.write('latin', 'latin1', () => console.log('written', new Error('when written').stack));
	});
	let got = '';
	socket.on('data', (chunk) => {
		got += chunk;
		if (!got.endsWith('latin')) return;
		console.log(got, new Error('when read').stack);
		socket.destroy();
		socket.write('after the end', (error) => console.log(error.code, error.stack));
		server.close();
	});
});
