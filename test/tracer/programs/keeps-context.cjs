// An AsyncLocalStorage of the program's own follows its asynchronous work, and nothing new keeps the process alive. Work that it names itself has the
// methods that Node gave it, which the program may replace.
const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
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

class Job extends AsyncResource {
	emitDestroy() {
		console.log('destroyed by the program');
		return super.emitDestroy();
	}
}
const work = new AsyncResource('work');
const { emitDestroy } = AsyncResource.prototype;
console.log(util.inspect(emitDestroy), emitDestroy.name, emitDestroy.length, Object.keys(work), 'emitDestroy' in work);
console.log(Reflect.ownKeys(AsyncResource.prototype).map(String), Object.keys(AsyncResource.prototype));
console.log(work.emitDestroy() === work, new Job('job').emitDestroy() instanceof Job);
const own = new AsyncResource('own');
own.emitDestroy = () => 'own';
console.log(own.emitDestroy(), Object.getOwnPropertyDescriptor(own, 'emitDestroy'));
AsyncResource.prototype.emitDestroy = function replaced() {
	return emitDestroy.call(this) === this;
};
console.log(
	new AsyncResource('other').emitDestroy(),
	Object.getOwnPropertyDescriptor(AsyncResource.prototype, 'emitDestroy'),
);
