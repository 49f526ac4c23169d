// One operation of each kind that a small program has: files, a timer, another process, and a request to its own server.
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');

function read(done) {
	fs.readFile(__filename, done);
}

const server = http.createServer((_request, response) => {
	setTimeout(() => response.end('answer'), 60);
});

server.listen(0, '127.0.0.1', () => {
	read(() => read(() => read(request)));
});

function request() {
	http.get({ host: '127.0.0.1', port: server.address().port, agent: false }, (response) => {
		response.resume().on('end', () => {
			execFile(process.execPath, ['-e', '0'], { env: {} }, () => server.close());
		});
	});
}
