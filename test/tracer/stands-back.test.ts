// When something is wrong with the tracer itself, the program continues as if it were not there; and there is never a
// second copy of it.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { JOURNAL_SUFFIX, LEASE_FILE, LEASE_MS } from '../../src/protocol/journal.ts';
import { nodes } from '../support/nodes.ts';
import { cli, tracerPrograms } from '../support/paths.ts';
import { execute } from '../support/process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';
import { bare, record } from '../support/waitline.ts';

const tracer = join(cli, '..', 'tracer.cjs');

/** A journal folder as the host makes it, and the environment that leads a program there. */
function journalFolder(preloads = [tracer]): { folder: string; env: Record<string, string> } {
	const folder = join(scratchFolder(), 'journals');
	mkdirSync(folder);
	writeFileSync(join(folder, LEASE_FILE), '');
	const NODE_OPTIONS = preloads.map((file) => `--require ${JSON.stringify(file)}`).join(' ');
	return { folder, env: { NODE_OPTIONS, WAITLINE_FOLDER: folder } };
}

function journals(folder: string): string[] {
	return readdirSync(folder).filter((name) => name.endsWith(JOURNAL_SUFFIX));
}

describe('the tracer stands back', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			it("lets a program run that Node's permission model keeps from the session's folder", {
				skip: node.major < 22 && 'Node 18 has no such model, and Node 20 does not let the tracer be loaded',
			}, async () => {
				const { folder, env } = journalFolder();
				const option = node.major < 24 ? '--experimental-permission' : '--permission';
				const program = join(scratchFolder(), 'program.cjs');
				writeFileSync(program, "console.log('runs');");
				const options = [option, `--allow-fs-read=${program}`, '--no-warnings', program];
				const { code, stdout, stderr } = await execute(node.path, options, { env });
				assert.equal(`${stderr}`, '');
				assert.deepEqual({ code, said: `${stdout}` }, { code: 0, said: 'runs\n' });
				assert.deepEqual(journals(folder), []);
			});

			it("never writes into a program's file that got its closed descriptor's number", async () => {
				const { env } = journalFolder();
				const program = join(tracerPrograms, 'closes-descriptors.cjs');
				const { code, stdout, stderr } = await execute(node.path, [program, scratchFolder()], { env });
				assert.equal(stderr.toString(), '');
				assert.equal(code, 0);
				assert.equal(stdout.toString().trim(), Array.from({ length: 20 }, (_, i) => i).join(' '));
			});

			it('takes itself out after an error of its own, and writes that into the journal', async () => {
				const program = join(tracerPrograms, 'breaks-maps.cjs');
				const without = await bare(node, [program]);
				const { text, report } = await record(node, [program]);
				assert.equal(text, without.stdout.toString());
				const [warning, ...others] = report.warnings;
				assert.deepEqual(others, []);
				assert.equal(warning?.code, 'tracer-stopped');
				assert.match(warning.message, /stopped before the program did: error: a broken Map/);
				assert.equal(report.lines.length, 1, 'what was recorded before is there');
				const { emitted, decoded, dropped, lost } = report.accounting;
				assert.equal(emitted, decoded + dropped + lost);
			});

			it('loses no other record when V8 ends a call of it in the middle', async () => {
				const { report } = await record(node, [join(tracerPrograms, 'runs-out-of-time.cjs')]);
				const { emitted, decoded, dropped, lost } = report.accounting;
				assert.deepEqual([lost, emitted], [0, decoded + dropped]);
				assert.ok(dropped <= 20, `${dropped} records dropped in 20 ends`);
				const { warnings } = report;
				assert.deepEqual(
					warnings.filter(({ code }) => code === 'tracer-stopped'),
					[],
				);
			});

			it('loses no record when V8 ends a write of the journal before, in or after it', async () => {
				const { text, report } = await record(node, [join(tracerPrograms, 'runs-out-of-time-in-writes.cjs')]);
				const { emitted, decoded, dropped, lost } = report.accounting;
				assert.deepEqual([lost, emitted], [0, decoded + dropped]);
				assert.ok(dropped <= Number(text), `${dropped} records dropped in ${text} ends`);
				assert.deepEqual(report.warnings, []);
			});

			it("records modules' names, but not their data, and survives messages and resources that are not Node's", async () => {
				const { folder, env } = journalFolder();
				const args = [
					join(tracerPrograms, 'keeps-secrets.mjs'),
					join(scratchFolder(), 'module.mjs'),
					'secret-argument',
				];
				const { code, stdout, stderr } = await execute(node.path, args, { env });
				assert.deepEqual([code, stdout.toString(), stderr.toString()], [0, 'its own method is left alone: true\n', '']);
				await execute(node.path, ['-e', 'setTimeout(() => 0, 5)', 'secret-argument'], { env });
				assert.equal(journals(folder).length, 2);
				const text = journals(folder)
					.map((name) => readFileSync(join(folder, name), 'latin1'))
					.join('');
				assert.match(text, /module\.mjs/);
				assert.doesNotMatch(text, /secret-|error: /);
			});

			it('leaves a program alone whose journal folder is gone', async () => {
				const { env } = journalFolder();
				const program = join(tracerPrograms, 'loses-its-folder.cjs');
				const { code, stdout, stderr } = await execute(node.path, [program], { env });
				assert.deepEqual([code, stdout.toString(), stderr.toString()], [0, 'done\n', '']);
			});

			it('runs the program, and prints nothing into its output, when it cannot write', async () => {
				const breaks = join(scratchFolder(), 'breaks.cjs');
				writeFileSync(
					breaks,
					`const fs = require('fs');
					const { openSync } = fs;
					fs.openSync = (file, ...rest) => {
						if (String(file).endsWith('.journal')) throw new Error('EACCES: not yours');
						return openSync(file, ...rest);
					};`,
				);
				const { env } = journalFolder([breaks, tracer]);
				const { code, stdout, stderr } = await execute(node.path, ['-p', '6 * 7'], { env });
				assert.deepEqual([code, stdout.toString(), stderr.toString()], [0, '42\n', '']);
			});

			it('leaves no hook on when it fails while it starts', async () => {
				for (const failure of [
					"fs.openSync = (file, ...rest) => (String(file).endsWith('.journal') ? fail() : openSync(file, ...rest));",
					"require('diagnostics_channel').subscribe = fail;",
				]) {
					const breaks = join(scratchFolder(), 'breaks.cjs');
					writeFileSync(
						breaks,
						`const fs = require('fs');
						const { openSync } = fs;
						const fail = () => { throw new Error('broken before'); };
						${failure}
						const prototype = Object.getPrototypeOf(require('async_hooks').createHook({}));
						const { enable, disable } = prototype;
						globalThis.enabled = new Set();
						globalThis.enables = 0;
						prototype.enable = function () { enables++; enabled.add(this); return enable.call(this); };
						prototype.disable = function () { enabled.delete(this); return disable.call(this); };`,
					);
					const { folder, env } = journalFolder([breaks, tracer]);
					const { code, stdout, stderr } = await execute(node.path, ['-p', '[enabled.size, enables > 0].join(" ")'], {
						env,
					});
					assert.deepEqual([code, stdout.toString(), stderr.toString()], [0, '0 true\n', '']);
					const [journal] = journals(folder);
					if (failure.includes('subscribe'))
						assert.match(readFileSync(join(folder, journal!), 'latin1'), /could not start: broken before/);
				}
			});

			it('prints nothing in a terminal that still has the variables of a session long gone', async () => {
				const [removed, unleased, old] = [journalFolder(), journalFolder(), journalFolder()];
				rmSync(removed.folder, { recursive: true });
				rmSync(join(unleased.folder, LEASE_FILE));
				const before = new Date(Date.now() - 2 * LEASE_MS);
				utimesSync(join(old.folder, LEASE_FILE), before, before);
				for (const { env } of [removed, unleased, old]) {
					const { code, stdout, stderr } = await execute(node.path, ['-p', '6 * 7'], { env });
					assert.deepEqual([code, stdout.toString(), stderr.toString()], [0, '42\n', '']);
				}
				assert.deepEqual(journals(old.folder), []);
			});

			it('uses no iterator of the program when it finds that the lease is gone', {
				skip: process.platform !== 'linux',
			}, async () => {
				const { folder, env } = journalFolder();
				// Without a collection: Node 20 itself iterates over an array for each one that is observed.
				const options = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
				const program = [...options, join(tracerPrograms, 'outlives-its-lease.cjs'), folder];
				const { code, stdout, stderr } = await execute(node.path, program, { env });
				assert.deepEqual([code, stdout.toString(), stderr.toString()], [0, '0 uses\n', '']);
			});

			it('is there once when two copies of it are preloaded', async () => {
				const copy = join(scratchFolder(), 'older tracer.cjs');
				writeFileSync(copy, readFileSync(tracer));
				const { folder, env } = journalFolder([copy, tracer]);
				const { code } = await execute(node.path, ['-e', 'setTimeout(() => 0, 5)'], { env });
				assert.equal(code, 0);
				assert.equal(journals(folder).length, 1);
			});
		});
	}
});
