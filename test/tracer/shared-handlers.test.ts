// Handlers that serve several routes: the routes are distinguished by what the handler does for each of them, where that depends on the route.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { nodesOfLibraries } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, lineWith } from '../support/report.ts';
import { record } from '../support/waitline.ts';

const program = libraryProgram('shares-handlers.cjs');
/** How often the program asks for each route. */
const ROUNDS = 30;

/** The lines of the routes: each is behind a comment. */
const expected = readFileSync(program, 'utf8')
	.split('\n')
	.flatMap((text, index) => (/\/\/ ↓ /.test(text) ? [[index + 2, ROUNDS] as const] : []));

describe('requests of handlers that serve several routes', () => {
	before(installLibraries);

	for (const node of nodesOfLibraries()) {
		it(`are distinguished by their routes, on Node ${node.major}`, async () => {
			const { report } = await record(node, [program]);
			assertComplete(report);
			const byLine = ([a]: readonly number[], [b]: readonly number[]) => a! - b!;
			assert.deepEqual(report.requests.map(({ line, count }) => [line, count]).sort(byLine), expected);
			const rows = report.lines.filter(({ op }) => op === 'http.Server request');
			assert.deepEqual(rows.map(({ line, count }) => [line, count]).sort(byLine), expected);
		});
	}
});

describe('requests of a handler of HTTP/2 that looks at the path itself', () => {
	const streams = libraryProgram('shares-streams.cjs');
	const line = (comment: string) => lineWith(streams, `// ↓ ${comment}`) + 1;

	for (const node of nodesOfLibraries()) {
		it(`are told apart by their routes from Node 22 on, and before are its own, on Node ${node.major}`, async () => {
			const { report } = await record(node, [streams]);
			assertComplete(report);
			const byLine = ([a]: readonly number[], [b]: readonly number[]) => a! - b!;
			assert.deepEqual(
				report.requests.map(({ line, count }) => [line, count]).sort(byLine),
				node.major < 22
					? [[line('handler'), 2 * ROUNDS]]
					: [
							[line('/waits'), ROUNDS],
							[line('POST /'), ROUNDS],
						],
			);
		});
	}
});

describe('requests whose handler starts nothing itself, behind a router', () => {
	before(installLibraries);

	for (const node of nodesOfLibraries()) {
		it(`are on its line where it answers them after its await, and on nobody else’s, on Node ${node.major}`, async () => {
			const others = libraryProgram('awaits-others.cjs');
			const { report } = await record(node, [others]);
			assertComplete(report);
			const counts = (name: string) => {
				const line = lineWith(others, `// ↓ ${name}`) + 1;
				return report.requests.filter((route) => route.line === line).map(({ count }) => count);
			};
			assert.deepEqual(counts('shares'), [40]);
			assert.deepEqual(counts('answers'), [10], 'those that another handler keeps are not its own');
			const unknown = report.requests.filter(({ op }) => op === 'http.Server request, handler unknown');
			const listens = lineWith(others, 'app.listen');
			assert.deepEqual(
				unknown.map(({ line, count }) => [line, count]),
				[[listens, 20]],
				'whose they are is not known',
			);
		});
	}
});

describe('requests whose handlers give functions to libraries', () => {
	before(installLibraries);
	const gives = libraryProgram('serves-through-callbacks.cjs');
	const rounds = 12;
	const handlers = readFileSync(gives, 'utf8')
		.split('\n')
		.flatMap((text, index) => (/\/\/ ↓ /.test(text) ? [[index + 2, rounds] as const] : []));

	for (const node of nodesOfLibraries()) {
		it(`are on the lines of the handlers, and not of what the libraries call, on Node ${node.major}`, async () => {
			const { report } = await record(node, [gives]);
			assertComplete(report);
			const byLine = ([a]: readonly number[], [b]: readonly number[]) => a! - b!;
			assert.deepEqual(report.requests.map(({ line, count }) => [line, count]).sort(byLine), handlers);
			assert.deepEqual(report.unanswered, []);
		});
	}
});

describe('requests whose handler leaves its work to others', () => {
	before(installLibraries);

	const helped = libraryProgram('serves-with-helpers.cjs');
	for (const node of nodesOfLibraries()) {
		it(`are on its line, and wait for a child process on the line that runs it, on Node ${node.major}`, async () => {
			const { report } = await record(node, [helped]);
			assertComplete(report);
			const handlers = ['asks the queue', 'runs a child'].map((text) => lineWith(helped, `// ↓ ${text}`) + 1);
			assert.deepEqual(
				report.requests.map(({ line, count }) => [line, count]).sort(([a], [b]) => a! - b!),
				handlers.map((line) => [line, 20]),
			);
			const { parts } = report.requests.find(({ line }) => line === handlers[1])!;
			const [wait] = parts.filter(({ kind }) => kind === 'wait').sort((a, b) => b.ms - a.ms);
			assert.deepEqual([wait?.line, wait?.count], [lineWith(helped, '// waits for it'), 20]);
			assert.match(wait!.op, /^child_process\./);
			assert.ok(wait!.ms >= 20 * 30, `${wait!.ms} ms of sleep`);
		});
	}
});
