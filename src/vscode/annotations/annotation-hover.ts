// The hover of annotated lines, made on demand: a file may have thousands of them.
import * as vscode from 'vscode';
import { setting } from '../common/config.ts';
import { FILE_SCHEMES } from '../common/documents.ts';
import { lineHover } from '../details/hover.ts';
import type { DetailContext } from '../details/line-details.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Annotations } from './annotations.ts';

export function registerAnnotationHover(
	annotations: Annotations,
	sessions: Sessions,
	context: DetailContext,
): vscode.Disposable {
	const documents = [...FILE_SCHEMES].map((scheme) => ({ scheme }));
	return vscode.languages.registerHoverProvider(documents, {
		provideHover(document, position) {
			const { range } = document.lineAt(position.line);
			// The text behind the line is at its end; over the code other hovers take precedence.
			if (position.character < range.end.character || !setting('annotations.enabled', document)) return undefined;
			const placed = annotations.at(document, position.line);
			const report = sessions.current?.report();
			if (placed === undefined || report === undefined) return undefined;
			return new vscode.Hover(lineHover(placed.facts, report, context), new vscode.Range(range.end, range.end));
		},
	});
}
