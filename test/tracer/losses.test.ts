// What is lost is reported as lost, and whatever happens to a journal, the program runs as it would without the tracer.
import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { GENERATION_MS, LEASE_FILE, LEASE_MS } from '../../src/protocol/journal.ts';
import type { Report } from '../../src/protocol/report.ts';
import { follow } from '../support/live.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { execute, type Outcome } from '../support/process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';
import { readReport, waitline } from '../support/waitline.ts';

const newest = nodes().at(-1)!;
/** How often a program has looked at a file when something happens to its journal. */
const READ_BEFORE = 100;

/** Runs a program of ours with a folder for temporary files; the report beside what the program did. */
async function run(program: string, args: string[], env: Record<string, string>, node = newest) {
	const file = join(scratchFolder(), 'report.json');
	const command = [node.path, join(tracerPrograms, program), ...args];
	// All of it is recorded: on a busy machine the tracer would leave some out, and write too little for what happens to its journal.
	const outcome = await waitline(['run', '--budget', 'off', '--no-report', '--json', file, '--', ...command], { env });
	const report = readReport(file);
	const { emitted, decoded, dropped, lost } = report.accounting;
	assert.equal(emitted, decoded + dropped + lost);
	return { outcome, report };
}

function ended({ code, signal, stdout, stderr }: Outcome): unknown[] {
	return [code, signal, stdout.toString(), stderr.toString()];
}

const messages = ({ warnings }: Report) => warnings.map(({ message }) => message).join('\n');

describe('how a thread ends', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		for (const [how, end, cutShort] of [
			['exit', 'exit', 0],
			['uncaught', 'exit', 0],
			['SIGTERM', 'killed', 1],
			['abort', 'killed', 1],
			['out of memory', 'killed', 1],
			['a Worker that is terminated', 'exit', 1],
			['a Worker at its memory limit', 'exit', 1],
		] as const) {
			it(`${how} on Node ${node.major}`, async () => {
				// The heap is small, so that it is soon full.
				const { outcome, report } = await run(
					'ends-somehow.cjs',
					[how],
					{ NODE_OPTIONS: '--max-old-space-size=40' },
					node,
				);
				assert.equal(report.processes[0]?.end, end);
				const killer = end === 'killed' ? outcome.signal : null;
				assert.equal(report.processes[0]?.signal, killer, 'what killed it, where it is known');
				assert.equal(report.accounting.cutShort, cutShort, 'threads that could not write their last records');
				if (how.includes('Worker')) {
					const by = how.includes('limit') ? 'memory-limit' : 'terminated';
					assert.equal(report.processes.find(({ threadId }) => threadId === 1)?.end, by);
				}
			});
		}
	}
});

describe('what happens to a journal while its program runs', {
	...SIDE_BY_SIDE,
	skip: process.platform === 'win32',
}, () => {
	for (const [harm, said] of [
		['removes', /^The journal of process \d+ was removed while/],
		['shortens', /^The journal of process \d+ was shortened while/],
		['removes the folder of', /^The journal of process \d+ was removed while/],
		['puts a link in the place of', /^The journal of process \d+ was replaced while/],
	] as const) {
		it(`a program ${harm} its journal`, async () => {
			const go = join(scratchFolder(), 'go');
			const looks = (report: Report) => report.lines.find(({ op }) => op === 'fs.stat')?.count ?? 0;
			let errors = '';
			const { session, stdout, code } = await follow(
				newest,
				[join(tracerPrograms, 'loses-its-journal.cjs'), harm, go],
				(live) => live.onUpdate(() => looks(live.report()) >= READ_BEFORE && writeFileSync(go, '')),
				{ onStderr: (text) => (errors += text) },
			);
			const report = await session.stop();
			const { emitted, decoded, dropped, lost } = report.accounting;
			assert.equal(emitted, decoded + dropped + lost);
			assert.deepEqual([code, stdout, errors], [0, 'done\n', '']);
			assert.match(messages(report), said);
			assert.ok(looks(report) >= READ_BEFORE, 'what was read before is there');
		});
	}

	it('a disk that is full for a while', async (t) => {
		const small = scratchFolder('disk');
		if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'none', small]).status !== 0) {
			t.skip('only root can make a small disk');
			return;
		}
		try {
			const filler = join(small, 'filler');
			writeFileSync(filler, Buffer.alloc(250_000));
			const { outcome, report } = await run('fills-its-disk.cjs', [filler], { TMPDIR: small });
			assert.deepEqual(ended(outcome), [0, null, 'done\n', '']);
			assert.ok(report.accounting.lost > 0, JSON.stringify(report.accounting));
			assert.match(messages(report), /^[\d,]+ records of the recording could not be read/);
			assert.deepEqual([report.processes[0]?.end, report.accounting.cutShort], ['exit', 0]);
		} finally {
			assert.equal(spawnSync('umount', [small]).status, 0);
		}
	});
});

