// The variable is set when the first read has started the pool already.
const fs = require('node:fs');

fs.stat(__filename, () => {
	process.env.UV_THREADPOOL_SIZE = '8';
	fs.stat(__filename, () => undefined);
});
