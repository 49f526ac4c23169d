// The packages that this benchmark runs, installed once when they are missing.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { hasPackages, installPackages } from '../../support/packages.ts';
import type { Asked } from './even-requests.ts';

const folder = join(import.meta.dirname, 'programs');

export function installPrograms(): void {
	if (hasPackages(folder)) return;
	console.error('Installing servers and other profilers (test/bench/cost/programs)…');
	installPackages(folder);
}

/** What we use of autocannon, which has no types of its own. */
export type Autocannon = (options: {
	url: string;
	connections: number;
	duration: number;
	requests: { path: string }[];
}) => Promise<{ requests: Asked; errors: number; non2xx: number }>;

export function autocannon(): Autocannon {
	return createRequire(join(folder, 'package.json'))('autocannon') as Autocannon;
}
