// The command line, read into one command.
import { parseArgs } from 'node:util';
import { PlainError } from '../host/plain-error.ts';

export interface RunCommand {
	name: 'run';
	/** The program and its arguments, at least one. */
	command: string[];
	json: string | null;
	out: string | null;
	showReport: boolean;
	/** Undefined: the value of the environment, or the default. */
	budgetPercent: number | undefined;
	/** Whether stacks are sampled, which shows what computed while a loop was blocked. */
	isSampled: boolean;
}

export interface ReportCommand {
	name: 'report';
	file: string;
	json: string | null;
}

export interface RecordsCommand {
	name: 'records';
	file: string;
}

export type Command = RunCommand | ReportCommand | RecordsCommand | { name: 'help' };

/** A command line that cannot be carried out; `message` is a sentence for the user. */
export class UsageError extends PlainError {}

export const USAGE = `waitline: what every line of a Node program waits for

  waitline run [--json FILE] [--out FILE.waitline] [--no-report] [--budget PERCENT]
               [--sample] -- COMMAND…
      runs the command with the tracer in each of its Node processes; the annotated
      report goes to stderr when it has ended
  waitline report FILE.waitline [--json FILE]
      reads a recording that 'run --out' has written
  waitline records FILE.waitline
      prints what the tracer wrote, one record a line

  --json FILE    writes the report as JSON (schema waitline/report@2)
  --out FILE     keeps the recording
  --no-report    prints no report
  --budget PERCENT  records less when profiling costs more than this share of the
                 program's time (2 by default; off: no limit)
  --sample       takes 50 stack samples a second with V8's profiler, which show what ran
                 while the event loop was blocked; adds 5 to 9 % to the program's CPU time
`;

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): Command {
	const [name, ...rest] = args;
	if (name === undefined)
		throw new UsageError("There is no command. Try 'waitline run -- node program.js' (see --help).");
	if (name === '--help' || name === '-h' || name === 'help') return { name: 'help' };
	if (name === 'run') return readRun(rest);
	if (name === 'report') return readReport(rest);
	if (name === 'records') return readRecords(rest);
	throw new UsageError(`There is no command '${name}'. Commands: run, report, records (see --help).`);
}

function readRun(args: string[]): RunCommand {
	const dashes = args.indexOf('--');
	const own = dashes < 0 ? args : args.slice(0, dashes);
	const { values, positionals } = parse(own, {
		json: { type: 'string' },
		out: { type: 'string' },
		'no-report': { type: 'boolean' },
		budget: { type: 'string' },
		sample: { type: 'boolean' },
	});
	const command = dashes < 0 ? positionals : args.slice(dashes + 1);
	if (dashes >= 0 && positionals.length > 0) throw new UsageError(`Unexpected '${positionals[0]}' before '--'.`);
	if (command.length === 0) throw new UsageError("There is nothing to run. Try 'waitline run -- node program.js'.");
	return {
		name: 'run',
		command,
		json: text(values.json),
		out: text(values.out),
		showReport: values['no-report'] !== true,
		budgetPercent: budget(text(values.budget)),
		isSampled: values.sample === true,
	};
}

function readReport(args: string[]): ReportCommand {
	const { values, positionals } = parse(args, { json: { type: 'string' } });
	return { name: 'report', file: soleFile('report', positionals), json: text(values.json) };
}

function readRecords(args: string[]): RecordsCommand {
	return { name: 'records', file: soleFile('records', parse(args, {}).positionals) };
}

/** The one recording that a command reads. */
function soleFile(command: string, [file, extra]: string[]): string {
	if (file === undefined) throw new UsageError(`There is no recording. Try 'waitline ${command} FILE.waitline'.`);
	if (extra !== undefined) throw new UsageError(`Only one recording can be read at a time. Leave out '${extra}'.`);
	return file;
}

function parse(args: string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options']) {
	try {
		return parseArgs({ args, options: options ?? {}, allowPositionals: true, strict: true });
	} catch (error) {
		// Node's sentences name the option; whatever follows the first sentence is advice for library users.
		throw new UsageError(`${(error as Error).message.split('. ')[0]?.replace(/\.$/, '')} (see --help).`);
	}
}

function budget(value: string | null): number | undefined {
	if (value === null) return undefined;
	if (value === 'off') return 0;
	const percent = Number(value);
	if (value.trim() !== '' && percent >= 0 && percent <= 100) return percent;
	throw new UsageError(`'${value}' is not a budget. Give a percentage from 0 to 100, or 'off'.`);
}

function text(value: unknown): string | null {
	return typeof value === 'string' ? value : null;
}
