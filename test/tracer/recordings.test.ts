// A recording can be read again with the same report, and when bytes of it are damaged the rest is still reported: what
// was lost is counted, to the unit, and the reader is informed.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Report } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { lengthOfSources } from '../support/recording-bytes.ts';
import { assertComplete, entry, lineWith } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';
import { readReport, waitline } from '../support/waitline.ts';

/** Several blocks of the file, and several generations of the journal: of one block, nothing may be readable. */
const program = join(tracerPrograms, 'stats-in-rounds.cjs');
const folder = scratchFolder();
const recording = join(folder, 'whole.waitline');
let whole: Report;
let bytes: Buffer;
/** Of these, what the index and the summary at the end were made of: journals and what reading them needs. */
let sourceLength: number;

before(async () => {
	const json = join(folder, 'whole.json');
	const node = nodes().at(-1)!;
	const args = [
		'run',
		'--budget',
		'off',
		'--json',
		json,
		'--out',
		recording,
		'--no-report',
		'--',
		node.path,
		program,
		'1000',
	];
	const { code, stderr } = await waitline(args);
	assert.deepEqual([code, stderr.toString()], [0, '']);
	whole = readReport(json);
	bytes = readFileSync(recording);
	sourceLength = lengthOfSources(bytes);
});

/** The report of a damaged copy, and the text about it. */
async function reportOf(damaged: Buffer): Promise<{ report: Report; said: string }> {
	const file = join(folder, 'damaged.waitline');
	const json = join(folder, 'damaged.json');
	writeFileSync(file, damaged);
	const { code, stdout, stderr } = await waitline(['report', file, '--json', json]);
	assert.equal(code, 0, stderr.toString());
	return { report: readReport(json), said: `${stdout}${stderr}` };
}

/** A copy in which one byte is another. */
function flipped(at: number): Buffer {
	const damaged = Buffer.from(bytes);
	damaged[at]! ^= 0x55;
	return damaged;
}

function assertDamageCounted({ report, said }: { report: Report; said: string }): void {
	const { emitted, decoded, dropped, lost } = report.accounting;
	assert.equal(emitted, decoded + dropped + lost, 'emitted = decoded + dropped + lost');
	// Cut between two chunks, or where the last one has lost its head, nothing is left that could show how many records
	// there were.
	const isUnknown = report.warnings.some(({ message }) =>
		/^The recording was cut off|^[1-9]\d* bytes of the recording could not be read/.test(message),
	);
	assert.ok(
		lost > 0 || isUnknown,
		`something was lost: ${JSON.stringify(report.accounting)} of ${whole.accounting.emitted}`,
	);
	assert.ok(decoded > 0, 'and the rest was read');
	assert.ok(decoded < whole.accounting.decoded, 'less than the whole');
	assert.ok(
		report.warnings.some(({ code }) => code === 'records-lost'),
		'the report warns',
	);
	assert.match(said, /could not be read|was cut off/, 'and says so to a reader');
}

describe('a recording', () => {
	it('read again gives the same report as the run', async () => {
		const { report } = await reportOf(bytes);
		assert.deepEqual(report, whole);
		assertComplete(report);
		const stats = entry(report, { file: program, line: lineWith(program, 'fs.stat('), op: 'fs.stat' });
		assert.equal(stats.count, 20_000);
	});

	it('as JSON on the standard output is the same, with nothing around it', async () => {
		const file = join(folder, 'printed.waitline');
		writeFileSync(file, bytes);
		const { code, stdout, stderr } = await waitline(['report', file, '--json', '-']);
		assert.deepEqual({ code, stderr: stderr.toString() }, { code: 0, stderr: '' });
		assert.deepEqual(JSON.parse(stdout.toString()), (await reportOf(bytes)).report);
	});

	it('shows the lines as they ran, though the file was edited since', async () => {
		const edited = join(folder, 'edited.cjs');
		const file = join(folder, 'edited.waitline');
		writeFileSync(edited, 'setTimeout(() => {}, 20); // as it ran\n');
		const { code } = await waitline(['run', '--out', file, '--no-report', '--', nodes().at(-1)!.path, edited]);
		assert.equal(code, 0);
		writeFileSync(edited, '// new\nsetTimeout(() => {}, 30);\n');
		const { stdout } = await waitline(['report', file]);
		assert.match(stdout.toString(), /^ {2}1 {2}setTimeout\(\(\) => \{\}, 20\); \/\/ as it ran$/m);
	});

	it('still knows that two paths led to one file, though the link is gone', async () => {
		const real = join(scratchFolder('linked'), 'real');
		const link = join(real, '..', 'link');
		mkdirSync(real);
		symlinkSync(real, link);
		writeFileSync(join(real, 'timer.cjs'), 'setTimeout(() => {}, 20);\n');
		writeFileSync(
			join(link, 'main.cjs'),
			`for (const path of ${JSON.stringify([link, real])}) require(path + '/timer.cjs');\n`,
		);
		const [json, file] = [join(folder, 'linked.json'), join(folder, 'linked.waitline')];
		const flags = ['--preserve-symlinks', '--preserve-symlinks-main', join(link, 'main.cjs')];
		const args = ['run', '--json', json, '--out', file, '--no-report', '--', nodes().at(-1)!.path, ...flags];
		assert.equal((await waitline(args)).code, 0);
		rmSync(link);
		const { report } = await reportOf(readFileSync(file));
		assert.deepEqual(report, readReport(json));
		assert.deepEqual(
			report.lines.map(({ op, line, count }) => [op, line, count]),
			[['setTimeout', 1, 2]],
		);
	});

	for (const share of [0.3, 0.5, 0.8]) {
		it(`cut off after ${share * 100} % reports the rest`, async () => {
			assertDamageCounted(await reportOf(bytes.subarray(0, Math.floor(sourceLength * share))));
		});
	}

	it('with a hole of zeros reports the rest', async () => {
		const damaged = Buffer.from(bytes);
		damaged.fill(0, Math.floor(sourceLength * 0.4), Math.floor(sourceLength * 0.5));
		assertDamageCounted(await reportOf(damaged));
	});

	it('with a piece missing in the middle reports the rest', async () => {
		const [from, to] = [Math.floor(sourceLength * 0.4), Math.floor(sourceLength * 0.4) + 777];
		assertDamageCounted(await reportOf(Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])));
	});

	it('without a part of its summary loses nothing', async () => {
		const outcomes = [
			bytes.subarray(0, sourceLength),
			bytes.subarray(0, sourceLength + 100),
			flipped(sourceLength + 100),
		];
		for (const damaged of outcomes) {
			const { report } = await reportOf(damaged);
			assert.deepEqual(report.lines, whole.lines);
			assert.equal(report.accounting.lost, 0);
		}
	});

	it('with one byte flipped, anywhere, never gives wrong figures in silence', async () => {
		const places = 24;
		for (let place = 0; place < places; place++) {
			const at = Math.floor(((place + 0.5) / places) * sourceLength);
			const outcome = await reportOf(flipped(at));
			// Of a length in a block's head nothing depends on it.
			if (outcome.report.accounting.lost === 0) assert.deepEqual(outcome.report.lines, whole.lines);
			else assertDamageCounted(outcome);
		}
	});
});
