// Programs on Windows as people write them: operations on the lines that asked for them, code behind awaits, and recordings that say the same on
// every system.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Report } from '../../src/protocol/report.ts';
import { type DatabaseServer, missingDatabaseServers, startPostgres } from '../support/database-servers.ts';
import { compareOrigins, installLibraries, libraryProgram } from '../support/origins.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, lineWith } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';
import { readReport, waitline } from '../support/waitline.ts';
import {
	forFetch,
	hostPath,
	oldestAndNewest,
	recordGoodOnWindows,
	skip,
	waitlineOnWindows,
	windowsPath,
} from '../support/windows.ts';

const ROUNDS = 20;
const CONCURRENCY = 10;
const missing = missingDatabaseServers();

/** The report as this machine would name its files. */
function named(report: Report): Report {
	return { ...report, lines: report.lines.map((line) => ({ ...line, file: hostPath(line.file) })) };
}

/** Without the last digits, in which logarithms of two systems differ. */
function rounded(report: Report): unknown {
	const round = (_name: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value);
	return JSON.parse(JSON.stringify(report, round));
}

describe('programs on Windows', { skip }, () => {
	let postgres: DatabaseServer | undefined;
	before(async () => {
		installLibraries();
		if (missing === null) postgres = await startPostgres();
	});
	after(() => postgres?.close());

	for (const node of oldestAndNewest()) {
		for (const name of ['fetch-streams.cjs', 'express-pg.cjs']) {
			const isExpress = name.startsWith('express');
			it(`${name} on Node ${node.major}: each operation on the line that asked for it`, {
				skip: isExpress && missing !== null && missing,
			}, async () => {
				const program = libraryProgram(name);
				const connections = 2 * CONCURRENCY;
				const args = [ROUNDS, CONCURRENCY, ...(isExpress ? [connections] : [])].map(String);
				const env = isExpress ? { PGPORT: String(postgres!.port) } : {};
				const recording = await recordGoodOnWindows(node, [...forFetch, windowsPath(program), ...args], { env });
				assertComplete(recording.report);
				const origins = compareOrigins(named(recording.report), program, { each: ROUNDS, connections });
				assert.deepEqual(origins.wrong, []);
				assert.deepEqual([origins.right, origins.unresolved], [origins.expected, 0]);
			});
		}

		it(`the code behind each await on Node ${node.major} is the run time of the line that awaits`, async () => {
			const program = join(tracerPrograms, 'spins-after-awaits.cjs');
			const { report, stdout } = await recordGoodOnWindows(node, [windowsPath(program)]);
			const stretches = Object.entries(JSON.parse(stdout) as Record<string, { ms: number }>);
			assert.equal(stretches.length, 9);
			for (const [awaited, { ms }] of stretches) {
				const line = lineWith(program, `; // ${awaited}`);
				const runs = report.lines.filter((entry) => entry.line === line).map(({ run }) => run?.maxMs ?? 0);
				// What Windows does meanwhile, in Wine, is for nobody to know: it may be longer.
				assert.ok(Math.max(...runs) > 0.9 * ms - 1, `${awaited}: ${Math.max(...runs)} of ${ms} ms`);
			}
		});

		it(`a recording on Node ${node.major} says there and here what the run said`, async () => {
			const folder = scratchFolder('recording');
			const files = { out: 'two.waitline', json: 'run.json', there: 'there.json', here: 'here.json' };
			const at = (file: string) => join(folder, file);
			const program = windowsPath(join(tracerPrograms, 'stats-in-rounds.cjs'));
			const run = ['run', '--no-report', '--out', windowsPath(at(files.out)), '--json', windowsPath(at(files.json))];
			assert.deepEqual(await waitlineOnWindows(node, [...run, '--', node.path, program]), {
				code: 0,
				stdout: '',
				stderr: '',
			});
			const whole = readReport(at(files.json));
			assertComplete(whole);
			const again = ['report', windowsPath(at(files.out)), '--json', windowsPath(at(files.there))];
			const { code, stdout } = await waitlineOnWindows(node, again);
			assert.equal(code, 0);
			assert.match(stdout, /fs\.stat/);
			assert.deepEqual(readReport(at(files.there)), whole);
			const here = await waitline(['report', at(files.out), '--json', at(files.here)]);
			assert.equal(here.code, 0, here.stderr.toString());
			assert.deepEqual(rounded(readReport(at(files.here))), rounded(whole));
			assert.match(here.stdout.toString(), /fs\.stat\(/, 'with the text of the line, which the recording has');
			const records = await waitlineOnWindows(node, ['records', windowsPath(at(files.out))]);
			assert.match(records.stdout, /on win32/);
			assert.ok(readFileSync(at(files.out)).length > 1000);
		});
	}
});
