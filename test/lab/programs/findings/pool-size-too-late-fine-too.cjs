// The variable is set late to the size that the pool has anyway.
const fs = require('node:fs');

fs.stat(__filename, () => {
	process.env.UV_THREADPOOL_SIZE = '4';
	fs.stat(__filename, () => undefined);
});
