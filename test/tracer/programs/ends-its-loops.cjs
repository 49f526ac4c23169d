// Loops that await one operation after the other, each followed by a single one of the same kind on another line.
const fs = require('node:fs');

const { access, copyFile, lstat, open, readdir, readlink, realpath, rename, rmdir, stat, unlink } = fs.promises;

async function loops() {
	for (let i = 0; i < 50; i++) await access(__filename); // → fs.promises.access threadpool 50
	await readdir(__dirname); // → fs.promises.readdir threadpool 1

	for (let i = 0; i < 500; i++) {
		const file = await open(__filename); // → fs.promises.open threadpool 500
		await file.stat(); // → FileHandle.stat threadpool 500
		await file.close(); // → FileHandle.close threadpool 500
	}
	await realpath(__filename); // → fs.promises.realpath threadpool 1

	for (let i = 0; i < 50; i++) await both(); // each of the two starts on a line of its own
	await lstat(__filename); // → fs.promises.lstat threadpool 1

	for (let i = 0; i < 50; i++) {
		await Promise.all(Array.from({ length: 8 }, () => readlink(__filename).catch(() => undefined))); // → fs.promises.readlink threadpool 400
	}
	await copyFile('missing', 'nowhere').catch(() => undefined); // → fs.promises.copyFile threadpool 1

	for (let i = 0; i < 40; i++) {
		await new Promise((done) => setTimeout(done, 1)); // → setTimeout timer 40
	}
	await new Promise((done) => setTimeout(done, 2)); // → setTimeout timer 1

	// More turns than a loop of a library has before it is predicted.
	for (let i = 0; i < 1500; i++) await rmdir('missing').catch(() => undefined); // → fs.promises.rmdir threadpool 1500
	await rename('missing', 'nowhere').catch(() => undefined); // → fs.promises.rename threadpool 1
}

async function both() {
	await stat(__filename); // → fs.promises.stat threadpool 50
	await unlink('missing').catch(() => undefined); // → fs.promises.unlink threadpool 50
}

let left = 50;
function next() {
	if (left-- > 0)
		fs.stat(__filename, next); // → fs.stat threadpool 50
	else fs.readlink(__filename, () => undefined); // → fs.readlink threadpool 1
}

loops().then(next);
