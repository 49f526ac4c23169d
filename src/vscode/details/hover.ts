// Writes a line's details for VS Code. What comes from a program is appended as text; the document knows no HTML, and may call
// the commands that are listed here.
import * as vscode from 'vscode';
import type { LineFacts } from '../../protocol/line-facts.ts';
import type { Report } from '../../protocol/report.ts';
import { type TextBlock, writeBlocks } from '../common/rich-text.ts';
import { type DetailContext, detailActions, lineDetails } from './line-details.ts';

/** The commands that our texts may call. They take file numbers that we issued, never paths. */
const ENABLED_COMMANDS = [
	'waitline.openLine',
	'waitline.revealInPanel',
	'waitline.filterToLine',
	'waitline.filterToClass',
	'waitline.copyLine',
	'waitline.explainFindings',
	'waitline.setPoolSize',
	'waitline.turnOffAsyncStacks',
] as const;

/** The details of a line with the commands that go with them. */
export function lineHover(facts: LineFacts, report: Report, context: DetailContext): vscode.MarkdownString {
	return markdownString(lineDetails(facts, report, context, detailActions(facts, context)));
}

/** Writes blocks for VS Code. */
export function markdownString(blocks: readonly TextBlock[]): vscode.MarkdownString {
	const text = new vscode.MarkdownString('', false);
	text.isTrusted = { enabledCommands: ENABLED_COMMANDS };
	const appendData = (value: string) => {
		// `appendText` does not escape what ends a table's cell or begins an entity.
		for (const part of value.split(/([|&])/)) {
			if (part === '|' || part === '&') text.appendMarkdown(`\\${part}`);
			else text.appendText(part);
		}
	};
	writeBlocks(blocks, {
		data: appendData,
		link(label, command, args) {
			text.appendMarkdown('[');
			appendData(label);
			text.appendMarkdown(`](command:${command}?${encodeURIComponent(JSON.stringify(args))})`);
		},
		markdown: (value) => void text.appendMarkdown(value),
	});
	return text;
}
