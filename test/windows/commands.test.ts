// Commands as people give them to `waitline run` on Windows: batch files by their bare name, what cmd starts, and what outlives the run.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { scratchFolder } from '../support/scratch.ts';
import { readReport } from '../support/waitline.ts';
import { hostPath, runOnWindows, skip, waitlineOnWindows, windowsNodes, windowsPath } from '../support/windows.ts';

const SHOW = 'console.log(JSON.stringify(process.argv.slice(2)));\n';

/** What a shell would take for something else. */
const ARGUMENTS = [
	'plain',
	'two words',
	'a&echo injected',
	'a|b',
	'<in>',
	'^',
	'(x)',
	"it's",
	'a"b',
	'"',
	'ends\\',
	'a\\"b',
	'',
	'Größe 文件',
];
/** Wine's cmd leaves the variables that stand for nothing in the text. */
const PERCENT = ['%PATH%', '100%', '%%', '%~dp0'];

/** The folder of the npm that runs the tests. */
const npm = process.env.npm_execpath && dirname(dirname(process.env.npm_execpath));

function onWindows<T extends object>(values: T): T | object {
	return process.platform === 'win32' ? values : {};
}

function readOrEmpty(file: string): string {
	try {
		return readFileSync(file, 'latin1');
	} catch {
		// A process that has ended meanwhile.
		return '';
	}
}

