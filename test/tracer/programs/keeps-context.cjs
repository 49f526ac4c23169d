// An AsyncLocalStorage of the program's own follows its asynchronous work, and nothing new keeps the process alive.
const { AsyncLocalStorage } = require('node:async_hooks');
const fs = require('node:fs');
const util = require('node:util');

const storage = new AsyncLocalStorage();
storage.run('context', async () => {
	await fs.promises.stat(__filename);
	console.log('after a file:', storage.getStore());
	await util.promisify(setTimeout)(5);
	console.log('after a timer:', storage.getStore(), process.getActiveResourcesInfo());
	fs.readFile('no such file', (error) => console.log('in a callback:', storage.getStore(), error));
});
console.log('outside:', storage.getStore());
