// How much of a program's last moments its recording lacks when it is killed: the program is killed by SIGKILL at
// random moments, and what it has done, as it printed itself, is compared with what the report counts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../../src/protocol/report.ts';
import { nodes } from '../../support/nodes.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { waitline } from '../../support/waitline.ts';

const KILLS = 100;
const program = join(import.meta.dirname, 'turns.cjs');
/** The pauses between turns, in ms: a loop that hardly sleeps, one at an ordinary load, and one that mostly sleeps. */
const PAUSES = [1, 5, 20];

/**
 * Kills the program once.
 * @returns ms from the first turn that the report lacks to the last that there was, and the pause before them. How much longer that pause
 * was, since the machine was busy, does not count: nothing was done in it
 */
async function lostMs(node: string, pause: number): Promise<number> {
	const file = join(scratchFolder(), 'report.json');
	const { stdout } = await waitline(['run', '--no-report', '--json', file, '--', node, program, String(pause)], {
		onFirstOutput: (_host, text) => {
			const pid = Number.parseInt(text, 10);
			setTimeout(() => process.kill(pid, 'SIGKILL'), 300 + Math.random() * 700);
		},
	});
	const [, ...turns] = stdout.toString().trim().split('\n');
	const times = turns.map((turn) => Number(BigInt(turn.split(' ')[1]!) / 1000n) / 1000);
	const { lines } = JSON.parse(readFileSync(file, 'utf8')) as Report;
	const known = lines.filter(({ op }) => op === 'setTimeout').reduce((sum, { count }) => sum + count, 0);
	const firstLost = times[known];
	if (firstLost === undefined) return 0;
	return times.at(-1)! - firstLost + Math.min(pause, firstLost - (times[known - 1] ?? firstLost));
}

const share = (sorted: number[], part: number) => sorted[Math.ceil(sorted.length * part) - 1]!.toFixed(0);

const { path, major } = nodes().find((node) => node.major === 24) ?? nodes()[0]!;
console.log(
	`${KILLS} times SIGKILL at a random moment of the first second, Node ${major}: ms of the end that the report lacks.\n`,
);
console.log('| a turn every | median | p95 | most |\n|---|---|---|---|');
for (const pause of PAUSES) {
	const lost: number[] = [];
	for (let i = 0; i < KILLS; i++) lost.push(await lostMs(path, pause));
	lost.sort((a, b) => a - b);
	console.log(`| ${pause} ms | ${share(lost, 0.5)} | ${share(lost, 0.95)} | ${share(lost, 1)} |`);
}
