// The output channel "Waitline". Its lines name files, sessions and errors that come from outside, so they are written
// without invisible characters, and without line breaks that would begin a new line of the log.
import * as vscode from 'vscode';
import { visibleLines, visibleText } from '../../protocol/visible-text.ts';

export class Log implements vscode.Disposable {
	readonly #channel = vscode.window.createOutputChannel('Waitline', { log: true });

	debug(text: string): void {
		this.#channel.debug(visibleText(text));
	}

	info(text: string): void {
		this.#channel.info(visibleText(text));
	}

	warn(text: string): void {
		this.#channel.warn(visibleText(text));
	}

	/** With its stack. */
	error(error: Error): void {
		const { stack = '' } = error;
		const summary = String(error);
		const frames = stack.startsWith(summary) ? stack.slice(summary.length) : `\n${stack}`;
		this.#channel.error(visibleText(summary) + visibleLines(frames));
	}

	dispose(): void {
		this.#channel.dispose();
	}
}
