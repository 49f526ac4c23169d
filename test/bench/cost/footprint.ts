// What Waitline takes besides time of the main thread: start-up, memory.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { plainEnvironment } from '../../support/process.ts';
import { type Arm, bare, control, inFolder, waitline } from './arms.ts';
import { median } from './median.ts';

export interface Footprint {
	/** From the process's begin to the program's first line, ms. */
	startMs: number;
	/** There, bytes. */
	rss: number;
}

const ROUNDS = 15;

function once(node: string, arm: Arm): Promise<Footprint> {
	return inFolder(async (folder) => {
		const program = join(import.meta.dirname, 'programs', 'nothing.cjs');
		const options = { cwd: folder, env: plainEnvironment(arm.env(folder)) };
		return JSON.parse(execFileSync(node, [...arm.flags(folder), program], options).toString()) as Footprint;
	});
}

/** Added to the bare program by a second bare run and by Waitline: medians of pairs. */
export async function footprint(node: string): Promise<{ control: Footprint; waitline: Footprint }> {
	const added: { control: Footprint[]; waitline: Footprint[] } = { control: [], waitline: [] };
	for (let round = 0; round < ROUNDS; round++) {
		const base = await once(node, bare);
		for (const [name, arm] of [
			['control', control],
			['waitline', waitline],
		] as const) {
			const { startMs, rss } = await once(node, arm);
			added[name].push({ startMs: startMs - base.startMs, rss: rss - base.rss });
		}
	}
	const middle = (values: Footprint[]) => ({
		startMs: median(values.map(({ startMs }) => startMs)),
		rss: median(values.map(({ rss }) => rss)),
	});
	return { control: middle(added.control), waitline: middle(added.waitline) };
}
