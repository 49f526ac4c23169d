// Loaded before each test file: ends its process when something that a test has left behind, a program or a timer, keeps it alive. node:test would wait
// for it for ever, and its own `forceExit` loses results that have not been read yet.
import { after } from 'node:test';

/** Long enough for programs that are on their way out. */
const GRACE_MS = 10_000;

after(() => {
	const end = () => {
		console.error(
			`Something that the tests have started still runs ${GRACE_MS / 1000} s after the last one: ${process.getActiveResourcesInfo()}`,
		);
		process.exit(1);
	};
	setTimeout(end, GRACE_MS).unref();
});
