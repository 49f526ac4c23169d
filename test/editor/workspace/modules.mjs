// An ES module whose three jobs start in a callback and are awaited together. The test sets a pool of one thread.
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

const hash = promisify(pbkdf2);
await Promise.all(['a', 'b', 'c'].map((salt) => hash('password', salt, 60_000, 64, 'sha512')));
