// Two kinds of work in one nameless handler: what one of them took is not blamed on the other's line. One is a regular
// expression, which V8 compiles, and one takes texts apart, which V8 does without a frame of its own.
// Between two readings of the clock each works for long: while V8 writes a text it has no frame of its own, and the samples would name the reading.
const evil = /^(\d+\s?)+$/;
const text = 'a-b'.repeat(30_000);
let turn = 0;
const timer = setInterval(() => {
	const until = process.cpuUsage().user + 200_000;
	if (turn % 2 === 0)
		while (process.cpuUsage().user < until) evil.test(`${'1'.repeat(18)}x`); // regular expression
	else while (process.cpuUsage().user < until) for (let i = 0; i < 100; i++) JSON.stringify(text); // text
	if (++turn === 8) clearInterval(timer);
}, 20);
