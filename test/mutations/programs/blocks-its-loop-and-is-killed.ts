// Compiled, with its map inside: blocks its loop, asks for a larger pool too late, and is killed in the midst of its work.
import crypto from 'node:crypto';
import fs from 'node:fs';

interface Work {
	name: string;
	rounds: number;
}

const work: Work[] = Array.from({ length: 8 }, (_, i) => ({ name: `work ${i}`, rounds: 200 * (i + 1) }));

function holdLoop(ms: number): void {
	for (const until = Date.now() + ms; Date.now() < until; ) fs.readFileSync(__filename);
}

function garbage(count: number): void {
	const kept: unknown[] = [];
	for (let i = 0; i < count; i++) kept.push({ i });
}

for (const { name, rounds } of work) {
	crypto.pbkdf2(name, 'salt', rounds * 20, 32, 'sha256', () => garbage(2e5));
}
process.env.UV_THREADPOOL_SIZE = '8';
const interval = setInterval(() => fs.stat(__filename, () => garbage(10)), 5);
setTimeout(() => {
	holdLoop(70);
	process.nextTick(() => holdLoop(60));
}, 20);
setTimeout(() => holdLoop(55), 60);
setTimeout(() => {
	clearInterval(interval);
	setTimeout(() => process.kill(process.pid, 'SIGKILL'), 150);
}, 250);
