// Read-only tools for language models: the hot lines, one line's detail, and the findings of the session that is shown.
// VS Code activates the extension when a model calls one; they only read and start nothing.
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
	// A model may send anything, whatever its instructions.
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
 * The answer as JSON. Names from a program or a recording are written without invisible characters, so that the person
 * who reads along sees all of them.
 * @throws a sentence for the model, written in the same way
 */
function answered(answer: () => object): string {
	try {
		return visibleJson(answer());
	} catch (error) {
		throw new Error(visibleText((error as Error).message));
	}
}
