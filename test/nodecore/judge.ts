// Compares a run of the suite with the list of known differences, and against what a run must have compared to mean
// anything.
import type { Result } from './compare.ts';
import { type Known, MOST_KNOWN } from './known.ts';

/** A full run that compares fewer files has not run Node's tests: some 3,100 pass bare in a container. */
const LEAST_COMPARED = 2600;
/**
 * This many of a hundred files may end well without a journal: those that start Node with options or an environment of
 * their own.
 */
const MOST_UNTRACED_PERCENT = 1;

/**
 * What is wrong with a run, a sentence each; nothing when it is as it should be.
 * @param isFull whether all files were to run
 */
export function faults(major: number, results: Result[], known: Known[], isFull: boolean): string[] {
	const found: string[] = [];
	const here = known.filter(({ nodes }) => nodes.includes(major));
	const byUs = here.filter(({ byAnyHook }) => !byAnyHook).length;
	if (byUs > MOST_KNOWN)
		found.push(`${byUs} files are listed as known to differ by us on Node ${major}: ${MOST_KNOWN} at most.`);
	for (const { file, verdict } of results) {
		const entry = here.find((known) => known.file === file.path);
		if (verdict === 'ours' && entry === undefined)
			found.push(`${file.path} passes without Waitline and fails with it.`);
		if (verdict === 'same' && entry !== undefined && !entry.sometimes)
			found.push(`${file.path} passes with Waitline: take it off the list of known.ts.`);
	}
	if (!isFull) return found;
	const paths = new Set(results.map(({ file }) => file.path));
	for (const { file } of here) if (!paths.has(file)) found.push(`known.ts names ${file}, which Node ${major} has not.`);
	const compared = results.filter(({ first }) => first.empty?.passed);
	if (compared.length < LEAST_COMPARED)
		found.push(`Only ${compared.length} files pass without Waitline on this machine; ${LEAST_COMPARED} are needed.`);
	const untraced = compared.filter(({ first }) => first.tracer?.traced !== true);
	if (untraced.length * 100 > compared.length * MOST_UNTRACED_PERCENT)
		found.push(`${untraced.length} of ${compared.length} files wrote no journal: the tracer did not run in them.`);
	return found;
}
