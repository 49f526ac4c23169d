// Twenty answers one after the other and twenty at once, from a server that takes 20 ms for each, but 80 ms for every tenth: in a row they take more wall
// time, though both lines wait about as long in sum. A third line is a punctual timer. The program prints what it saw by its own clock.
const http = require('node:http');

const COUNT = 20;
let asked = 0;

const server = http.createServer((_request, response) => {
	setTimeout(() => response.end(), ++asked % 10 === 0 ? 80 : 20);
});

/** Notes when it was asked and when it was answered. */
function spanOf(spans, done) {
	const from = performance.now();
	return (response) => {
		spans.push({ from, to: performance.now() });
		response.resume().on('end', done);
	};
}

function inARow(spans, port, done) {
	if (spans.length === COUNT) return setImmediate(done);
	const again = () => inARow(spans, port, done);
	http.get({ port, agent: false, path: '/row' }, spanOf(spans, again));
}

function atOnce(spans, port, done) {
	let left = COUNT;
	const answered = () => --left === 0 && done();
	for (let i = 0; i < COUNT; i++) http.get({ port, agent: false, path: '/together' }, spanOf(spans, answered));
}

server.listen(0, '127.0.0.1', () => {
	const { port } = server.address();
	const row = [];
	const together = [];
	inARow(row, port, () =>
		atOnce(together, port, () => {
			console.log(JSON.stringify({ row, together }));
			server.close();
		}),
	);
	// The row is under way when it is due, so whatever makes it late makes the row longer.
	setTimeout(Boolean, 300);
});
