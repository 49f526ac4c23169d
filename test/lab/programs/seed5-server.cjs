// Seed 5: a server with two slow routes. `/t1` computes and blocks the event loop, so its requests are served one after
// the other; `/t2` waits on a timer, so they are served side by side. It ends after as many answers as the argument
// says.
const http = require('node:http');

let answersLeft = Number(process.argv[2] ?? 10);

function t1(_request, response) {
	let turns = 0;
	const until = performance.now() + 150;
	while (performance.now() < until) turns++;
	response.end(`t1 after ${turns > 0 ? 'some' : 'no'} turns\n`);
}

function t2(_request, response) {
	const timer = setInterval(() => {
		clearInterval(timer);
		response.end('t2 after one interval\n');
	}, 500);
}

const server = http.createServer((request, response) => {
	response.on('finish', () => {
		answersLeft--;
		if (answersLeft === 0) server.close();
	});
	if (request.url === '/t1') t1(request, response);
	else t2(request, response);
});

server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
