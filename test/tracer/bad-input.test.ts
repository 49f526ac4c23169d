// A person's mistakes on the command line: one plain sentence on stderr, exit code 2, and nothing lost. Whatever can be
// known beforehand is refused before the program starts, so that no run is thrown away.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root, tracerPrograms } from '../support/paths.ts';
import type { Outcome } from '../support/process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { waitline } from '../support/waitline.ts';

const program = [process.execPath, join(tracerPrograms, 'everyday.cjs')];

/** One line, a sentence, and not a trace. */
function assertRefused({ code, stdout, stderr }: Outcome, about: RegExp): void {
	const said = stderr.toString();
	assert.equal(code, 2, said);
	assert.match(said, /^[^\n]*[.?!]\n$/, 'one sentence on one line');
	assert.doesNotMatch(said, /\n\s+at |Error:|E[A-Z]{4,}/, 'in plain words');
	assert.match(said, about);
	assert.equal(stdout.toString(), '', 'no program ran');
}

describe('the command line refuses', () => {
	const folder = scratchFolder();
	const notARecording = join(folder, 'notes.waitline');
	writeFileSync(notARecording, 'Buy milk.\n');
	const empty = join(folder, 'empty.waitline');
	writeFileSync(empty, '');

	const programFile = join(folder, 'server.js');
	writeFileSync(programFile, '');

	const mistakes: Record<string, { args: string[]; about: RegExp }> = {
		'no command': { args: [], about: /run|report/ },
		'an unknown command': { args: ['rum', '--', ...program], about: /rum/ },
		'a run of nothing': { args: ['run'], about: /command|program/i },
		'a run of nothing after --': { args: ['run', '--'], about: /command|program/i },
		'a missing command': { args: ['run', '--', join(folder, 'no-such-command')], about: /no-such-command/ },
		"a program's file without node before it": { args: ['run', programFile], about: /Try '.* node .*server\.js'/ },
		'a command that is a folder': { args: ['run', '--', folder], about: /waitline/ },
		'an unknown option of run': { args: ['run', '--jsn', 'x.json', '--', ...program], about: /--jsn/ },
		'an option without its value': { args: ['run', '--json', '--', ...program], about: /--json/ },
		'an unwritable --json path': {
			args: ['run', '--json', join(folder, 'no', 'such', 'report.json'), '--', ...program],
			about: /report\.json/,
		},
		'a --json path that is a folder': { args: ['run', '--json', folder, '--', ...program], about: /waitline/ },
		'an unwritable --out path': {
			args: ['run', '--out', join(folder, 'no', 'such', 'r.waitline'), '--', ...program],
			about: /r\.waitline/,
		},
		'a report of nothing': { args: ['report'], about: /recording|file/i },
		'a recording that does not exist': { args: ['report', join(folder, 'gone.waitline')], about: /gone\.waitline/ },
		'a file that is not a recording': { args: ['report', notARecording], about: /notes\.waitline/ },
		'an empty file': { args: ['report', empty], about: /empty\.waitline/ },
		'a folder as a recording': { args: ['report', folder], about: /waitline/ },
		'the records of nothing': { args: ['records'], about: /recording/ },
		'the records of a file that is not a recording': { args: ['records', notARecording], about: /notes\.waitline/ },
		'the records of two files': { args: ['records', empty, notARecording], about: /one recording/ },
		'what if, of nothing': { args: ['what-if'], about: /recording/ },
		'what if, of a file that is not a recording': { args: ['what-if', notARecording], about: /notes\.waitline/ },
		'a pool of no threads': { args: ['what-if', empty, '--threads', '0'], about: /--threads/ },
		'a comparison of one recording': { args: ['compare', empty], about: /two recordings/ },
		'a comparison of three recordings': { args: ['compare', empty, empty, notARecording], about: /notes\.waitline/ },
		'a comparison with a file that is not a recording': {
			args: ['compare', notARecording, notARecording],
			about: /notes\.waitline/,
		},
		'a line without a change': { args: ['what-if', empty, '--line', 'a.js:3'], about: /a\.js:3/ },
		'a value that looks like an option': { args: ['run', '--budget', '-5', '--', ...program], about: /--budget/ },
		'one file for the report and the recording': {
			args: ['run', '--json', join(folder, 'both'), '--out', join(folder, 'both'), '--', ...program],
			about: /both is named twice/,
		},
		'a report among what the program prints': {
			args: ['run', '--json', '-', '--', ...program],
			about: /standard output/,
		},
		'a recording among what the program prints': {
			args: ['run', '--out', '-', '--', ...program],
			about: /standard output/,
		},
		'a report over its own recording': { args: ['report', empty, '--json', empty], about: /named twice/ },
		'a recording over a file that is none': {
			args: ['run', '--out', notARecording, '--', ...program],
			about: /notes\.waitline exists and is not a recording/,
		},
		'a report over a file that is none': {
			args: ['run', '--json', notARecording, '--', ...program],
			about: /notes\.waitline exists and is not a report/,
		},
		'an unknown option of report': { args: ['report', notARecording, '--jsn'], about: /--jsn/ },
	};
	for (const [what, { args, about }] of Object.entries(mistakes)) {
		it(what, async () => assertRefused(await waitline(args), about));
	}

	it('a mistake without touching what is there', async () => {
		const report = join(folder, 'earlier.json');
		writeFileSync(report, '{ "an": "earlier report" }');
		assertRefused(await waitline(['run', '--json', report, '--jsn', '--', ...program]), /--jsn/);
		assertRefused(await waitline(['run', '--json', report, '--', join(folder, 'no-such-command')]), /no-such-command/);
		assertRefused(await waitline(['report', notARecording, '--json', report]), /notes\.waitline/);
		assert.equal(readFileSync(report, 'utf8'), '{ "an": "earlier report" }');
		assert.equal(existsSync(notARecording) && readFileSync(notARecording, 'utf8'), 'Buy milk.\n');
	});
});

describe('the command line', () => {
	it('says what is wrong with the disk that a report goes to, and with the folder for temporary files', async () => {
		const recording = join(scratchFolder(), 'r.waitline');
		assert.equal((await waitline(['run', '--no-report', '--out', recording, '--', ...program])).code, 0);
		if (existsSync('/dev/full')) {
			assertRefused(await waitline(['report', recording, '--json', '/dev/full']), /disk is full/);
		}
		const gone = join(scratchFolder(), 'gone');
		const env = { TMPDIR: gone, TMP: gone, TEMP: gone };
		assertRefused(await waitline(['run', '--', ...program], { env }), /temporary files/);
	});

	it('prints its version, and help behind a command too', async () => {
		const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
		assert.equal((await waitline(['--version'])).stdout.toString(), `${version}\n`);
		const help = (await waitline(['--help'])).stdout.toString();
		assert.equal((await waitline(['report', '--help'])).stdout.toString(), help);
	});
});
