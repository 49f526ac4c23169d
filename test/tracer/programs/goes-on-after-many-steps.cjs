// What follows an operation of many steps, once each: there its next step would start, and no line has been confirmed for either.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** A file is read in pieces of 64 or 512 KiB: enough of them that the steps look alike. */
const SIZE = 24 * 1024 * 1024;
const FOLDERS = 40;
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'many-steps-'));
const large = path.join(dir, 'large');
const tree = path.join(dir, 'tree');
fs.writeFileSync(large, Buffer.alloc(SIZE));
for (let i = 0; i < FOLDERS; i++) fs.mkdirSync(path.join(tree, String(i)), { recursive: true });

function readWhole(done) {
	// ↓ fs.readFile threadpool 1
	fs.readFile(large, () => {
		fs.stat(large, () => readStream(done)); // → fs.stat threadpool 1
	});
}

function readStream(done) {
	const stream = fs.createReadStream(large); // → fs.createReadStream threadpool 1
	stream.on('end', () => {
		fs.readdir(dir, done); // → fs.readdir threadpool 1
	});
	stream.resume();
}

async function main() {
	await fs.promises.readFile(large); // → fs.promises.readFile threadpool 1
	await fs.promises.stat(large); // → fs.promises.stat threadpool 1
	await fs.promises.readdir(tree, { recursive: true }); // → fs.promises.readdir threadpool 1
	await fs.promises.rm(tree, { recursive: true }); // → fs.promises.rm threadpool 1
	await fs.promises.rm(large); // → fs.promises.rm threadpool 1
	await fs.promises.mkdir(tree); // → fs.promises.mkdir threadpool 1
	fs.rmSync(dir, { recursive: true });
}

readWhole(() => main());
