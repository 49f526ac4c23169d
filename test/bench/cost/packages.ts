// The packages that this benchmark runs, installed once when they are missing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'programs');

export function installPackages(): void {
	if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return;
	console.error('Installing servers and other profilers (test/bench/cost/programs)…');
	const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const result = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
	if (result.status !== 0) throw new Error(`Could not install the packages of ${folder}.`);
}

/** What we use of autocannon, which has no types of its own. */
export type Autocannon = (options: {
	url: string;
	connections: number;
	duration: number;
	requests: { path: string }[];
	overallRate?: number;
}) => Promise<{ requests: { total: number; average: number }; errors: number; non2xx: number }>;

export function autocannon(): Autocannon {
	return createRequire(join(folder, 'package.json'))('autocannon') as Autocannon;
}
