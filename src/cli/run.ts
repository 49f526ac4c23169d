// `waitline run`: runs a command with the tracer in every Node process of it and reports when it has ended. The command
// keeps its input, output, signals and exit code.
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { plainCause } from '../host/common/plain-error.ts';
import { type Injection, tracedEnvironment } from '../host/injection/environment.ts';
import { LiveSession } from '../host/sessions/live-session.ts';
import { visibleText } from '../protocol/visible-text.ts';
import { annotatedReport } from './annotated-report.ts';
import { type RunCommand, UsageError } from './command-line.ts';
import { keepApart, OutputError, tryOutput, writeJson } from './outputs.ts';
import { signalsOf } from './signals.ts';
import { terminalOf } from './terminal.ts';
import { type Spawned, windowsCommand } from './windows-command.ts';

/** How a command ended: code or signal is null. */
interface Ending {
	pid: number;
	code: number | null;
	signal: NodeJS.Signals | null;
}

const isWindows = process.platform === 'win32';

/** How long a program may take to end by a signal that it has received itself, in ms. */
const GRACE_MS = 500;

/** @throws UsageError when the command does not start, OutputError when an output cannot be written */
export async function run(asked: RunCommand): Promise<void> {
	const { command, json, out, budgetPercent, isSampled } = asked;
	await keepApart([json, out]);
	await tryOutput(json, 'report');
	await tryOutput(out, 'recording');
	const folder = await temporaryFolder();
	const session = await LiveSession.start({ folder });
	const injection = {
		tracer: path.join(__dirname, 'tracer.cjs'),
		folder,
		budgetPercent,
		sampler: isSampled ? path.join(__dirname, 'sampler.cjs') : undefined,
	};
	let ending: Ending;
	try {
		ending = await execute(command, injection);
		// On Windows a process that another one has ended leaves with a code as well.
		if (!isWindows || ending.signal !== null) session.ended(ending.pid, ending.signal);
	} catch (error) {
		await session.stop();
		await session.remove();
		throw error;
	}
	// From here on the program's own end counts, whatever happens to the report.
	try {
		await writeReports(session, asked);
	} catch (error) {
		await keep(session, out ?? `waitline-${process.pid}.waitline`, error);
	}
	await session.remove();
	endLike(ending);
}

/** A folder that only this user can read. @throws OutputError */
async function temporaryFolder(): Promise<string> {
	try {
		return await mkdtemp(path.join(os.tmpdir(), 'waitline-'));
	} catch (error) {
		throw new OutputError(`Cannot use the folder for temporary files, ${os.tmpdir()}: ${plainCause(error)}.`);
	}
}

async function writeReports(
	session: LiveSession,
	{ json, out, showReport, isWhole, isSampled }: RunCommand,
): Promise<void> {
	const report = await session.stop();
	if (out !== null) await session.save(out);
	await writeJson(json, report);
	if (!showReport) return;
	process.stderr.write(
		report.processes.length === 0
			? `waitline: No Node program was traced, so there is nothing to report.\n`
			: annotatedReport(report, { ...terminalOf(process.stderr), isWhole, asksForSamples: isSampled }),
	);
}

/** Prints what has failed, and where the recording is from which a report can be made later. */
async function keep(session: LiveSession, file: string, error: unknown): Promise<void> {
	const sentences = [`The program itself was not affected, but its report could not be made: ${plainCause(error)}.`];
	const files = [file, path.join(os.tmpdir(), path.basename(file))];
	let cause: unknown;
	for (const each of files) {
		try {
			await session.saveJournals(each);
			sentences.push(`The recording is in ${path.resolve(each)}.`);
			cause = undefined;
			break;
		} catch (failure) {
			cause = failure;
		}
	}
	if (cause !== undefined) sentences.push(`The recording could not be kept: ${plainCause(cause)}.`);
	process.stderr.write(`waitline: ${visibleText(sentences.join(' '))}\n`);
}

function execute(command: string[], injection: Injection): Promise<Ending> {
	const { file, args, isVerbatim } = spawned(command);
	const signals = signalsOf(process.platform);
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, {
			stdio: 'inherit',
			env: { ...process.env, ...tracedEnvironment(process.env, injection) },
			windowsVerbatimArguments: isVerbatim,
		});
		// A terminal sends Ctrl-C to the whole group itself. Another process may have sent it to us alone, or to the
		// group too: then the program is about to end by itself, and a second one could kill it in the middle of that.
		for (const signal of signals.fromTerminal) {
			process.on(signal, () => {
				if (!isInForeground()) setTimeout(() => child.kill(signal), GRACE_MS).unref();
			});
		}
		// The program has received it too. We stay until it has ended, for its report.
		for (const signal of signals.fromConsole) process.on(signal, () => undefined);
		for (const signal of signals.forwarded) process.on(signal, () => child.kill(signal));
		child.on('error', (error) => {
			reject(new UsageError(cannotRun(command[0] ?? '', error)));
		});
		child.on('exit', (code, signal) => resolve({ pid: child.pid ?? 0, code, signal }));
	});
}

/** Why a command did not start, and what to do where the file of a program was given in place of a command. */
function cannotRun(command: string, error: Error): string {
	if (/\.[cm]?[jt]s$/.test(command) && isFile(command)) {
		return `'${command}' is a file and not a command. Try 'waitline run -- node ${command}'.`;
	}
	// The system says that permission is missing.
	if (isFolder(command)) return `Cannot run '${command}': it is a folder. Give a command such as 'node program.js'.`;
	return `Cannot run '${command}': ${plainCause(error)}.`;
}

function isFolder(name: string): boolean {
	return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(name: string): boolean {
	return statSync(name, { throwIfNoEntry: false })?.isFile() === true;
}

function spawned(command: readonly string[]): Spawned {
	const [file = '', ...args] = command;
	if (!isWindows) return { file, args, isVerbatim: false };
	return windowsCommand(command, { env: process.env, folder: process.cwd(), isFile });
}

/** Whether a terminal has our process group in its foreground (proc(5): fields 5, pgrp, and 8, tpgid, of `stat`). */
function isInForeground(): boolean {
	if (process.platform !== 'linux') return process.stdin.isTTY === true || process.stderr.isTTY === true;
	const stat = readFileSync('/proc/self/stat', 'latin1');
	const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return group === foreground;
}

/** Ends this process as the command ended, so that a shell or a supervisor sees no difference. */
function endLike({ code, signal }: Ending): void {
	if (signal === null) {
		process.exitCode = code ?? 0;
		return;
	}
	process.removeAllListeners(signal);
	process.kill(process.pid, signal);
}
