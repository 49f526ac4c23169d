// `waitline`: the profiler without an editor. Reads the command line, runs one of its commands, and turns what goes wrong
// into one sentence and exit code 2.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readCommandLine, USAGE } from './cli/command-line.ts';
import { printComparison } from './cli/print-comparison.ts';
import { printRecords } from './cli/print-records.ts';
import { printReport } from './cli/print-report.ts';
import { printWhatIf } from './cli/print-what-if.ts';
import { run } from './cli/run.ts';
import { PlainError } from './host/common/plain-error.ts';
import { visibleLines } from './protocol/visible-text.ts';

/** Exit code for unusable input. */
const UNUSABLE = 2;

async function main(): Promise<void> {
	const command = readCommandLine(process.argv.slice(2));
	switch (command.name) {
		case 'help':
			process.stdout.write(USAGE);
			return;
		case 'version':
			process.stdout.write(`${version()}\n`);
			return;
		case 'run':
			await run(command);
			return;
		case 'report':
			await printReport(command);
			return;
		case 'records':
			await printRecords(command);
			return;
		case 'what-if':
			await printWhatIf(command);
			return;
		case 'compare':
			await printComparison(command);
			return;
		default:
			command satisfies never;
	}
}

/** Of the package that this file is a part of. */
function version(): string {
	const { version } = JSON.parse(readFileSync(path.join(__dirname, '../package.json'), 'utf8')) as { version: string };
	return version;
}

// `waitline report FILE | head`: the reader has seen enough. What is written after that is lost, and nothing else
// changes.
for (const stream of [process.stdout, process.stderr]) {
	stream.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE') throw error;
	});
}

main().catch((error: unknown) => {
	const said = error instanceof PlainError ? error.message : ((error as Error).stack ?? String(error));
	process.stderr.write(`waitline: ${visibleLines(said)}\n`);
	process.exitCode = UNUSABLE;
});
