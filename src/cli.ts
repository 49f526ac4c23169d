// `waitline`: the profiler without an editor. Reads the command line, runs one of two commands, and turns what goes wrong
// into one sentence and exit code 2.
import { readCommandLine, USAGE, UsageError } from './cli/command-line.ts';
import { OutputError } from './cli/outputs.ts';
import { printReport } from './cli/print-report.ts';
import { run } from './cli/run.ts';
import { NotARecording } from './host/recording-file.ts';

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
		default:
			command satisfies never;
	}
}

main().catch((error: unknown) => {
	const isExpected = error instanceof UsageError || error instanceof NotARecording || error instanceof OutputError;
	process.stderr.write(`waitline: ${isExpected ? error.message : (error as Error).stack}\n`);
	process.exitCode = UNUSABLE;
});
