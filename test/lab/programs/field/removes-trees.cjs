// `fs.rm` and `fs.cp` do many steps at the same time. While they do, three hashes have three of the pool's four threads: the steps queue for the fourth one, and queue,
// execution and lag of an operation are no longer than its wait.
const { pbkdf2 } = require('node:crypto');
const { mkdtempSync, mkdirSync, writeFileSync, promises: fs } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const folder = mkdtempSync(join(tmpdir(), 'waitline-trees-'));
for (let i = 0; i < 60; i++) {
	mkdirSync(join(folder, 'from', String(i % 6)), { recursive: true });
	writeFileSync(join(folder, 'from', String(i % 6), `${i}.txt`), 'text');
}

/** Three hashes, one after the other, until there is nothing left to do for others. */
let isOver = false;
const hash = () => isOver || pbkdf2('secret', 'salt', 30_000, 64, 'sha512', hash);

(async () => {
	for (let i = 0; i < 3; i++) hash();
	await fs.cp(join(folder, 'from'), join(folder, 'to'), { recursive: true }); // copies
	await fs.rm(join(folder, 'to'), { recursive: true }); // removes
	isOver = true;
	await fs.rm(folder, { recursive: true });
})();
