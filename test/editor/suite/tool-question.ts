// The question that VS Code asks before a language model's tool runs. It asks in a second window only: under a test it confirms by itself.
import { until } from './editor.ts';
import { choose, click, inWindow, runCommand } from './window.ts';

const DIALOG = '.monaco-dialog-box';

/** Its title and what it says of each tool, in English. */
export const QUESTION = 'Read Waitline’s profile?';
export const WHAT_THE_MODEL_GETS = {
	waitline_hot_lines: 'The model gets the source lines that waited longest: files, lines, operations and times.',
	waitline_line_detail: 'The model gets everything that the profile says about line {0} of {1}.',
	waitline_findings: 'The model gets the findings of the profile with their evidence, and facts about its processes.',
} as const;

/** Has the asking extension call a tool, as a chat would; resolves with the question's text once the person is asked. */
export async function callTool(tool: string): Promise<string> {
	await runCommand('Ask a Tool');
	await choose(tool);
	return until('the question', async () => (await questionText()) || undefined);
}

export const confirm = () => click(`${DIALOG} .monaco-button:not(:has-text("Cancel"))`);

export async function cancel(): Promise<void> {
	await click(`${DIALOG} .monaco-button:has-text("Cancel")`);
	await until('no question', async () => (await questionText()) === '');
}

function questionText(): Promise<string> {
	return inWindow((selector) => document.querySelector(selector)?.textContent ?? '', DIALOG);
}
