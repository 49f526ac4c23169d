// `npm test`: every check of the project, to the end even when one fails; which steps run side by side is in support/steps.ts. The last line
// is `N passed, N failed` alone (with `, N skipped` when there are any) and the exit code says whether anything failed.
//   npm test                      everything
//   npm run test:quick            what one runs while working
//   npm test -- unit lab          these steps only (lab, tracer, timed, nodecore and editor test what `build` made)
//   npm test -- a.test.ts …       these files only
import { resolve } from 'node:path';
import { add, type Counts, noCounts, sentence, slowest } from './support/counts.ts';
import { runFiles } from './support/run-files.ts';
import { EVERYTHING, type Plan, providePackages, QUICK, STEPS, type Step, type Write } from './support/steps.ts';
import { provide } from './support/system.ts';

/** Long enough to see where the time goes, short enough to read. */
const SLOWEST_SHOWN = 10;

const print: Write = (text) => process.stdout.write(text);

interface Work {
	/** Of the steps, as the command line has them. */
	names: readonly string[];
	/** One after the other; the lists of a group are done side by side. */
	groups: Step[][][];
}

/** What the command line asks for; chosen steps run one after the other. */
function planned(args: string[]): Work {
	if (args.length === 0) return workOf(EVERYTHING);
	if (args.length === 1 && args[0] === 'quick') return workOf(QUICK);
	const files = args.filter((arg) => arg.endsWith('.test.ts')).map((file) => resolve(file));
	const names = args.filter((arg) => !arg.endsWith('.test.ts'));
	const unknown = names.find((name) => !Object.hasOwn(STEPS, name));
	if (unknown !== undefined) {
		console.error(
			`There is no step "${unknown}". Steps: quick, ${Object.keys(STEPS).join(', ')}; or name .test.ts files.`,
		);
		process.exit(2);
	}
	const chosen: Step[] = names.map((name) => STEPS[name]!);
	if (files.length > 0) chosen.push({ title: 'Chosen files', run: (write) => runFiles(files, 1, write) });
	return { names, groups: [[chosen]] };
}

function workOf(plan: Plan): Work {
	return {
		names: plan.flat(2),
		groups: plan.map((group) => group.map((lane) => lane.map((name) => STEPS[name]!))),
	};
}

/** What a step came to and how long it took. */
interface Outcome {
	counts: Counts;
	row: string;
}

/** Runs a step; one that throws is a failure like any other, and the next one still runs. */
async function runStep({ title, run }: Step, write: Write): Promise<Outcome> {
	const began = performance.now();
	write(`\n━━ ${title} ━━\n`);
	let counts: Counts;
	try {
		counts = await run(write);
	} catch (error) {
		write(`${error instanceof Error ? error.stack : error}\n`);
		counts = { ...noCounts(), failed: 1, failures: [title] };
	}
	const seconds = ((performance.now() - began) / 1000).toFixed(0);
	return { counts, row: `${title.padEnd(34)}${`${seconds} s`.padStart(7)}   ${sentence(counts)}` };
}

/** Runs steps one after the other. Beside others each is printed as a whole when it has ended: their lines would mix. */
async function runLane(steps: readonly Step[], isAlone: boolean): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const step of steps) {
		let text = '';
		const keep: Write = (piece) => {
			text += piece;
		};
		outcomes.push(await runStep(step, isAlone ? print : keep));
		print(text);
	}
	return outcomes;
}

function titles(group: Step[][]): string {
	return group
		.flat()
		.map(({ title }) => title)
		.join(', ');
}

const { names, groups } = planned(process.argv.slice(2));
provide(names, (text) => console.log(text));
await providePackages(names);

const began = performance.now();
const outcomes: Outcome[] = [];
for (const group of groups) {
	if (group.length > 1) print(`\nSide by side, each shown when it has ended: ${titles(group)} …\n`);
	const lanes = await Promise.all(group.map((lane) => runLane(lane, group.length === 1)));
	outcomes.push(...lanes.flat());
}
const total = outcomes.reduce((sum, { counts }) => add(sum, counts), noCounts());
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
if (total.failures.length > 0) print(`\nFailed:\n${total.failures.map((name) => `  ${name}`).join('\n')}\n`);
print(`\nThe slowest tests:\n${slowest(total, SLOWEST_SHOWN).join('\n')}\n`);
print(
	`\n${outcomes.map(({ row }) => row).join('\n')}\n${'In all'.padEnd(34)}${`${minutes} min`.padStart(9)}\n\n${sentence(total)}\n`,
);
process.exitCode = total.failed > 0 ? 1 : 0;
