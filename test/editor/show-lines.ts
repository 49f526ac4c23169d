// Follows a text file that another process writes, line by line.
import { existsSync, readFileSync } from 'node:fs';

/** How soon a line is shown, in ms. */
const LOOK_MS = 250;

/**
 * Gives `show` each line of the file as it comes, also of one that is not there yet, until the returned function is called; what is there by
 * then is shown, whether its last line is complete or not.
 */
export function showLines(file: string, show: (line: string) => void): () => void {
	let shown = 0;
	const next = (isLast: boolean) => {
		if (!existsSync(file)) return;
		const lines = readFileSync(file, 'utf8').split('\n');
		// The text behind the last line break is not complete yet.
		const complete = isLast && lines.at(-1) !== '' ? lines.length : lines.length - 1;
		for (; shown < complete; shown++) show(lines[shown]!);
	};
	const timer = setInterval(next, LOOK_MS, false);
	return () => {
		clearInterval(timer);
		next(true);
	};
}
