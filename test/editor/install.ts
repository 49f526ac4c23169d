// Installs VS Code's server (code-server) and the browser driver under test/editor/server when they are missing. They
// are a package of their own: 0.6 GB that only the editor tests need. code-server's own install script would compile
// native modules and fetch its two inner packages; the compiled ones are not needed for a run on the loopback
// interface, so no script runs at all and the inner packages are fetched here.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const SERVER_PACKAGE = path.join(import.meta.dirname, 'server');
const MODULES = path.join(SERVER_PACKAGE, 'node_modules');
/** The script that starts the server. */
export const SERVER_ENTRY = path.join(MODULES, 'code-server/out/node/entry.js');

/** Names the lockfile that the installation was made from; written last, so that a broken installation is repeated. */
const STAMP = path.join(MODULES, '.waitline-installed');

const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Installs what is missing; returns at once when the installation is the lockfile's. */
export async function installServer(): Promise<void> {
	const lock = createHash('sha256')
		.update(readFileSync(path.join(SERVER_PACKAGE, 'package-lock.json')))
		.digest('hex');
	if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return;

	const start = Date.now();
	console.log("editor tests: installing VS Code's server from npm (once, about 0.6 GB, a minute or so) …");
	const inner = path.join(MODULES, 'code-server/lib/vscode');
	await npm(SERVER_PACKAGE, ['ci', ...FLAGS]);
	// Not `npm ci`: the shrinkwrap that code-server ships lacks an entry, and `ci` refuses it.
	await npm(inner, ['install', '--omit=dev', ...FLAGS]);
	await npm(path.join(inner, 'extensions'), ['install', '--omit=dev', ...FLAGS]);
	writeFileSync(STAMP, lock);
	console.log(`editor tests: installed in ${Math.round((Date.now() - start) / 1000)} s`);
}

/** Runs npm in `cwd`. Its output is shown, it has little to say unless something is wrong. */
function npm(cwd: string, args: string[]): Promise<void> {
	return new Promise((resolve, reject) => {
		// On Windows npm is a script, which only a shell starts.
		const child = spawn('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32', env: cleanEnv() });
		child.once('error', reject);
		child.once('exit', (code, signal) => {
			if (code === 0) resolve();
			else reject(new Error(`npm ${args[0]} in ${cwd} ended with ${code ?? signal}`));
		});
	});
}

/** The environment without what an outer `npm run` put there: it would make the inner npm believe in the outer package. */
function cleanEnv(): NodeJS.ProcessEnv {
	const own = /^npm_(package|lifecycle|command|execpath|node_execpath|config_(local_prefix|global_prefix))/i;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

if (process.argv[1] === import.meta.filename) await installServer();
