// A timer's callback computes on the loop, in a function of TypeScript's, which Node runs itself.
import { pbkdf2Sync } from 'node:crypto';

type Rounds = number;

function hashOf(password: string, rounds: Rounds): Buffer;
function hashOf(password: string, rounds?: Rounds): Buffer {
	return pbkdf2Sync(password, 'salt', rounds!, 64, 'sha512');
}

let turns: number = 0;
const interval: NodeJS.Timeout = setInterval((): void => {
	hashOf(`turn ${turns}` as string, 300_000);
	if (++turns === 3) clearInterval(interval);
}, 10);
