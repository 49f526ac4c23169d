// Asks the server on the port that its argument names, and prints in µs of the clock that all processes share when it called, when the call
// was over, and when it had the answer.
const http = require('node:http');

const now = () => Number(process.hrtime.bigint() / 1000n);
const from = now();
http.get({ port: process.argv[2], host: '127.0.0.1', agent: false }, (response) => {
	const answered = now();
	response.resume().on('end', () => console.log(JSON.stringify({ from, to, answered })));
});
const to = now();
