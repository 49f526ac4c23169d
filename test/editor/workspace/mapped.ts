// Built by esbuild into `out/mapped.js` with a source map; only that file runs. The interface makes the lines of the two differ.
import { pbkdf2 } from 'node:crypto';

interface Job {
	password: string;
	turns: number;
}

function hash({ password, turns }: Job): void {
	pbkdf2(password, 'salt', turns, 64, 'sha512', () => undefined);
}

hash({ password: 'one', turns: 20_000 });
hash({ password: 'two', turns: 20_000 });
