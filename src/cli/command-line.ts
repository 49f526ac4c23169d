// The command line, read into one command.
import { parseArgs } from 'node:util';
import { PlainError } from '../host/common/plain-error.ts';
import { MOST_THREADS } from '../protocol/what-if.ts';

export interface RunCommand {
	name: 'run';
	/** The program and its arguments, at least one. */
	command: string[];
	json: string | null;
	out: string | null;
	showReport: boolean;
	/** Whether the report shows everything, however long it is. */
	isWhole: boolean;
	/** Undefined: the value of the environment, or the default. */
	budgetPercent: number | undefined;
	/** Whether stacks are sampled, which shows what computed while a loop was blocked. */
	isSampled: boolean;
}

export interface ReportCommand {
	name: 'report';
	file: string;
	json: string | null;
	isWhole: boolean;
}

export interface RecordsCommand {
	name: 'records';
	file: string;
}

export interface WhatIfCommand {
	name: 'what-if';
	file: string;
	/** null: the sizes that are compared when none is asked for. */
	threads: number | null;
	/** null: as when it was recorded. */
	cores: number | null;
	/** Processors of the machine that it was recorded on; null: as the recording says. */
	recordedCores: number | null;
	/** Lines as they were written, and by how much their jobs are to take longer, in percent. */
	changed: { file: string; line: number; percent: number }[];
	json: string | null;
}

export interface CompareCommand {
	name: 'compare';
	/** Recordings of the program before and after a change, at least one each. */
	before: string[];
	after: string[];
	/** Whether lines that did not change are shown too. */
	isWhole: boolean;
	json: string | null;
}

export type Command =
	| RunCommand
	| ReportCommand
	| RecordsCommand
	| WhatIfCommand
	| CompareCommand
	| { name: 'help' }
	| { name: 'version' };

/** A command line that cannot be carried out; `message` is a sentence for the user. */
export class UsageError extends PlainError {}

export const USAGE = `waitline: what every line of a Node program waits for

  waitline run [--json FILE] [--out FILE.waitline] [--all | --no-report]
               [--budget PERCENT] [--sample] -- COMMAND…
      runs the command with the tracer in each of its Node processes; the annotated
      report goes to stderr when it has ended
  waitline report FILE.waitline [--json FILE] [--all]
      reads a recording that 'run --out' has written
  waitline records FILE.waitline
      prints what the tracer wrote, one record a line
  waitline what-if FILE.waitline [--threads N] [--cores N] [--line FILE:LINE=-50%]
               [--recorded-cores N] [--json FILE]
      replays the jobs of the thread pool with another pool size, on other processors,
      or with faster lines; without options: with 1 to 64 threads
  waitline compare BEFORE.waitline AFTER.waitline [--before FILE]… [--after FILE]…
               [--all] [--json FILE]
      shows what got slower, line by line; with more runs of each, also by how much
      lines vary by themselves

  --json FILE    writes the report as JSON (schema waitline/report@2); '-' prints the JSON
                 alone, except for 'run', whose program uses the standard output
  --out FILE     keeps the recording
  --all          prints everything; otherwise a report has some 60 lines
  --no-report    prints no report
  --budget PERCENT  records less when profiling costs more than this share of the
                 program's time (2 by default; off: no limit)
  --sample       takes 50 stack samples a second with V8's profiler, which show what ran
                 while the event loop was blocked; adds 4 to 7 % to the program's CPU time
  --version      prints Waitline's version
`;

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): Command {
	const [name, ...rest] = args;
	if (name === undefined)
		throw new UsageError("No command was given. Try 'waitline run -- node program.js' (see --help).");
	if (name === 'help' || asksForHelp(args)) return { name: 'help' };
	if (name === '--version') return { name: 'version' };
	if (name === 'run') return readRun(rest);
	if (name === 'report') return readReport(rest);
	if (name === 'records') return readRecords(rest);
	if (name === 'what-if') return readWhatIf(rest);
	if (name === 'compare') return readCompare(rest);
	throw new UsageError(`There is no command '${name}'. Commands: run, report, records, what-if, compare (see --help).`);
}

/** Whether `--help` or `-h` is one of our own arguments, and not one of the command that is run. */
function asksForHelp(args: readonly string[]): boolean {
	const dashes = args.indexOf('--');
	return (dashes < 0 ? args : args.slice(0, dashes)).some((each) => each === '--help' || each === '-h');
}

