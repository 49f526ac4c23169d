// What a stranger's recording can make the command line show: nothing of a file that it does not contain, except files
// below the current directory, and no control character of any name in it.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { hiddenIn } from '../support/hidden-characters.ts';
import { hostileRecording, inlineMap, lineForLine } from '../support/hostile-recording.ts';
import { nodes } from '../support/nodes.ts';
import { cli } from '../support/paths.ts';
import { execute } from '../support/process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { waitline } from '../support/waitline.ts';

const SECRET = ['the first secret', 'the second secret', 'process.env.UV_THREADPOOL_SIZE = 64'];

/** What `waitline report` prints and writes as JSON, run in a folder. */
async function reportsOf(recording: string, cwd: string): Promise<{ text: string; json: string }> {
	const json = join(scratchFolder(), 'report.json');
	const { code, stdout, stderr } = await execute(process.execPath, [cli, 'report', recording, '--json', json], { cwd });
	assert.deepEqual([code, stderr.toString()], [0, '']);
	return { text: stdout.toString(), json: readFileSync(json, 'utf8') };
}

describe('a recording that names files of its reader', () => {
	const folder = realpathSync(scratchFolder('reader'));
	const [secrets, work] = [join(folder, 'secrets'), join(folder, 'work')] as const;
	const secret = join(secrets, 'passwd');
	const map = join(secrets, 'passwd.map');
	const lines = [1, 2, 3];

	before(() => {
		mkdirSync(secrets);
		mkdirSync(work);
		writeFileSync(secret, SECRET.join('\n'));
		writeFileSync(map, lineForLine('the-name-in-a-secret-map.ts', 3));
		writeFileSync(join(work, 'own.js'), 'own(1)\nown(2)\nown(3)\n');
		symlinkSync(secrets, join(work, 'link'));
		symlinkSync(work, join(folder, 'way'));
	});

	/** Neither the report nor its JSON contains anything from the files. */
	function assertSilent({ text, json }: { text: string; json: string }): void {
		for (const part of [...SECRET, 'UV_THREADPOOL_SIZE', 'the-name-in-a-secret-map', 'root:']) {
			assert.ok(!text.includes(part), `${part} is shown:\n${text}`);
			assert.ok(!json.includes(part), `${part} is in the JSON`);
		}
		assert.doesNotMatch(text, /from your disk/);
	}

	it('shows its figures without a line of /etc/passwd, as a script', async () => {
		const shown = await reportsOf(await hostileRecording([{ script: '/etc/passwd', lines }]), work);
		assert.match(shown.text, /^\/etc\/passwd$/m);
		assert.match(shown.text, /^ {2}1\n.*crypto|^ {2}1\n.*×1/m);
		assertSilent(shown);
	});

	for (const [how, script] of [
		['by its path', secret],
		['by a way that leads there', join(work, '..', 'secrets', 'passwd')],
		['through a link below the current directory', join(work, 'link', 'passwd')],
	] as const) {
		it(`shows no line of another file outside, named ${how}`, async () => {
			assertSilent(await reportsOf(await hostileRecording([{ script, lines }]), work));
		});
	}

	for (const source of ['/etc/passwd', 'file:///etc/passwd', secret, '../secrets/passwd']) {
		it(`shows no line of ${source === secret ? 'a file' : source} that a map in it leads to`, async () => {
			const built = join(work, 'built.js');
			const text = `a()\nb()\nc()\n${inlineMap(lineForLine(source, 3))}`;
			const shown = await reportsOf(await hostileRecording([{ script: built, lines }], { [built]: text }), work);
			assert.match(shown.text, /passwd$/m);
			assertSilent(shown);
		});
	}

	it('does not read a map from outside that a text in it names, and reports that', async () => {
		const built = join(work, 'built.js');
		for (const url of [map, '../secrets/passwd.map', 'link/passwd.map', '/etc/passwd']) {
			const text = `a()\nb()\nc()\n//# sourceMappingURL=${url}\n`;
			const shown = await reportsOf(await hostileRecording([{ script: built, lines }], { [built]: text }), work);
			assertSilent(shown);
			assert.match(
				shown.json,
				/The source map of \S*built\.js cannot be read: it is not in the recording, and lies in no/,
			);
			assert.match(shown.text, /^built\.js$/m);
			assert.match(shown.text, /^ {2}2 {2}b\(\)$/m);
		}
	});

	it('shows a file below the current directory, and shows where it is from', async () => {
		const own = await hostileRecording([{ script: join(work, 'own.js'), lines }]);
		const shown = await reportsOf(own, work);
		assert.match(shown.text, /^own\.js \(from your disk\)$/m);
		assert.match(shown.text, /^ {2}2 {2}own\(2\)$/m);
		assert.match(
			(await reportsOf(own, join(folder, 'way'))).text,
			/^ {2}2 {2}own\(2\)$/m,
			'in a directory behind a link',
		);
		const linked = await hostileRecording([{ script: join(folder, 'way', 'own.js'), lines }]);
		assert.match((await reportsOf(linked, work)).text, /^ {2}2 {2}own\(2\)$/m, 'named through a link');
		assert.doesNotMatch((await reportsOf(own, secrets)).text, /own\(2\)/);
	});

	it('shows the text that it contains, and does not mark it as from the disk', async () => {
		const script = join(work, 'own.js');
		const shown = await reportsOf(
			await hostileRecording([{ script, lines }], { [script]: 'ran(1)\nran(2)\nran(3)\n' }),
			work,
		);
		assert.match(shown.text, /^own\.js$/m);
		assert.match(shown.text, /^ {2}2 {2}ran\(2\)$/m);
	});

	it('does not wait for a pipe that it names', { skip: process.platform === 'win32' }, async () => {
		const pipe = join(work, 'pipe.js');
		const made = await execute('mkfifo', [pipe]);
		assert.equal(made.code, 0);
		const shown = await reportsOf(await hostileRecording([{ script: pipe, lines }]), work);
		assert.match(shown.text, /^pipe\.js$/m);
	});
});

