// Runs `npm test` several times and prints a Markdown table of the runs, for docs/testing.md: a test that fails now and then is a defect, and
// one run does not show it. The output of each run is kept in test/out/repeat.
//   npm run test:repeat -- 10            ten runs
//   npm run test:repeat -- 2 --busy 2    two, with two loops beside them that want a processor all the time
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './support/paths.ts';

const { values, positionals } = parseArgs({
	options: { busy: { type: 'string', default: '0' } },
	allowPositionals: true,
});
const [runs, busy] = [Number(positionals[0]), Number(values.busy)];
if (!Number.isInteger(runs) || runs < 1 || positionals.length > 1 || !Number.isInteger(busy) || busy < 0) {
	console.error('Say how many runs, as in: npm run test:repeat -- 10 [--busy 2]');
	process.exit(2);
}

const out = join(root, 'test', 'out', 'repeat');
mkdirSync(out, { recursive: true });
const loops: ChildProcess[] = [];
for (let n = 0; n < busy; n++) loops.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
process.on('exit', () => {
	for (const loop of loops) loop.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

console.log(
	`${availableParallelism()} processor cores, ${busy} busy loops beside the tests, ${process.platform}, Node ${process.version}\n`,
);
console.log('| run | minutes | result | failed |\n| ---: | ---: | --- | --- |');
for (let run = 1; run <= runs; run++) {
	const began = performance.now();
	const log = join(out, `${busy > 0 ? `busy-${busy}-` : ''}${run}.log`);
	const code = await testOnce(log);
	const minutes = ((performance.now() - began) / 60_000).toFixed(1);
	const { result, failed } = summaryOf(readFileSync(log, 'utf8'));
	console.log(`| ${run} | ${minutes} | ${result} | ${failed.join('<br>')} |`);
	if (code !== 0) process.exitCode = 1;
}
process.exit();

/** One run of everything, its output in a file; its exit code. */
function testOnce(file: string): Promise<number | null> {
	const log = createWriteStream(file);
	const child = spawn(process.execPath, [join(root, 'test', 'run.ts')], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => log.end(() => resolve(code)));
	});
}

/** What run.ts says at its end: its last line, and the names of what stands below `Failed:`. */
function summaryOf(text: string): { result: string; failed: string[] } {
	const [, list = ''] = /\nFailed:\n((?: {2}.*\n)+)/.exec(text) ?? [];
	return {
		result: text.trimEnd().split('\n').at(-1)!,
		// The reasons stand farther to the right.
		failed: list.split('\n').flatMap((line) => (/^ {2}\S/.test(line) ? [line.trim().replaceAll('|', '\\|')] : [])),
	};
}
