// The client of the servers that the benchmark debugs, in a process of its own: `node client.ts even|full SECONDS RATE
// PATHS PORT…`. It warms the servers up, prints that, waits for a line, sends requests, and prints their times as JSON.
import { once } from 'node:events';
import { askEvenly } from '../cost/even-requests.ts';
import { autocannon } from '../cost/packages.ts';

/** Long enough for V8 to have optimised what it will. */
const WARM_UP_S = 2;
const CONNECTIONS = 10;

const [how, secondsText, rateText, pathsText, ...portTexts] = process.argv.slice(2);
const seconds = Number(secondsText);
const paths = pathsText!.split(',');
const ports = portTexts.map(Number);

async function saturate(port: number, duration: number): Promise<number> {
	const { requests, errors, non2xx } = await autocannon()({
		url: `http://127.0.0.1:${port}`,
		connections: CONNECTIONS,
		duration,
		requests: paths.map((path) => ({ path })),
	});
	if (errors + non2xx > 0) throw new Error(`${errors} errors, ${non2xx} bad answers`);
	return requests.total;
}

for (const port of ports) await saturate(port, WARM_UP_S);
console.log('warm');
await once(process.stdin, 'data');
const total =
	how === 'even'
		? (await askEvenly(ports, paths, Number(rateText), seconds)).total
		: await saturate(ports[0]!, seconds);
console.log(JSON.stringify({ total }));
process.stdin.destroy();
