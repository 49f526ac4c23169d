// Twelve logins at once: their comparisons take the pool's threads, and the reads before them queue as well.
const fsp = require('node:fs/promises');
const http = require('node:http');
const bcrypt = require('bcrypt');

const hash = bcrypt.hashSync('pw', 10);
async function login(response) {
	await fsp.readFile(__filename);
	const isRight = await bcrypt.compare('pw', hash);
	response.end(String(isRight));
}
const server = http.createServer((_request, response) => login(response));
server.listen(0, '127.0.0.1', async () => {
	const url = `http://127.0.0.1:${server.address().port}`;
	await Promise.all(Array.from({ length: 12 }, async () => (await fetch(url)).text()));
	server.closeAllConnections();
	server.close();
});
