// Counts the uses of `then`, as libraries that follow contexts do.
const { then } = Promise.prototype;
let uses = 0;
// biome-ignore lint/suspicious/noThenProperty: what the program is about
Promise.prototype.then = function (...args) {
	uses++;
	return then.apply(this, args);
};
setTimeout(() => undefined, 30);
setTimeout(() => console.log(`then was used ${uses} times`), 90);
