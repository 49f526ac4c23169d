// A middleware of the program's own that only passes requests on, to a library's middleware that reads files, and to a handler behind that.
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const express = require('express');

const ROUNDS = 20;
const app = express();
app.use((_request, _response, next) => {
	next(); // passes on
});
app.use('/files', express.static(__dirname));
// ↓ the handler
app.get('/handled', (_request, response) => {
	fs.stat(__filename, () => response.end()); // looks
});

const server = app.listen(0, '127.0.0.1', async () => {
	const ask = (at) =>
		new Promise((resolve) =>
			http.get({ port: server.address().port, path: at, agent: false }, (response) =>
				response.resume().on('end', resolve),
			),
		);
	for (let i = 0; i < ROUNDS; i++) {
		await ask(`/files/${path.basename(__filename)}`);
		await ask('/handled');
	}
	server.close();
});
