// Texts reach a person through few places, each of which spells hidden characters out: nothing goes around them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../support/paths.ts';

interface Way {
	/** What it shows. */
	what: string;
	folder: string;
	/** Matches its calls. */
	pattern: RegExp;
	/** The only files that may call it. */
	only: readonly string[];
	/** A line that must be found. */
	planted: string;
}

const WAYS: readonly Way[] = [
	{
		what: 'the panel: contents and names of elements',
		folder: 'src/webview',
		pattern:
			/\.(textContent|innerText|title|ariaLabel) = |'(aria-label|title|alt|placeholder)'|innerHTML|fillText|createTextNode/,
		only: ['dom.ts'],
		planted: "row.setAttribute('aria-label', name);",
	},
	{
		what: 'messages and the status bar’s answers',
		folder: 'src/vscode',
		pattern: /\bshow(Information|Warning|Error)Message\(|setStatusBarMessage\(/,
		only: ['notices.ts'],
		planted: 'void vscode.window.showErrorMessage(name);',
	},
	{
		what: 'the output channel',
		folder: 'src/vscode',
		pattern: /createOutputChannel\(|LogOutputChannel|\bconsole\.\w/,
		only: ['log.ts'],
		planted: "const log = vscode.window.createOutputChannel('Waitline');",
	},
	{
		what: 'Markdown',
		folder: 'src/vscode',
		pattern: /new vscode\.MarkdownString|append(Text|Markdown)\(/,
		only: ['hover.ts'],
		planted: 'text.appendMarkdown(name);',
	},
	{
		what: 'the files of the command line',
		folder: 'src/cli',
		pattern: /JSON\.stringify/,
		only: [],
		planted: 'await writeFile(file, JSON.stringify(report));',
	},
];

describe('text from outside is shown only through functions that spell hidden characters out', () => {
	for (const { what, folder, pattern, only, planted } of WAYS) {
		it(what, () => {
			assert.match(planted, pattern, 'the look-out sees a line of that kind');
			const around = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
				.filter((file) => file.endsWith('.ts') && !only.includes(path.basename(file)))
				.flatMap((file) => {
					const lines = readFileSync(path.join(root, folder, file), 'utf8').split('\n');
					return lines.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : []));
				});
			assert.deepEqual(around, []);
		});
	}
});
