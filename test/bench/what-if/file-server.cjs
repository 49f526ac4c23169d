// Seed 6: a server that reads a small file for each request. It prints its port, and ends after as many answers as the argument says.
const fs = require('node:fs');
const http = require('node:http');

let left = Number(process.argv[2]);
const server = http.createServer((_request, response) => {
	fs.readFile(__filename, (error, bytes) => {
		if (error) throw error;
		response.end(bytes);
		if (--left === 0) server.close();
	});
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
