// The parts of VS Code's language-model tool API that we use. It came with VS Code 1.95 (October 2024); the types that
// we compile against are those of the oldest version that we support, so it is declared here and looked up at run time.
import * as vscode from 'vscode';

/** What a tool returns: texts for the model. */
export interface ToolResult {
	readonly content: readonly unknown[];
}

export interface Tool<Input> {
	prepareInvocation(options: { input: Input }): {
		invocationMessage: string;
		confirmationMessages: { title: string; message: string };
	};
	/** Errors that it throws are shown to the model. */
	invoke(options: { input: Input }): ToolResult;
}

interface LanguageModelApi {
	lm: { registerTool<Input>(name: string, tool: Tool<Input>): vscode.Disposable };
	LanguageModelToolResult: new (content: unknown[]) => ToolResult;
	LanguageModelTextPart: new (value: string) => unknown;
}

/** The API, or undefined in an editor that is older than it. */
export function languageModelApi(): LanguageModelApi | undefined {
	const api = vscode as unknown as Partial<LanguageModelApi>;
	const isThere =
		typeof api.lm?.registerTool === 'function' &&
		api.LanguageModelToolResult !== undefined &&
		api.LanguageModelTextPart !== undefined;
	return isThere ? (api as LanguageModelApi) : undefined;
}
