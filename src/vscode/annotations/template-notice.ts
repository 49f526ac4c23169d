// Tells the person which names in their template mean nothing: in one sentence, once per template.
import * as vscode from 'vscode';
import { type AnnotationTemplate, PLACEHOLDERS } from '../../protocol/annotation-template.ts';
import { tellWarning } from '../common/notices.ts';

const told = new Set<string>();

export function reportUnknownPlaceholders({ unknown }: AnnotationTemplate): void {
	const names = unknown.map((name) => `{${name}}`).join(', ');
	if (names === '' || told.has(names)) return;
	told.add(names);
	tellWarning(
		vscode.l10n.t(
			'The setting waitline.annotations.template contains {0}, which is unknown. Known placeholders: {1}.',
			names,
			PLACEHOLDERS.map((name) => `{${name}}`).join(' '),
		),
	);
}
