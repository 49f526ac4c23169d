// The hover of an annotated line: each operation's split with its distribution and basis. Data from a program is
// appended as text, the document trusts nothing and knows no HTML, so that no name can become a link or a command.
import * as vscode from 'vscode';
import { blockText, type LineFacts, MARK } from '../protocol/annotation.ts';
import type { Line, Split } from '../protocol/report.ts';
import { formatMs } from '../protocol/units.ts';
import { fill, type ViewStringKey, type ViewStrings } from '../protocol/webview.ts';

/** The parts of an operation's life in their order. */
const PARTS = ['wait', 'queue', 'execute', 'lag', 'run'] as const;
const PART_LABEL: Record<(typeof PARTS)[number], ViewStringKey> = {
	wait: 'columnWait',
	queue: 'columnQueue',
	execute: 'columnExecute',
	lag: 'columnLag',
	run: 'columnRun',
};

export function lineHover(facts: LineFacts, words: ViewStrings): vscode.MarkdownString {
	const text = new vscode.MarkdownString('', false);
	for (const warning of facts.warnings) paragraph(text, `${MARK.warning} ${words[`warning.${warning.code}`]}`);
	if (facts.blocks.length > 0) paragraph(text, `${MARK.held} ${blockText(facts.blocks, words)}`);
	for (const entry of facts.entries) appendEntry(text, entry, words);
	return text;
}

function appendEntry(text: vscode.MarkdownString, entry: Line, words: ViewStrings): void {
	text.appendMarkdown('**');
	text.appendText(entry.op);
	text.appendMarkdown('** ');
	text.appendText(`×${entry.count} · ${words[`class.${entry.class}`]}`);
	if (entry.pending > 0) text.appendText(` · ${fill(words.pending, entry.pending)}`);
	text.appendMarkdown('\n\n');
	const rows = PARTS.flatMap((part) => {
		const split = entry[part];
		return split === null
			? []
			: [`${part === 'wait' || part === 'run' ? '' : '\u2003'}${partText(words[PART_LABEL[part]], split, words)}`];
	});
	for (const row of rows) {
		text.appendMarkdown('- ');
		text.appendText(row);
		text.appendMarkdown('\n');
	}
	text.appendMarkdown('\n');
}

function partText(label: string, split: Split, words: ViewStrings): string {
	if (split.basis === 'unknown') return `${label}: ${words.unknown}`;
	const figures = [
		`${words.columnTotal} ${formatMs(split.totalMs)}`,
		`${words.columnMedian} ${formatMs(split.p50Ms)}`,
		`${words.columnP95} ${formatMs(split.p95Ms)}`,
		`${words.columnMax} ${formatMs(split.maxMs)}`,
	];
	if (split.basis === 'estimated') figures.push(fill(words.estimated, formatMs(split.uncertaintyMs)));
	return `${label}: ${figures.join(' · ')}`;
}

function paragraph(text: vscode.MarkdownString, line: string): void {
	text.appendText(line);
	text.appendMarkdown('\n\n');
}
