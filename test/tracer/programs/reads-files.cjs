// Files in all the ways of fs. What a report must say of a line stands behind it (→) or above it (↓): name, class and count of
// each entry. Lines without such a comment must have none.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { PassThrough } = require('node:stream');
const { pipeline } = require('node:stream/promises');

const done = (start) => new Promise(start);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'reads-files-'));
const file = path.join(scratch, 'file');
fs.writeFileSync(file, 'text\n'.repeat(100_000));

async function handles() {
	const handle = await fs.promises.open(file, 'r+'); // → fs.promises.open threadpool 1
	await handle.stat(); // → FileHandle.stat threadpool 1
	await handle.read(Buffer.alloc(10), 0, 10, 0); // → FileHandle.read threadpool 1
	await handle.write('t', 0); // → FileHandle.write threadpool 1
	await handle.readFile(); // → FileHandle.readFile threadpool 1
	await handle.writeFile('text\n'); // → FileHandle.writeFile threadpool 1
	await handle.appendFile('text\n'); // → FileHandle.appendFile threadpool 1
	await handle.truncate(5); // → FileHandle.truncate threadpool 1
	await handle.sync(); // → FileHandle.sync threadpool 1
	await handle.close(); // → FileHandle.close threadpool 1
	const fd = await done((go) => fs.open(file, (_error, opened) => go(opened))); // → fs.open threadpool 1
	await done((go) => fs.read(fd, Buffer.alloc(10), 0, 10, 0, go)); // → fs.read threadpool 1
	await done((go) => fs.fstat(fd, go)); // → fs.fstat threadpool 1
	await done((go) => fs.close(fd, go)); // → fs.close threadpool 1
}

async function folders() {
	const folder = await fs.promises.opendir(scratch); // → fs.opendir threadpool 1
	await folder.read(); // → Dir.read threadpool 1
	await folder.close(); // → Dir.close threadpool 1
	const again = await done((go) => fs.opendir(scratch, (_error, opened) => go(opened))); // → fs.opendir threadpool 1
	// ↓ Dir.entries threadpool 2
	for await (const entry of again) {
		if (entry === null) return;
	}
	await done((go) => fs.readdir(scratch, go)); // → fs.readdir threadpool 1
	await fs.promises.readdir(scratch, { recursive: true }); // → fs.promises.readdir threadpool 1
	await fs.promises.mkdir(path.join(scratch, 'a', 'b'), { recursive: true }); // → fs.promises.mkdir threadpool 1
	await fs.promises.mkdtemp(path.join(scratch, 'c-')); // → fs.promises.mkdtemp threadpool 1
	await fs.promises.copyFile(file, path.join(scratch, 'copy')); // → fs.promises.copyFile threadpool 1
	await fs.promises.rename(path.join(scratch, 'copy'), path.join(scratch, 'moved')); // → fs.promises.rename threadpool 1
	await fs.promises.realpath(file); // → fs.promises.realpath threadpool 1
	await done((go) => fs.realpath(file, go)); // → fs.realpath threadpool 1
	await done((go) => fs.exists(file, go)); // → fs.exists threadpool 1
	await fs.promises.rm(path.join(scratch, 'a'), { recursive: true }); // → fs.promises.rm threadpool 1
	await done((go) => fs.rm(path.join(scratch, 'moved'), go)); // → fs.rm threadpool 1
}

async function streams() {
	await done((go) => fs.createReadStream(file).resume().on('close', go)); // → fs.createReadStream threadpool 1
	const writing = fs.createWriteStream(path.join(scratch, 'written')); // → fs.createWriteStream threadpool 1
	writing.write('one');
	await done((go) => writing.end('two', go));
	await done((go) => writing.on('close', go));
	const from = fs.createReadStream(file); // → fs.createReadStream threadpool 1
	const to = fs.createWriteStream(path.join(scratch, 'copied')); // → fs.createWriteStream threadpool 1
	await pipeline(from, to);
	// What is called only once the file is open, and reads in a tick.
	const later = fs.createReadStream(file); // → fs.createReadStream threadpool 1
	await done((go) => later.once('open', go));
	const text = new PassThrough().resume();
	later.pipe(text); // → stream.pipe threadpool 1
	await done((go) => later.on('close', go));
	// ↓ fs.createReadStream threadpool 1
	for await (const chunk of fs.createReadStream(file)) {
		if (chunk === null) return;
	}
}

async function watches() {
	const watcher = fs.watch(scratch, () => watcher.close()); // → fs.watch kernel 1
	fs.writeFileSync(path.join(scratch, 'watched'), '');
	await done((go) => watcher.on('close', go));
	const controller = new AbortController();
	const events = fs.promises.watch(scratch, { signal: controller.signal });
	setTimeout(() => fs.writeFileSync(path.join(scratch, 'watched'), ''), 50); // → setTimeout timer 1
	await events.next(); // → fs.promises.watch kernel 1
	controller.abort();
	await done((go) => {
		const later = path.join(scratch, 'later');
		const look = ({ size }) => (size === 0 ? fs.writeFileSync(later, 'text') : go(fs.unwatchFile(later)));
		// Called once it has seen that there is no such file, and when there is one.
		fs.watchFile(later, { interval: 20 }, look); // → fs.watchFile timer 2
	});
}

(async () => {
	await handles();
	await folders();
	await streams();
	await watches();
	fs.rmSync(scratch, { recursive: true });
})();
