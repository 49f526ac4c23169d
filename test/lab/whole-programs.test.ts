// Whole programs from npm on a small project: they end and print as without Waitline, and the report is short, begins with
// the person's own files, and says nothing that is not so.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { annotatedReport } from '../../src/cli/annotated-report.ts';
import { shortPath } from '../../src/host/common/file-paths.ts';
import { packageOf } from '../../src/protocol/blame.ts';
import { eachFinding } from '../../src/protocol/finding-list.ts';
import type { Finding, Report, SourceLine } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { execute, type Outcome } from '../support/process.ts';
import { assertComplete, entry, lineWith } from '../support/report.ts';
import { readReport, waitline } from '../support/waitline.ts';
import { installWholePrograms, projectCopy, wholeProgram } from '../support/whole-programs.ts';

const MOST_LINES = 60;

/** Figures of a program's output that differ from run to run, and its folder. */
const VARYING: [RegExp, string][] = [
	[/\d+(\.\d+)? ?(ms|s|%)\b/g, '#'],
	[/, estimated #/g, ''],
	[/^ *(Start at|Duration) .*$/gm, ''],
];

interface Whole {
	script: string;
	args: string[];
	/** What is known of it. */
	holds(report: Report, project: string): void;
}

/** A library's server under load: 60 requests and one to see whether it answers, each with its handler's line. */
function served(report: Report): void {
	const [route, ...others] = report.requests;
	assert.deepEqual(others, []);
	// The client has the last six answers before the server notices that they are finished, and ends it then.
	assert.ok(route !== undefined && route.count >= 55 && route.count <= 61, JSON.stringify(route));
	assert.notEqual(packageOf(route.file), '');
}

const PROGRAMS: Record<string, Whole> = {
	eslint: {
		script: 'eslint/bin/eslint.js',
		args: ['src'],
		// Every file and its configuration is read.
		holds: ({ lines }) => assert.ok(lines.some(({ op, count }) => op === 'fs.promises.readFile' && count === 2)),
	},
	tsc: {
		script: 'typescript/bin/tsc',
		args: ['-p', '.'],
		holds: ({ lines }) => assert.deepEqual(lines, [], 'it waits for nothing'),
	},
	vite: {
		script: 'vite/bin/vite.js',
		args: ['build'],
		holds: ({ lines }) =>
			assert.deepEqual(
				lines.filter(({ op }) => /\0|CustomGC/.test(op)),
				[],
				'names of add-ons',
			),
	},
	webpack: {
		script: 'webpack/bin/webpack.js',
		args: [],
		holds: ({ lines }) => assert.ok(lines.some(({ op, count }) => op === 'fs.readFile' && count >= 2)),
	},
	jest: {
		script: 'jest/bin/jest.js',
		args: ['--ci'],
		holds: (report, project) => readsItself(report, `${project}/test/reads.test.cjs`),
	},
	vitest: {
		script: 'vitest/vitest.mjs',
		args: ['run'],
		holds: (report, project) => readsItself(report, `${project}/test/reads.spec.mjs`),
	},
	serve: {
		script: 'load.cjs',
		args: ['/src/main.js', wholeProgram('serve/build/main.js'), '-L', '-l', 'tcp://127.0.0.1:PORT', '.'],
		holds: served,
	},
	'json-server': {
		script: 'load.cjs',
		args: [
			...['/posts', '--require', './ends-well.cjs', wholeProgram('json-server/lib/cli/bin.js')],
			...['--host', '127.0.0.1', '--port', 'PORT', 'db.json'],
		],
		holds: served,
	},
};

function readsItself(report: Report, file: string): void {
	// vitest may kill the process of a test at once: what is lost then is said.
	if (report.accounting.cutShort > 0) return;
	const line = lineWith(file, 'await readFile(');
	assert.equal(entry(report, { file, line, op: 'fs.promises.readFile' }).count, 1);
}

/** The line above a file's lines. */
function headOf(file: string): string {
	return `\n${shortPath(file, process.cwd())}\n`;
}

/**
 * What a program's times may show, on a busy machine at least, is that it computed: then the finding is about code that is there, and about no more
 * time than passed. Nothing else is to be found in these programs.
 * @param wallMs how long the run took, by the test's own clock
 */
function judge(finding: Finding, wallMs: number): void {
	const { code, file, line, cause, victim, message } = finding;
	assert.ok(code === 'loop-blocked' || code === 'timers-late', message);
	assert.ok(file !== null && line !== null, message);
	assert.notEqual(textAt({ file, line }), '', message);
	if (victim?.op.startsWith('set')) assert.match(textAt(victim), TIMER, message);
	if (cause !== null) {
		assert.notEqual(textAt(cause), '', message);
		const name = cause.name.split(/[. ]/).at(-1)!;
		assert.ok(readFileSync(cause.file, 'utf8').includes(name), message);
	}
	if (finding.code === 'loop-blocked') {
		const { blocks, blockedMs, longestMs, inWorkers } = finding.evidence;
		assert.ok(longestMs >= 50 && longestMs <= wallMs && blockedMs <= blocks * longestMs, message);
		if (inWorkers === 0) assert.ok(blockedMs <= wallMs, message);
	} else if (finding.code === 'timers-late') {
		assert.match(textAt({ file, line }), TIMER, message);
		assert.ok(finding.evidence.maxLateMs <= wallMs, message);
	}
}

/** What code that sets a timer has on its line, whatever it calls the function. */
const TIMER = /timeout|interval|immediate|timer/i;

/** A line of a file, without its margin; empty where there is no such line. */
function textAt({ file, line }: SourceLine): string {
	return readFileSync(file, 'utf8').split('\n')[line - 1]?.trim() ?? '';
}

/** What a person sees of a run. */
function seen({ code, signal, stdout, stderr }: Outcome, project: string): object {
	const text = (output: Buffer) => {
		const plain = stripVTControlCharacters(output.toString()).replaceAll(project, 'PROJECT');
		return VARYING.reduce((left, [pattern, by]) => left.replace(pattern, by), plain);
	};
	return { code, signal, stdout: text(stdout), stderr: text(stderr) };
}

describe('whole programs', () => {
	before(installWholePrograms);
	const node = nodes().find(({ major }) => major === 24) ?? nodes()[0]!;

	for (const [name, { script, args, holds }] of Object.entries(PROGRAMS)) {
		it(name, async () => {
			const env = { CI: '1', NO_COLOR: '1' };
			const [plainly, project] = [projectCopy(), projectCopy()];
			const command = [script === 'load.cjs' ? script : wholeProgram(script), ...args];
			const without = await execute(node.path, command, { cwd: plainly, env });
			const own = ['run', '--sample', '--no-report', '--json', 'waitline.json', '--', node.path];
			const began = performance.now();
			const outcome = await waitline([...own, ...command], { cwd: project, env });
			const wallMs = performance.now() - began;
			assert.deepEqual(seen(outcome, project), seen(without, plainly));
			assert.equal(outcome.code, 0);

			const report = readReport(`${project}/waitline.json`);
			assertComplete(report);
			holds(report, project);

			const text = annotatedReport(report, { columns: 100, hasColours: false, isWhole: false });
			// The last of them ends too.
			assert.ok(text.split('\n').length - 1 <= MOST_LINES, text);
			assert.doesNotMatch(text, /:0\b/, 'no line 0');
			// A message waits for an unknown time when it is not known which of several it was.
			const unknown = report.lines.filter((line) => line.wait?.basis === 'unknown' && line.class !== 'worker');
			assert.deepEqual(unknown, []);
			const files = new Set(report.lines.map(({ file }) => file));
			const shown = [...files].filter((file) => text.includes(headOf(file)));
			const [first] = shown.sort((a, b) => text.indexOf(headOf(a)) - text.indexOf(headOf(b)));
			const isOwn = (file: string) => packageOf(file) === '';
			assert.equal(first !== undefined && isOwn(first), [...files].some(isOwn), `the own files first:\n${text}`);
			for (const finding of eachFinding(report.findings)) judge(finding, wallMs);
			// They have ended and left nothing under way; only what a killed process did last is not known.
			if (report.accounting.cutShort > 0) return;
			// vitest does not wait for the end of the process that ran its tests.
			const pending = report.lines.filter((line) => line.pending > 0 && line.class !== 'process');
			assert.deepEqual(pending, [], 'nothing is pending');
			const open = report.requests.filter((route) => route.pending > 0);
			assert.deepEqual(open, [], 'no request is pending');
			assert.deepEqual(report.unanswered, []);
		});
	}
});
