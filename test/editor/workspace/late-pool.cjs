// Asks for eight pool threads when the first call has started the pool already.
const fs = require('node:fs');

fs.stat(__filename, () => {
	process.env.UV_THREADPOOL_SIZE = '8';
	fs.stat(__filename, () => undefined);
});
