// Whether operations are on the lines that started them: programs of test/libraries state behind each line what it must
// show.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Report } from '../../src/protocol/report.ts';
import { hasPackages, installPackages } from './packages.ts';
import { root } from './paths.ts';

const folder = join(root, 'test', 'libraries');

/** Sets of packages can only be installed as a whole. */
export function installLibraries(): void {
	if (hasPackages(folder)) return;
	console.log('Installing the libraries to test with (test/libraries)…');
	installPackages(folder);
}

/** Where programs elsewhere find them. */
export const libraries = join(folder, 'node_modules');

export function libraryProgram(name: string): string {
	return join(folder, 'programs', name);
}

const EXCHANGE = 'net.Socket.write kernel';
/**
 * An exchange over a connection that others use may also have waited for it. How often is chance, and not counted here,
 * but never more often than there are exchanges.
 */
const WAITS = ['pool connection', 'connection queue', 'earlier command'];

export interface Origins {
	/** Operations that the program started, according to the program itself. */
	expected: number;
	/** Of these, those on the right line, with its name and class. */
	right: number;
	/**
	 * Operations without a known line: shown on a library's line (without those that the library starts for itself),
	 * or, for a request whose handler started nothing of its own, on the server's.
	 */
	unresolved: number;
	/** Operations on a line of the user that did not start them, one text per line. */
	wrong: string[];
	wrongCount: number;
}

/**
 * Compares a report with what the program states: `// → name class count` behind a line, `// ↓ …` above it, where a
 * count is a number, one of `counts`, or both, multiplied.
 * @param counts such as how many rounds it ran; `// ? count` is behind a line that only waits for a connection, at most
 * that often
 */
export function compareOrigins(report: Report, program: string, counts: Record<string, number>): Origins {
	const text = readFileSync(program, 'utf8');
	const wanted = expectations(text, counts);
	const waits = mayWait(text, counts);
	const origins: Origins = { expected: sum(wanted.values()), right: 0, unresolved: 0, wrong: [], wrongCount: 0 };
	for (const { file, line, op, class: name, count } of report.lines) {
		if (file.includes('node_modules')) {
			origins.unresolved += count;
		} else if (file === program) {
			const key = `${line} ${op} ${name}`;
			if (WAITS.includes(op) && count <= Math.max(wanted.get(`${line} ${EXCHANGE}`) ?? 0, waits.get(line) ?? 0))
				continue;
			const right = Math.min(count, wanted.get(key) ?? 0);
			origins.right += right;
			if (right === count) continue;
			if (op === 'http.Server request') {
				origins.unresolved += count - right;
				continue;
			}
			origins.wrongCount += count - right;
			origins.wrong.push(`${basename(file)}:${key} ×${count - right}`);
		} else if (dirname(file) !== dirname(program)) {
			origins.wrong.push(`${file}:${line} ${op} ×${count}`);
			origins.wrongCount += count;
		}
	}
	const [, own = ''] = /\(library: (\w+)\)/.exec(text) ?? [];
	origins.unresolved -= counts[own] ?? Number(own);
	return origins;
}

function expectations(program: string, counts: Record<string, number>): Map<string, number> {
	const wanted = new Map<string, number>();
	program.split('\n').forEach((text, i) => {
		const [, arrow, entries = ''] = /\/\/ ([→↓]) (.*)$/.exec(text) ?? [];
		if (arrow === undefined) return;
		for (const entry of entries.split('; ')) {
			const [, op, name, count = ''] = /^(.+) (threadpool|kernel|timer|loop|other) (.+)$/.exec(entry) ?? [];
			const factors = count.split(' ').map((factor) => counts[factor] ?? Number(factor));
			wanted.set(
				`${arrow === '→' ? i + 1 : i + 2} ${op} ${name}`,
				factors.reduce((a, b) => a * b),
			);
		}
	});
	return wanted;
}

/** How often the lines may wait that send nothing, by line. */
function mayWait(program: string, counts: Record<string, number>): Map<number, number> {
	const found = new Map<number, number>();
	program.split('\n').forEach((text, i) => {
		const [, count] = /\/\/ \? (\w+)$/.exec(text) ?? [];
		if (count !== undefined) found.set(i + 1, counts[count] ?? Number(count));
	});
	return found;
}

function sum(values: Iterable<number>): number {
	return [...values].reduce((total, value) => total + value, 0);
}