describe('a program of root’s that gives up its rights', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		it(`is recorded to its end on Node ${node.major}`, { skip: process.getuid?.() !== 0 }, async () => {
			const { outcome, report } = await run('gives-up-rights.cjs', [], {}, node);
			const times = Number(outcome.stdout.toString());
			assert.ok(times > 0, outcome.stderr.toString());
			assert.equal(report.lines.find(({ op }) => op === 'fs.stat')?.count, times);
			assert.deepEqual([report.processes[0]?.end, messages(report)], ['exit', '']);
		});
	}
});

describe('a report that cannot be made', () => {
	it('leaves the exit status alone, is reported in one sentence, and keeps the recording', {
		skip: process.platform !== 'linux',
	}, async () => {
		const cwd = scratchFolder();
		const program = ['-e', 'setTimeout(() => { process.exitCode = 5 }, 20)'];
		const outcome = await waitline(['run', '--json', '/dev/full', '--', newest.path, ...program], { cwd });
		assert.equal(outcome.code, 5);
		const said = outcome.stderr.toString();
		assert.match(
			said,
			/^waitline: [^\n]*could not be made: Cannot write \/dev\/full: the disk is full\. The recording is in [^\n]*\.waitline\.\n$/,
		);
		const [kept = ''] = readdirSync(cwd);
		assert.ok(said.includes(join(cwd, kept)));
		const again = await waitline(['report', join(cwd, kept)]);
		assert.deepEqual([again.code, again.stderr.toString()], [0, '']);
		assert.match(again.stdout.toString(), /process \d+ · Node/);
	});

	it('a reader that has seen enough ends it quietly', { skip: process.platform === 'win32' }, async () => {
		const cwd = scratchFolder();
		const file = join(cwd, 'long.waitline');
		const program = join(tracerPrograms, 'everyday.cjs');
		assert.equal((await waitline(['run', '--no-report', '--out', file, '--', newest.path, program])).code, 0);
		const cli = JSON.stringify(join(import.meta.dirname, '..', '..', 'dist', 'cli.js'));
		const command = `"${process.execPath}" ${cli} report ${JSON.stringify(file)} | true; echo "\${PIPESTATUS[0]}"`;
		const { stdout, stderr } = await execute('bash', ['-c', command]);
		assert.deepEqual([stdout.toString(), stderr.toString()], ['0\n', '']);
	});
});

describe('the lease', { ...SIDE_BY_SIDE, skip: process.platform === 'win32' }, () => {
	/** The only journal of the session that has its folder there. */
	function journalIn(temporary: string): string {
		const folder = join(temporary, readdirSync(temporary).find((name) => name.startsWith('waitline-'))!);
		return join(folder, readdirSync(folder).find((name) => name.endsWith('.journal'))!);
	}

	/** Stops the host, makes its lease old, and lets the program run until the tracer has read that: then it goes on, and ends. */
	async function whileAway(signal: 'SIGSTOP' | 'SIGKILL') {
		const temporary = scratchFolder();
		const file = join(temporary, 'report.json');
		const end = join(temporary, 'end');
		const text =
			"(function turn() { if (!require('fs').existsSync(process.argv[1])) setTimeout(turn, 5) })(); console.log(1)";
		let leaves: Promise<void> | undefined;
		const leave = async (host: ChildProcess) => {
			host.kill(signal);
			const journal = journalIn(temporary);
			const before = new Date(Date.now() - 2 * LEASE_MS);
			utimesSync(join(journal, '..', LEASE_FILE), before, before);
			if (signal === 'SIGSTOP') {
				// What is written when the generation of that moment is over belongs to a later one, and the lease is read before each.
				await sleep(GENERATION_MS + 200);
				const { size } = statSync(journal);
				while (statSync(journal).size === size) await sleep(20);
				host.kill('SIGCONT');
			} else while (!readFileSync(journal, 'latin1').endsWith('lease')) await sleep(20);
			writeFileSync(end, '');
		};
		const command = ['run', '--no-report', '--json', file, '--', newest.path, '-e', text, end];
		const outcome = await waitline(command, {
			env: { TMPDIR: temporary },
			onFirstOutput: (host) => {
				leaves = leave(host);
			},
		});
		await leaves;
		return { temporary, file, outcome };
	}

	it('of a host that was stopped and continues keeps the recording going', async () => {
		const { file, outcome } = await whileAway('SIGSTOP');
		assert.equal(outcome.code, 0, outcome.stderr.toString());
		const { warnings, processes } = readReport(file);
		assert.deepEqual([warnings, processes[0]?.end], [[], 'exit']);
	});

	it('of a host that is gone is invalid', async () => {
		const { temporary } = await whileAway('SIGKILL');
		assert.match(readFileSync(journalIn(temporary), 'latin1'), /lease$/);
	});
});