describe('hostile names', { skip: process.platform === 'win32' && 'its files cannot have such names' }, () => {
	const NAME = 'a\u001b[31m\u009b2J\u202e\u2028\n\r\tb\u007f\u200b.cjs';
	const SPELLED = 'a\\x1b[31m\\x9b2J\\u202e\\u2028\\n\\r\\tb\\x7f\\u200b.cjs';
	const folder = scratchFolder('hostile');
	const recording = join(folder, 'r.waitline');
	const json = join(folder, 'r.json');
	const program = join(folder, NAME);

	/** The output to a terminal consists of line breaks and visible characters. */
	function assertVisible(output: Buffer): void {
		const text = output.toString();
		assert.deepEqual(hiddenIn(text.replaceAll('\n', '')), [], text);
		assert.ok(!text.includes('\ufffd'), 'it is UTF-8');
	}

	before(() => {
		writeFileSync(
			program,
			[
				"const { AsyncResource } = require('node:async_hooks');",
				'/* \u001b[2J\u202e\t\u009b */ setTimeout(() => {}, 5);',
				'new AsyncResource("\u001b]0;owned\u0007\u202e").runInAsyncScope(() => {});',
				'setTimeout(() => { for (const end = Date.now() + 80; Date.now() < end; ); }, 1);',
				'setTimeout(() => {}, 20);',
			].join('\n'),
		);
	});

	it('reach no terminal from a run, its report or its JSON', async () => {
		const args = ['run', '--out', recording, '--json', json, '--', nodes().at(-1)!.path, program];
		const run = await waitline(args, { cwd: folder });
		assert.equal(run.code, 0, run.stderr.toString());
		for (const output of [readFileSync(json), run.stderr]) assertVisible(output);
		assert.ok(run.stderr.includes(SPELLED), run.stderr.toString());
		const { lines } = JSON.parse(readFileSync(json, 'utf8')) as { lines: { file: string }[] };
		assert.ok(
			lines.some(({ file }) => file.endsWith(NAME)),
			'the JSON means the name as it is',
		);

		const report = await waitline(['report', recording, '--json', json], { cwd: folder });
		assert.equal(report.code, 0);
		for (const output of [readFileSync(json), report.stdout]) assertVisible(output);
		assert.ok(report.stdout.includes(SPELLED));
		assert.ok(report.stdout.includes('/* \\x1b[2J\\u202e  \\x9b */ setTimeout'), report.stdout.toString());
	});

	it('reach no terminal in a sentence about what went wrong', async () => {
		const file = join(folder, 'b\u001b[31m\u202e\n');
		for (const args of [
			['report', file],
			['report', program],
			['report', recording, '--json', join(file, 'x.json')],
			['run', '--', file],
			[file],
			['report', recording, file],
		]) {
			const { code, stdout, stderr } = await waitline(args);
			assert.deepEqual([code, stdout.toString()], [2, '']);
			assertVisible(stderr);
			assert.match(stderr.toString(), /^waitline: .*\\x1b\[31m.*\n$/);
		}
	});

	it('of a recording that no program made are spelled out too', async () => {
		const script = join(folder, 'c\u001b[31m\u202e\u{e0041}.js');
		const built = join(folder, 'built.js');
		const threads = [script, built].map((each) => ({ script: each, lines: [1], type: 'T\u009b\u202e' }));
		const made = await hostileRecording(threads, {
			[script]: 'b(\u001b, \u202e)\n',
			[built]: `a()\n${inlineMap(lineForLine('/x/\u001b[32m\u2066.ts', 1))}`,
		});
		const { stdout } = await waitline(['report', made, '--json', json]);
		for (const output of [readFileSync(json), stdout]) assertVisible(output);
		for (const spelled of ['\\x1b[32m\\u2066.ts', 'T\\x9b\\u202e', '\\u{e0041}.js', 'b(\\x1b, \\u202e)']) {
			assert.ok(stdout.includes(spelled), `${spelled} in ${stdout}`);
		}
	});
});
