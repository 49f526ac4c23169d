// What a program is run under: nothing, Waitline, and the other profilers. Each gets a folder for what it writes.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LEASE_FILE } from '../../../src/protocol/journal.ts';
import { cli } from '../../support/paths.ts';
import { scratchFolder } from '../../support/scratch.ts';

export interface Arm {
	name: string;
	/** Flags of Node before the program. */
	flags(folder: string): string[];
	env(folder: string): Record<string, string>;
}

const packages = join(import.meta.dirname, 'programs', 'node_modules');
const noEnv = () => ({});

export const bare: Arm = { name: 'bare', flags: () => [], env: noEnv };
/** The same once more: what differs here is noise. */
export const control: Arm = { ...bare, name: 'bare again' };
export const waitline: Arm = {
	name: 'Waitline',
	flags: () => [],
	env: (folder) => ({
		NODE_OPTIONS: `--require ${JSON.stringify(join(dirname(cli), 'tracer.cjs'))}`,
		WAITLINE_FOLDER: folder,
	}),
};

const traceEvents = (folder: string) => [
	'--trace-event-categories=node.async_hooks',
	`--trace-event-file-pattern=${join(folder, 'trace')}`,
];

export const peers: Arm[] = [
	{
		name: 'bubbleprof',
		// As its own index.js starts a program; the port is detected by us.
		flags: (folder) => ['-r', join(packages, '@clinic/bubbleprof/injects/logger.js'), ...traceEvents(folder)],
		env: (folder) => ({ NODE_CLINIC_BUBBLEPROF_DATA_PATH: folder }),
	},
	{ name: 'blocked-at', flags: () => ['-r', join(import.meta.dirname, 'programs', 'blocked-at.cjs')], env: noEnv },
	{ name: 'trace events', flags: traceEvents, env: noEnv },
	{ name: '--cpu-prof', flags: (folder) => ['--cpu-prof', `--cpu-prof-dir=${folder}`], env: noEnv },
];

/** Gives a run its folder and, where Waitline looks for it, the sign that a host lives. */
export async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
	const folder = join(scratchFolder('cost'), 'run');
	const lease = join(folder, LEASE_FILE);
	mkdirSync(folder);
	writeFileSync(lease, '');
	const renewal = setInterval(() => utimesSync(lease, new Date(), new Date()), 2000);
	try {
		return await run(folder);
	} finally {
		clearInterval(renewal);
		rmSync(folder, { recursive: true, force: true });
	}
}
