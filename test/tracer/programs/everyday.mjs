// Everyday ES module: top-level await, a dynamic import, a stream, and an exit by itself.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(import.meta.url);
console.log(`1 file of ${(await readFile(own, 'utf8')).length} characters`);
await sleep(5);
console.log('2 timer');
const { default: path } = await import('node:path');
console.log(`3 ${path.basename(own)}`);
let bytes = 0;
for await (const chunk of createReadStream(own, { highWaterMark: 64 })) bytes += chunk.length;
console.log(`4 stream of ${bytes} bytes`);
console.error('5 something on stderr');