describe('commands on Windows', { skip }, () => {
	const node = windowsNodes().at(-1)!;

	/** Runs a batch file that passes its arguments to a program, by its bare name. */
	async function runBatch(ending: string, args: readonly string[]) {
		const folder = join(scratchFolder(), 'a & b (x)');
		mkdirSync(folder);
		writeFileSync(join(folder, 'show.cjs'), SHOW);
		writeFileSync(join(folder, `show-arguments${ending}`), `@"${node.path}" "%~dp0show.cjs" %*\r\n`);
		// As npm does it: a script for other systems lies beside it.
		writeFileSync(join(folder, 'show-arguments'), '#!/bin/sh\n');
		const json = join(scratchFolder(), 'report.json');
		const command = ['run', '--no-report', '--json', windowsPath(json), '--', 'show-arguments', ...args];
		const outcome = await waitlineOnWindows(node, command, { cwd: folder });
		return { ...outcome, report: readReport(json) };
	}

	for (const ending of ['.cmd', '.bat']) {
		it(`a ${ending} file is found by its bare name and gets its arguments as they are`, async () => {
			const { code, stdout, stderr, report } = await runBatch(ending, ARGUMENTS);
			assert.deepEqual([code, stderr], [0, '']);
			assert.deepEqual(JSON.parse(stdout), ARGUMENTS);
			assert.equal(report.processes.length, 1);
		});
	}

	it('cmd expands no variable in the arguments of a batch file', { skip: process.platform !== 'win32' }, async () => {
		const { stdout } = await runBatch('.cmd', PERCENT);
		assert.deepEqual(JSON.parse(stdout), PERCENT);
	});

	it('a program that cmd starts is traced', async () => {
		const json = join(scratchFolder(), 'report.json');
		const command = ['cmd', '/d', '/c', node.path, '-e', 'setTimeout(Date.now, 20)'];
		const outcome = await waitlineOnWindows(node, [
			'run',
			'--no-report',
			'--json',
			windowsPath(json),
			'--',
			...command,
		]);
		assert.deepEqual(outcome, { code: 0, stdout: '', stderr: '' });
		const { processes, lines } = readReport(json);
		assert.equal(processes.length, 1);
		assert.deepEqual(lines, [], 'what --eval runs is in no file');
	});

	it('a program that PowerShell starts is traced', {
		skip: process.platform !== 'win32' && 'Wine has none',
	}, async () => {
		const json = join(scratchFolder(), 'report.json');
		const command = ['powershell', '-NoProfile', '-Command', `& '${node.path}' -e 'setTimeout(Date.now, 20)'`];
		const outcome = await waitlineOnWindows(node, ['run', '--no-report', '--json', json, '--', ...command]);
		assert.deepEqual([outcome.code, outcome.stderr], [0, '']);
		assert.equal(readReport(json).processes.length, 1);
	});

	it('npm is found as npm.cmd, and what it runs is traced under it', { skip: npm === undefined }, async () => {
		// As Node's installer lays it out.
		const installed = scratchFolder('npm');
		mkdirSync(join(installed, 'node_modules'));
		writeFileSync(join(installed, 'npm.cmd'), readFileSync(join(npm!, 'bin', 'npm.cmd')));
		symlinkSync(npm!, join(installed, 'node_modules', 'npm'), 'junction');
		symlinkSync(hostPath(node.path), join(installed, 'node.exe'), 'file');
		const cwd = scratchFolder('package');
		writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { say: 'node -p process.pid' } }));
		const json = join(cwd, 'report.json');
		// Wine takes folders for its PATH from a variable of its own.
		const env = { WINEPATH: windowsPath(installed), ...onWindows({ PATH: `${installed};${process.env.PATH}` }) };
		const command = ['run', '--no-report', '--json', windowsPath(json), '--', 'npm', '--silent', 'run', 'say'];
		const { code, stdout, stderr } = await waitlineOnWindows(node, command, { cwd, env });
		assert.equal(code, 0, stderr);
		const { processes, untraced } = readReport(json);
		const script = processes.find(({ pid }) => pid === Number(stdout.trim().split('\n').at(-1)));
		assert.ok(
			processes.some(({ pid }) => pid === script?.parentPid),
			JSON.stringify(processes),
		);
		assert.deepEqual(untraced, []);
	});

	/** What a console of Windows does at Ctrl-C: it signals each of its processes. Wine takes a SIGINT for that. */
	function pressCtrlC(mark: string): void {
		for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
			const textOf = (file: string) => readOrEmpty(join('/proc', pid, file));
			if (textOf('comm').startsWith('node.exe') && textOf('cmdline').includes(mark))
				process.kill(Number(pid), 'SIGINT');
		}
	}

	for (const [program, ending] of [
		['leaves-slowly.cjs', 'exit'],
		['stays.cjs', 'killed'],
	] as const) {
		it(`Ctrl-C ends ${program} in its own way, and the report is there`, {
			skip: process.platform === 'win32' && 'it would end the tests, too',
		}, async () => {
			const json = join(scratchFolder(), 'report.json');
			const file = windowsPath(join(import.meta.dirname, 'programs', program));
			// An argument distinguishes the processes from those of other tests.
			const mark = json;
			const options = { onFirstLine: () => pressCtrlC(mark) };
			const bare = await runOnWindows([node.path, file, mark], options);
			const command = ['run', '--no-report', '--json', windowsPath(json), '--', node.path, file, mark];
			assert.deepEqual(await waitlineOnWindows(node, command, options), bare);
			assert.match(bare.stdout, ending === 'exit' ? /^ready\nleft\n$/ : /^ready\n$/);
			assert.deepEqual(
				readReport(json).processes.map(({ end }) => end),
				[ending],
			);
		});
	}

	it('a script of PowerShell as the command is refused with a sentence that says how to run it', async () => {
		const outcome = await waitlineOnWindows(node, ['run', '--', 'build.ps1']);
		const stderr = "waitline: 'build.ps1' is a PowerShell script. Try 'waitline run -- powershell -File build.ps1'.\n";
		assert.deepEqual(outcome, { code: 2, stdout: '', stderr });
	});

	it('a command that is nowhere is refused with a sentence', async () => {
		const { code, stderr } = await waitlineOnWindows(node, ['run', '--', 'no-such-command']);
		assert.deepEqual([code, stderr], [2, "waitline: Cannot run 'no-such-command': it does not exist.\n"]);
	});
});
