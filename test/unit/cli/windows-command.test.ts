// Which file a command stands for on Windows, and what cmd gets to read for a batch file. What cmd makes of it: test/windows/commands.test.ts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../../src/cli/command-line.ts';
import { windowsCommand } from '../../../src/cli/windows-command.ts';

const CMD = 'C:\\Windows\\System32\\cmd.exe';

function spawned(command: string[], files: string[], env: Record<string, string> = {}) {
	return windowsCommand(command, {
		env: { Path: '"C:\\Program Files\\nodejs";C:\\tools', SystemRoot: 'C:\\Windows', ...env },
		folder: 'D:\\app',
		isFile: (file) => files.some((each) => each.toLowerCase() === file.toLowerCase()),
	});
}

/** The command line that cmd reads. */
function lineOf(command: string[], file: string): string {
	const { file: shell, args, isVerbatim } = spawned(command, [file]);
	assert.deepEqual([shell, isVerbatim, args.slice(0, -1)], [CMD, true, ['/e:on', '/v:off', '/d', '/s', '/c']]);
	return args.at(-1)!;
}

describe('a command on Windows', () => {
	it('that is a program is started as it is', () => {
		const file = 'C:\\Program Files\\nodejs\\node.exe';
		assert.deepEqual(spawned(['node', 'a b.js'], [file]), { file, args: ['a b.js'], isVerbatim: false });
		assert.deepEqual(spawned(['NODE.EXE'], [file]).file, 'C:\\Program Files\\nodejs\\NODE.EXE');
	});

	it('named npm is npm.cmd, though a script for other systems lies beside it', () => {
		const folder = 'C:\\Program Files\\nodejs';
		const line = `""${folder}\\npm.cmd" "run" "test""`;
		assert.deepEqual(spawned(['npm', 'run', 'test'], [`${folder}\\npm`, `${folder}\\npm.cmd`]).args.at(-1), line);
	});

	it('is looked for in the current directory first, unless the environment forbids that', () => {
		const files = ['D:\\app\\build.exe', 'C:\\tools\\build.exe'];
		assert.equal(spawned(['build'], files).file, files[0]);
		assert.equal(spawned(['build'], files, { NoDefaultCurrentDirectoryInExePath: '1' }).file, files[1]);
		assert.equal(spawned(['build'], [files[1]!]).file, files[1]);
	});

	it('is looked for by the endings of PATHEXT in their order, and those alone that can be started', () => {
		const files = ['C:\\tools\\x.js', 'C:\\tools\\x.cmd', 'C:\\tools\\x.exe'];
		assert.equal(spawned(['x'], files).file, files[2]);
		assert.equal(spawned(['x'], files, { PATHEXT: '.JS;.CMD;.EXE' }).file, CMD);
		assert.equal(spawned(['x'], files, { PATHEXT: '.JS' }).file, 'x');
	});

	for (const name of ['bin\\tool', 'bin/tool', '.\\bin\\tool', 'D:\\app\\bin\\tool']) {
		it(`given as ${name} is looked for there alone`, () => {
			assert.equal(lineOf([name], 'D:\\app\\bin\\tool.cmd'), '""D:\\app\\bin\\tool.cmd""');
			assert.equal(spawned([name], ['C:\\tools\\tool.cmd']).file, name);
		});
	}

	it('gives a batch file arguments in which cmd finds nothing of its own', () => {
		for (const [arg, text] of [
			['', '""'],
			['a b&c|d', '"a b&c|d"'],
			['say "hi"&calc', '"say ""hi""&calc"'],
			['ends\\', '"ends\\\\"'],
			['a\\"b', '"a\\\\""b"'],
			['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
		] as const) {
			assert.equal(lineOf(['x', arg], 'C:\\tools\\x.cmd'), `""C:\\tools\\x.cmd" ${text}"`);
		}
		assert.equal(lineOf(['100%\\x'], 'D:\\app\\100%\\x.bat'), '""D:\\app\\100%%cd:~,%\\x.bat""');
	});

	for (const [command, said] of [
		[['x', 'a\nb'], /^An argument of 'x' contains a line break/],
		[['x', 'a\rb'], /^An argument of 'x' contains a line break/],
		[
			['.\\build.ps1'],
			/^'\.\\build\.ps1' is a PowerShell script\. Try 'waitline run -- powershell -File \.\\build\.ps1'\.$/,
		],
	] as const) {
		it(`that nothing can pass on is refused: ${JSON.stringify(command)}`, () => {
			assert.throws(
				() => spawned([...command], ['C:\\tools\\x.cmd']),
				(error) => error instanceof UsageError && said.test(error.message),
			);
		});
	}
});
