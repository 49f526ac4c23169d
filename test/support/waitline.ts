// The product as a user of the command line has it: run a program under it, read the report that it writes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../src/protocol/report.ts';
import { schemaErrors } from './check-schema.ts';
import type { NodeBuild } from './nodes.ts';
import { cli, compileCache, root } from './paths.ts';
import { execute, type Outcome, type RunOptions } from './process.ts';
import { scratchFolder } from './scratch.ts';
import type { Schema } from './type-schema.ts';

/** What scripts that read a report may rely on. */
const SCHEMA = JSON.parse(readFileSync(join(root, 'docs/report.schema.json'), 'utf8')) as Schema;

export interface RecordedRun extends Outcome {
	report: Report;
	text: string;
}

/** `waitline ARGS…` */
export function waitline(args: string[], options?: RunOptions): Promise<Outcome> {
	return execute(process.execPath, ['--require', compileCache, cli, ...args], options);
}

/** `waitline run --no-report -- NODE ARGS…`: the program with nothing else on its outputs. */
export function traced(node: NodeBuild, args: string[], options?: RunOptions): Promise<Outcome> {
	return waitline(['run', '--no-report', '--', node.path, ...args], options);
}

/** The same program without Waitline. */
export function bare(node: NodeBuild, args: string[], options?: RunOptions): Promise<Outcome> {
	return execute(node.path, args, options);
}

/**
 * Runs a program under Waitline and reads its JSON report; the program must end well. All of it is recorded: on a busy machine whatever the tracer does takes
 * long, and then it would leave out some of what the tests count.
 * @param own options of `waitline run`
 */
export async function record(
	node: NodeBuild,
	args: string[],
	options?: RunOptions,
	own: string[] = [],
): Promise<RecordedRun> {
	const file = join(scratchFolder(), 'report.json');
	const outcome = await waitline(
		['run', '--budget', 'off', ...own, '--json', file, '--no-report', '--', node.path, ...args],
		options,
	);
	const said = outcome.stderr.toString();
	assert.deepEqual({ code: outcome.code, signal: outcome.signal }, { code: 0, signal: null }, said);
	assert.equal(said, '', 'neither the program nor Waitline had anything to say on stderr');
	return { ...outcome, text: outcome.stdout.toString(), report: readReport(file) };
}

export function readReport(file: string): Report {
	const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
	assert.deepEqual(schemaErrors(report, SCHEMA), [], `${file} is as docs/report.schema.json says`);
	return report;
}
