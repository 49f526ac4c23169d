// Seed 2: two requests to the HTTPS server given as the only argument. They wait in the kernel's poll, not on the
// pool, so the pool's size changes nothing; asked by name, each connection first has a `getaddrinfo` on the pool.
const url = process.argv[2];

// Node loads its HTTP client at the first use of it. Done here, so that the requests' own times include only the
// requests.
new Headers();

async function visit(name) {
	const from = performance.now();
	const response = await fetch(url);
	console.log(`${name} response: ${from.toFixed(1)} to ${performance.now().toFixed(1)} ms`);
	await response.text();
}

await Promise.all([visit('first'), visit('second')]);
