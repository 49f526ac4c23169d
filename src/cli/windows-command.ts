// How Windows starts a command. `spawn` finds programs (.exe, .com) alone, but `npm`, `npx` and most tools of packages
// are batch files (.cmd), which cmd.exe runs: cmd parses its command line again, so each argument must be one that has
// no meaning for it.
import path from 'node:path';
import { UsageError } from './command-line.ts';

/** The arguments for `spawn`. */
export interface Spawned {
	file: string;
	args: readonly string[];
	/** Whether the arguments are a command line already, which `spawn` must not quote. */
	isVerbatim: boolean;
}

/** What determines which file a name means. */
export interface Surroundings {
	env: Readonly<Record<string, string | undefined>>;
	/** The current directory. */
	folder: string;
	isFile(file: string): boolean;
}

/**
 * Extensions of files that can be started, in cmd's own order; PATHEXT also names scripts that open in another program.
 */
const STARTED = ['.com', '.exe', '.bat', '.cmd'];
const BATCH = /\.(?:bat|cmd)$/i;

/**
 * What starts this command as a shell would.
 * @param command the name or path of a program and its arguments, at least one
 * @throws UsageError for what no shell could pass on, too
 */
export function windowsCommand([name = '', ...args]: readonly string[], surroundings: Surroundings): Spawned {
	if (/\.ps1$/i.test(name)) {
		throw new UsageError(`'${name}' is a PowerShell script. Try 'waitline run -- powershell -File ${name}'.`);
	}
	const file = findCommand(name, surroundings);
	// `spawn` reports that there is none.
	if (file === null) return { file: name, args, isVerbatim: false };
	if (!BATCH.test(file)) return { file, args, isVerbatim: false };
	const line = [`"${unexpanded(file)}"`, ...args.map((arg) => batchArgument(name, arg))].join(' ');
	// With the extensions, which `unexpanded` needs; without `!name!` and AutoRun commands. cmd takes off the outermost quotes.
	return {
		file: commandPrompt(surroundings.env),
		args: ['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`],
		isVerbatim: true,
	};
}

/** The file that cmd would start; null when there is none. */
function findCommand(name: string, { env, folder, isFile }: Surroundings): string | null {
	const isPath = /[\\/:]/.test(name);
	const here = variable(env, 'NoDefaultCurrentDirectoryInExePath') === undefined ? [folder] : [];
	const elsewhere = (variable(env, 'PATH') ?? '').split(path.win32.delimiter).map((each) => each.replaceAll('"', ''));
	const folders = isPath ? [folder] : [...here, ...elsewhere.filter((each) => each !== '')];
	const wanted = (variable(env, 'PATHEXT') ?? STARTED.join(';')).toLowerCase().split(';');
	const endings = wanted.filter((ending) => STARTED.includes(ending));
	// A name without an ending does not mean a file of that name: `npm` lies beside `npm.cmd`, and is a script for
	// other systems.
	const hasEnding = STARTED.includes(path.win32.extname(name).toLowerCase());
	for (const each of folders) {
		for (const ending of hasEnding ? ['', ...endings] : endings) {
			const file = path.win32.resolve(folder, each, name + ending);
			if (isFile(file)) return file;
		}
	}
	return null;
}

/** A variable's value, whatever its name's case. */
function variable(env: Surroundings['env'], name: string): string | undefined {
	const found = Object.keys(env).find((each) => each.toUpperCase() === name.toUpperCase());
	return found === undefined ? undefined : env[found];
}

/** Not %ComSpec%, which may name another shell with other rules. */
function commandPrompt(env: Surroundings['env']): string {
	return path.win32.join(variable(env, 'SystemRoot') ?? 'C:\\Windows', 'System32', 'cmd.exe');
}

/**
 * An argument for a batch file: always in quotes, in which cmd takes nothing but quotes and percent signs for its own. A quote is doubled, which
 * neither cmd nor the C runtime of the program behind takes for the end; what is passed on as `%*` is the same text again.
 */
function batchArgument(command: string, arg: string): string {
	if (/[\0\r\n]/.test(arg)) {
		throw new UsageError(`An argument of '${command}' contains a line break, which no batch file can be given.`);
	}
	// The C runtime takes a backslash before a quote for an escape.
	const quoted = arg.replace(/(\\*)"/g, '$1$1""').replace(/(\\+)$/, '$1$1');
	return `"${unexpanded(quoted)}"`;
}

/**
 * cmd replaces `%name%` in quotes, too. Each percent sign is followed by one more variable, which is empty, so that
 * none begins there.
 */
function unexpanded(text: string): string {
	return text.replaceAll('%', '%%cd:~,%');
}
