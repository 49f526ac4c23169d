// Requests at a given rate to several servers in turn, evenly spaced, as the visitors of a site come. (autocannon sends those of all its
// connections at once and then none for long, so that most find the server's code in the CPU's caches.)
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A connection that has been free for this long is closed, ms: before the server does at 5000 (`keepAliveTimeout`),
 * perhaps in the moment in which a request is sent over it.
 */
const FREE_FOR_MS = 2000;

/** The requests of a run. */
export interface Asked {
	total: number;
	/** A second. */
	average: number;
}

/**
 * @param rate requests a second for each server
 * @returns what each of them answered
 * @throws when one does not answer well
 */
export async function askEvenly(ports: number[], paths: string[], rate: number, seconds: number): Promise<Asked> {
	const agent = new Agent({ keepAlive: true, timeout: FREE_FOR_MS });
	const total = rate * seconds;
	const answers: Promise<void>[] = [];
	const began = performance.now();
	try {
		for (let turn = 0; turn < total; turn++) {
			for (const [at, port] of ports.entries()) {
				const due = began + ((turn + at / ports.length) * 1000) / rate;
				while (performance.now() < due) await sleep(1);
				const answer = ask(port, paths[turn % paths.length]!, agent);
				// Its error is thrown below, once every request has been sent.
				answer.catch(() => undefined);
				answers.push(answer);
			}
		}
		await Promise.all(answers);
	} finally {
		agent.destroy();
	}
	return { total, average: total / ((performance.now() - began) / 1000) };
}

function ask(port: number, path: string, agent: Agent): Promise<void> {
	return new Promise((resolve, reject) => {
		get({ host: '127.0.0.1', port, path, agent }, (response) => {
			response.resume();
			response.once('error', reject);
			response.once('end', () =>
				response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
			);
		}).once('error', reject);
	});
}