function readRun(args: string[]): RunCommand {
	const dashes = args.indexOf('--');
	const own = dashes < 0 ? args : args.slice(0, dashes);
	const { values, positionals } = parse(
		own,
		{
			json: { type: 'string' },
			out: { type: 'string' },
			all: { type: 'boolean' },
			'no-report': { type: 'boolean' },
			budget: { type: 'string' },
			sample: { type: 'boolean' },
		},
		dashes < 0 ? ` Options of the program come after '--', as in 'waitline run -- node program.js --port 80'.` : '',
	);
	const command = dashes < 0 ? positionals : args.slice(dashes + 1);
	if (dashes >= 0 && positionals.length > 0) throw new UsageError(`Unexpected '${positionals[0]}' before '--'.`);
	if (command.length === 0) throw new UsageError("No program was given. Try 'waitline run -- node program.js'.");
	if (values.json === '-' || values.out === '-') {
		throw new UsageError(
			"The program uses the standard output. Name a file with --out, and print it with 'waitline report FILE --json -'.",
		);
	}
	return {
		name: 'run',
		command,
		json: text(values.json),
		out: text(values.out),
		showReport: values['no-report'] !== true,
		isWhole: values.all === true,
		budgetPercent: budget(text(values.budget)),
		isSampled: values.sample === true,
	};
}

function readReport(args: string[]): ReportCommand {
	const { values, positionals } = parse(args, { json: { type: 'string' }, all: { type: 'boolean' } });
	const file = soleFile('report', positionals);
	return { name: 'report', file, json: text(values.json), isWhole: values.all === true };
}

function readRecords(args: string[]): RecordsCommand {
	return { name: 'records', file: soleFile('records', parse(args, {}).positionals) };
}

function readWhatIf(args: string[]): WhatIfCommand {
	const number = { type: 'string' } as const;
	const { values, positionals } = parse(args, {
		threads: number,
		cores: number,
		'recorded-cores': number,
		line: { type: 'string', multiple: true },
		json: { type: 'string' },
	});
	return {
		name: 'what-if',
		file: soleFile('what-if', positionals),
		threads: atLeastOne('threads', text(values.threads)),
		cores: atLeastOne('cores', text(values.cores)),
		recordedCores: atLeastOne('recorded-cores', text(values['recorded-cores'])),
		changed: Array.isArray(values.line) ? values.line.map((each) => changedLine(String(each))) : [],
		json: text(values.json),
	};
}

function readCompare(args: string[]): CompareCommand {
	const files = { type: 'string', multiple: true } as const;
	const { values, positionals } = parse(args, {
		before: files,
		after: files,
		all: { type: 'boolean' },
		json: { type: 'string' },
	});
	const [before, after, extra] = positionals;
	if (before === undefined || after === undefined) {
		throw new UsageError("This compares two recordings. Try 'waitline compare old.waitline new.waitline'.");
	}
	if (extra !== undefined) throw new UsageError(`Give more runs with --before or --after, not as '${extra}'.`);
	const more = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
	return {
		name: 'compare',
		before: [before, ...more(values.before)],
		after: [after, ...more(values.after)],
		isWhole: values.all === true,
		json: text(values.json),
	};
}

function atLeastOne(option: string, value: string | null): number | null {
	if (value === null) return null;
	const number = Number(value);
	if (Number.isInteger(number) && number >= 1 && number <= MOST_THREADS) return number;
	throw new UsageError(`'${value}' is not a value for --${option}. Give a whole number from 1 to ${MOST_THREADS}.`);
}

function changedLine(text: string): WhatIfCommand['changed'][number] {
	const [, file, line, percent] = /^(.+):(\d+)=([+-]?\d+(?:\.\d+)?)%?$/.exec(text) ?? [];
	if (file !== undefined && Number(percent) >= -100) return { file, line: Number(line), percent: Number(percent) };
	throw new UsageError(`'${text}' does not name a line and a change. Give --line FILE:LINE=-50% for half of the time.`);
}

/** The one recording that a command reads. */
function soleFile(command: string, [file, extra]: string[]): string {
	if (file === undefined) throw new UsageError(`No recording was given. Try 'waitline ${command} FILE.waitline'.`);
	if (extra !== undefined) throw new UsageError(`Only one recording can be read at a time. Leave out '${extra}'.`);
	return file;
}

/** @param advice follows the sentence about what cannot be read */
function parse(args: string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options'], advice = '') {
	try {
		return parseArgs({ args, options: options ?? {}, allowPositionals: true, strict: true });
	} catch (error) {
		// Node's sentences name the option; whatever follows the first sentence is advice for library users.
		const [said = ''] = (error as Error).message.split(/\.\s/);
		throw new UsageError(`${said.replace(/\.$/, '')} (see --help).${advice}`);
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
