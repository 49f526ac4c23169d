// `waitline`: the profiler without an editor. Reads the command line, runs one of three commands, and turns what goes wrong
// into one sentence and exit code 2.
import { readCommandLine, USAGE } from './cli/command-line.ts';
import { printRecords } from './cli/print-records.ts';
import { printReport } from './cli/print-report.ts';
import { run } from './cli/run.ts';
import { PlainError } from './host/plain-error.ts';
import { visibleLines } from './protocol/visible-text.ts';

/** Exit code for unusable input. */
const UNUSABLE = 2;

async function main(): Promise<void> {
	const command = readCommandLine(process.argv.slice(2));
	switch (command.name) {
		case 'help':
			process.stdout.write(USAGE);
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
		default:
			command satisfies never;
	}
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
