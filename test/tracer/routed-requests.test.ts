// Requests that a middleware keeps waiting before their route's handler has its turn: each is on the line of its route.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import type { Report } from '../../src/protocol/report.ts';
import { missingDatabaseServers, redisForSuite } from '../support/database-servers.ts';
import { nodesOfLibraries } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, assertNear, lineWith, sum } from '../support/report.ts';
import { record } from '../support/waitline.ts';

const missing = missingDatabaseServers();
const program = libraryProgram('serves-behind-middleware.cjs');
/** How often the program asks for each route. */
const ROUNDS = 60;

/** By name, the lines of the routes: each is behind a comment. */
const routes = new Map(
	readFileSync(program, 'utf8')
		.split('\n')
		.flatMap((text, index) => {
			const [, name] = /\/\/ ↓ (.*)$/.exec(text) ?? [];
			return name === undefined ? [] : [[name, index + 2] as const];
		}),
);

describe('requests behind a middleware that waits', () => {
	before(installLibraries);

	for (const node of nodesOfLibraries()) {
		it(`are on the lines of their routes, on Node ${node.major}`, async () => {
			const { report } = await record(node, [program]);
			assertComplete(report);
			const expected = [...routes].map(([name, line]) => [name, line, ROUNDS, 0]);
			const seen = report.requests.map(({ line, count, pending }) => {
				const name = [...routes].find(([, at]) => at === line)?.[0] ?? 'no route';
				return [name, line, count, pending];
			});
			assert.deepEqual(seen.sort(byLine), expected);
			assert.deepEqual(report.unanswered, []);
			const rows = report.lines.filter(({ op }) => op === 'http.Server request');
			assert.deepEqual(
				rows.map(({ line, count }) => [line, count]).sort(([a], [b]) => a! - b!),
				[...routes].map(([, line]) => [line, ROUNDS]),
			);
			for (const { run, wait, blocked, unknown, duration, line } of report.requests) {
				const parts = [run, wait, blocked, unknown].map(({ totalMs }) => totalMs);
				assertNear(sum(parts), duration.totalMs, 0, `line ${line}: its parts`, 0.01);
			}
			assertWaited(report, 'express /waits', '// asks first');
			assertWaited(report, 'koa /reads', '// koa asks first');
		});
	}
});

/** Each request of that route waited for what its middleware started. */
function assertWaited(report: Report, route: string, text: string): void {
	const { parts } = report.requests.find(({ line }) => line === routes.get(route))!;
	const waits = parts.filter(({ kind, line }) => kind === 'wait' && line === lineWith(program, text));
	assert.equal(sum(waits.map(({ count }) => count)), ROUNDS, route);
}

function byLine([, a]: (string | number)[], [, b]: (string | number)[]): number {
	return Number(a) - Number(b);
}

describe('requests behind a middleware that asks over one connection for all of them', {
	skip: missing ?? false,
}, () => {
	before(installLibraries);
	const redisPort = redisForSuite();
	const behind = libraryProgram('serves-behind-redis.cjs');
	/** How often the program asks for each route. */
	const asked = 60;

	for (const node of nodesOfLibraries()) {
		it(`are on the lines of the handlers that lead to their answers, and on no other’s, on Node ${node.major}`, async () => {
			const { report } = await record(node, [behind], { env: { REDISPORT: redisPort() } });
			assertComplete(report);
			const counts = ['waits long', 'waits short', 'answers', 'asks on', 'the middleware'].map((comment) => {
				const line = lineWith(behind, `// ↓ ${comment}`) + 1;
				return sum(report.requests.filter((route) => route.line === line).map(({ count }) => count));
			});
			const [long, short, answers, asksOn] = counts as [number, number, number, number];
			for (const count of [long, short, answers]) assert.ok(count > 0.8 * asked && count <= asked, `${counts}`);
			assert.ok(asksOn <= asked, `${asksOn} go on behind another answer`);
			assert.equal(sum(counts), 4 * asked, 'where that is unknown they stay on the line of the middleware');
		});
	}
});

describe('requests that a middleware only passes on', () => {
	before(installLibraries);
	const program = libraryProgram('passes-on.cjs');

	for (const node of nodesOfLibraries()) {
		it(`are not its own, nor is what a library does for them, on Node ${node.major}`, async () => {
			const { report } = await record(node, [program]);
			assertComplete(report);
			assert.deepEqual(
				report.lines.filter(({ line }) => line === lineWith(program, '// passes on')),
				[],
			);
			const [listens, handler] = [lineWith(program, 'app.listen'), lineWith(program, '// ↓ the handler') + 1];
			assert.deepEqual(
				report.requests.map(({ line, op, count }) => [line, op, count]).sort(([a], [b]) => Number(a) - Number(b)),
				[
					[handler, 'http.Server request', 20],
					[listens, 'http.Server request, handler unknown', 20],
				],
			);
			const stats = report.lines.filter(({ op }) => op === 'fs.stat').map(({ line, count }) => [line, count]);
			assert.deepEqual(
				stats.sort(([a], [b]) => a! - b!),
				[
					[lineWith(program, '// looks'), 20],
					[listens, 20],
				],
			);
		});
	}
});
