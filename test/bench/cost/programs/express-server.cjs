// express with a route for each way of waiting: files by callback, promise and stream, a timer, a derivation on the pool, nothing.
const crypto = require('node:crypto');
const fs = require('node:fs');
const express = require('express');
require('./prints-memory.cjs');

const app = express();
app.get('/read', (_request, response, next) => {
	fs.readFile(__filename, (error, text) => (error ? next(error) : response.send(`${text.length}`)));
});
app.get('/timer', (_request, response) => {
	setTimeout(() => response.json({ fired: true }), 1);
});
app.get('/stat', async (_request, response) => {
	const { size } = await fs.promises.stat(__filename);
	response.json({ size });
});
app.get('/derive', (_request, response, next) => {
	crypto.pbkdf2('password', 'salt', 10, 16, 'sha512', (error, key) => (error ? next(error) : response.send(key)));
});
app.get('/hello', (_request, response) => {
	response.send('hello');
});
app.get('/await', async (_request, response) => {
	await null;
	const text = await fs.promises.readFile(__filename, 'utf8');
	response.send(`${text.length}`);
});
app.get('/stream', (_request, response) => {
	fs.createReadStream(__filename).pipe(response);
});
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
// Node closes a connection that was free for 5 s. A server that was blocked for longer would close one that has brought a request meanwhile.
server.keepAliveTimeout = 60_000;
