// A program before and after an edit that makes one of its lines slower and moves it: the comparison of their recordings names that line, and says
// where it was.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Comparison } from '../../src/protocol/comparison.ts';
import { nodes } from '../support/nodes.ts';
import { scratchFolder } from '../support/scratch.ts';
import { waitline } from '../support/waitline.ts';

const node = nodes().find(({ major }) => major === 24) ?? nodes().at(-1)!;

/** A server that takes its time, and a client that asks it again and again. */
const program = (delayMs: number, inserted: string) => `const http = require('node:http');
${inserted}const server = http.createServer((_, response) => {
	setTimeout(() => response.end(), ${delayMs});
});
server.listen(0, '127.0.0.1', () => ask(20));
function ask(left) {
	if (left === 0) return server.close();
	http.get({ host: '127.0.0.1', port: server.address().port, agent: false }, (response) => {
		response.resume().on('end', () => ask(left - 1));
	});
}
`;

it('the line that an edit made slower comes first, with its place before', async () => {
	const folder = scratchFolder();
	const file = join(folder, 'asks.cjs');
	const record = async (name: string, text: string) => {
		writeFileSync(file, text);
		const out = join(folder, name);
		const { code, stderr } = await waitline(['run', '--no-report', '--out', out, '--', node.path, file]);
		assert.equal(code, 0, stderr.toString());
		return out;
	};
	const before = await record('before.waitline', program(5, ''));
	// More than a busy machine makes of five.
	const after = await record('after.waitline', program(100, '// What was inserted\n\n'));
	const json = join(folder, 'comparison.json');
	const { code, stdout, stderr } = await waitline(['compare', before, after, '--json', json]);
	assert.equal(code, 0, stderr.toString());
	const { lines } = JSON.parse(readFileSync(json, 'utf8')) as Comparison;
	const asking = lines.find(({ op, before: old }) => op === 'http.get' && old !== null);
	assert.deepEqual(
		[asking?.verdict, asking?.before?.line, asking?.after?.line],
		['slower', 8, 10],
		JSON.stringify(lines),
	);
	const served = lines.find(({ class: kind }) => kind === 'request');
	assert.deepEqual([served?.verdict, served?.before?.line, served?.after?.line], ['slower', 2, 4]);
	// The handler costs as much as the line that asks it, so either may be first.
	const [slower] = stdout.toString().split('Not changed');
	assert.match(slower!, /^\s*Slower: \d+ lines\n/);
	assert.match(slower!, /asks\.cjs:10 \(was line 8\) {2}http\.get/);
});
