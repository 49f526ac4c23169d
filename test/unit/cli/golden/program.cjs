// What the sample report of annotated-report.test.ts is about.
const crypto = require('node:crypto');
setTimeout(() => crypto.pbkdf2Sync('a', 'b', 1e6, 64, 'sha512'), 120);
async function read() {
	const [text] = await Promise.all([require('node:fs').promises.readFile(__filename), fetch('http://127.0.0.1:9')]);
	return require('node:zlib').gzip(text, () => undefined);
}
for (const salt of ['one', 'two']) crypto.pbkdf2('password', salt, 100_000, 512, 'sha512', read);
