// Prints the stack of an error made in each kind of callback. People read these, and tools parse them.
const fs = require('node:fs');

const show = (where) => console.log(new Error(where).stack);

fs.readFile(__filename, function afterFile() {
	show('in a file callback');
	setTimeout(function afterTimer() {
		show('in a timer');
		setImmediate(function afterImmediate() {
			show('in an immediate');
			process.nextTick(function afterTick() {
				show('in a tick');
				fs.promises.stat(__filename).then(async function afterPromise() {
					show('in a promise');
					await null;
					show('after an await');
				});
			});
		});
	}, 5);
});
