// Read-only tools for language models: the hot lines, one line's detail, and the findings of the session that is shown. VS Code
// activates the extension when a model calls one; they look at what is there and start nothing.
import * as vscode from 'vscode';
import { visibleJson, visibleText } from '../../protocol/visible-text.ts';
import type { Annotations } from '../annotations/annotations.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { languageModelApi, type Tool } from './language-model-api.ts';
import { findings, type HotLinesInput, hotLines, type LineInput, lineDetail, type Profiled } from './tool-answers.ts';

export function registerLanguageModelTools(sessions: Sessions, annotations: Annotations): vscode.Disposable {
	const api = languageModelApi();
	if (api === undefined) return vscode.Disposable.from();
	const profiled = (): Profiled | undefined => {
		const session = sessions.current;
		if (session === undefined) return undefined;
		const { name, live } = session;
		return { name, live, report: session.report(), isEdited: (at) => annotations.isEdited(at) };
	};
	// What a model sends need not be what it was told to send.
	const tool = <Input>(
		about: (input: Partial<Input>) => string,
		answer: (input: Partial<Input>) => object,
	): Tool<Input> => ({
		prepareInvocation: ({ input }) => ({
			invocationMessage: vscode.l10n.t('Reading Waitline’s profile'),
			confirmationMessages: {
				title: vscode.l10n.t('Read Waitline’s profile?'),
				message: visibleText(about(input ?? {})),
			},
		}),
		invoke: ({ input }) => {
			const text = answered(() => answer(input ?? {}));
			return new api.LanguageModelToolResult([new api.LanguageModelTextPart(text)]);
		},
	});
	return vscode.Disposable.from(
		api.lm.registerTool<HotLinesInput>(
			'waitline_hot_lines',
			tool(
				() => vscode.l10n.t('The model gets the source lines that waited longest: files, lines, operations and times.'),
				(input) => hotLines(profiled(), input),
			),
		),
		api.lm.registerTool<LineInput>(
			'waitline_line_detail',
			tool(
				({ file, line }) =>
					vscode.l10n.t(
						'The model gets everything that the profile says about line {0} of {1}.',
						String(line ?? '?'),
						String(file ?? '?'),
					),
				(input) => lineDetail(profiled(), input),
			),
		),
		api.lm.registerTool<object>(
			'waitline_findings',
			tool(
				() =>
					vscode.l10n.t(
						'The model gets the findings of the profile with their evidence, and facts about its processes.',
					),
				() => findings(profiled()),
			),
		),
	);
}

/**
 * The answer as JSON. What a program or a recording named cannot hide anything in it from the person who reads along.
 * @throws a sentence for the model, of which the same is true
 */
function answered(answer: () => object): string {
	try {
		return visibleJson(answer());
	} catch (error) {
		throw new Error(visibleText((error as Error).message));
	}
}
