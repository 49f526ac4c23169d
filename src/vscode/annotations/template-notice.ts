// Shows the person which names in their template mean nothing: in one sentence, once per template.
import * as vscode from 'vscode';
import { type AnnotationTemplate, PLACEHOLDERS } from '../../protocol/annotation-template.ts';
import { showWarning } from '../common/notices.ts';

const noticed = new Set<string>();

export function reportUnknownPlaceholders({ unknown }: AnnotationTemplate): void {
	const names = unknown.map((name) => `{${name}}`).join(', ');
	if (names === '' || noticed.has(names)) return;
	noticed.add(names);
	showWarning(
		vscode.l10n.t(
			'The setting waitline.annotations.template contains {0}, which is unknown. Known placeholders: {1}.',
			names,
			PLACEHOLDERS.map((name) => `{${name}}`).join(' '),
		),
	);
}
