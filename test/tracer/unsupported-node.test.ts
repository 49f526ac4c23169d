// A Node version that Waitline does not support: the program runs untraced, exactly as without Waitline, and one line
// on stderr explains that.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { unsupportedNode } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { bare, traced } from '../support/waitline.ts';

const node = unsupportedNode();

describe('an unsupported Node', { skip: node === undefined }, () => {
	for (const [program, code] of [
		['everyday.cjs', 0],
		['exit-code-7.cjs', 7],
		['throws.cjs', 1],
	] as const) {
		it(`runs ${program} untraced, with one warning`, async () => {
			const without = await bare(node!, [join(tracerPrograms, program)]);
			const under = await traced(node!, [join(tracerPrograms, program)]);
			assert.deepEqual([without.code, under.code], [code, code]);
			assert.equal(under.stdout.toString(), without.stdout.toString());
			const own = without.stderr.toString();
			const said = under.stderr.toString();
			// Before or after what the program wrote itself.
			const warning =
				said.startsWith(own) && own !== '' ? said.slice(own.length) : said.slice(0, said.length - own.length);
			assert.ok(said === own + warning || said === warning + own, said);
			assert.match(warning, /^\n?[^\n]*Node[^\n]*16[^\n]*\n$/, 'one line that names the version');
		});
	}
});
