// What an entry of the lines table shows when it is opened: how its waits are distributed, and who started its operations.
import { fullestBin, histogramText } from '../../protocol/histogram.ts';
import type { Bin, Line, SourceLine } from '../../protocol/report.ts';
import { formatCount, formatMs } from '../../protocol/units.ts';
import { fill, type ViewFile, type ViewStrings } from '../../protocol/webview.ts';
import { element, setLabel, setTitle } from './dom.ts';

/** @param open shows a line in the editor */
export function lineDetailsRow(
	entry: Line,
	files: readonly ViewFile[],
	words: ViewStrings,
	open: (fileId: number, line: number) => void,
): HTMLElement {
	const root = element(
		'div',
		{ className: 'row-details' },
		...distributionBars(entry.histogram, words.columnWait, words),
	);
	const link = (at: SourceLine) => lineLink(at, files, words, open);
	if (entry.callers.length > 0) {
		const callers = entry.callers.map((caller) => {
			const by = caller.op === '' ? words.mainScript : caller.op;
			return element('li', {}, link(caller), ` (${by} ×${formatCount(caller.count)})`);
		});
		root.append(list(words.calledFrom, callers));
	}
	if (entry.libraries.length > 0) {
		const libraries = entry.libraries.map((at) => element('li', {}, link(at)));
		root.append(list(words.through, libraries));
	}
	if (root.childElementCount === 0) root.append(element('p', {}, words.noDetails));
	return root;
}

/** A link to a line; plain text where the host has issued no file. */
export function lineLink(
	at: SourceLine,
	files: readonly ViewFile[],
	words: ViewStrings,
	open: (fileId: number, line: number) => void,
): HTMLElement {
	const file = files.find(({ path }) => path === at.file);
	const location = `${file?.label ?? shortName(at.file)}:${at.line}`;
	if (file === undefined) return element('span', {}, location);
	const made = element('button', { className: 'link', title: fill(words.openInEditor, location) }, location);
	made.addEventListener('click', () => open(file.id, at.line));
	return made;
}

/** Of a library's file, from its package on. */
function shortName(file: string): string {
	return /[\\/]node_modules[\\/](?!.*[\\/]node_modules[\\/])(.*)$/.exec(file)?.[1] ?? file;
}

/** A list with a heading. */
export function list(label: string, items: readonly HTMLElement[]): HTMLElement {
	return element('div', { className: 'row-list' }, element('h2', {}, label), element('ul', {}, ...items));
}

/** A distribution as bars; each says in words what it is. @param of what is distributed */
export function distributionBars(bins: readonly Bin[], of: string, words: ViewStrings): HTMLElement[] {
	const fullest = fullestBin(bins);
	if (fullest === undefined) return [];
	const summary = histogramText(bins, words);
	const bars = bins.map((bin) => {
		const bar = element('span', { className: 'bin' }, element('span', { className: 'bin-count' }));
		setTitle(bar, `${formatMs(bin.fromMs)} – ${formatMs(bin.toMs)}: ×${formatCount(bin.count)}`);
		const share = bin.count / fullest.count;
		const filled = bar.firstElementChild as HTMLElement;
		filled.style.height = bin.count === 0 ? '0' : `${Math.max(4, 100 * share)}%`;
		return bar;
	});
	const chart = element('div', { className: 'histogram' }, ...bars);
	chart.setAttribute('role', 'img');
	setLabel(chart, summary);
	const ends = [bins[0]!.fromMs, bins.at(-1)!.toMs].map((ms) => element('span', {}, formatMs(ms)));
	const scale = element('div', { className: 'histogram-scale' }, ...ends);
	return [element('div', { className: 'row-list' }, element('h2', {}, of), chart, scale, element('p', {}, summary))];
}
