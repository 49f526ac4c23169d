// JavaScript whose lines move as well, for comments are left out.
const http = require('node:http');

/**
 * Asks the server.
 * Behind the line (→): what it must show.
 */
exports.ask = (port) =>
	// And here.
	new Promise((resolve) => {
		// So that no connection is kept alive:
		const options = { host: '127.0.0.1', port, agent: false };
		// Now.
		http.get(options, (response) => response.resume().on('end', resolve)); // → http.get kernel 2
	});
