// What annotated lines look like, and the only caller of `setDecorations`. Every kind of decoration is sent to an editor
// only when it differs from what the editor has: a text costs a style sheet rule, and a file may have 10,000 of them.
import * as vscode from 'vscode';
import type { HeatLevel } from '../../protocol/heat.ts';
import { type GutterIcon, gutterOptions } from './gutter-icons.ts';

/** The look of one line; whatever is undefined is left out. */
export interface LineLook {
	/** 0-based. */
	line: number;
	text: string | undefined;
	/** The line blocks the loop. */
	blocks: boolean;
	/** The line is not the one that ran. */
	edited: boolean;
	icon: GutterIcon | undefined;
	background: HeatLevel | undefined;
}

/** Marks beside the scroll bar, for the whole document: 0-based lines. */
export interface RulerMarks {
	waits: readonly number[];
	blocks: readonly number[];
}

/** The names of what can be drawn; each is a decoration type of its own. */
type DecorationKind =
	| 'text'
	| 'rulerWait'
	| 'rulerBlock'
	| `icon.${GutterIcon}`
	| `dimmed.${GutterIcon}`
	| `background.${HeatLevel}`;

export class LineDecorations implements vscode.Disposable {
	readonly #types = new Map<DecorationKind, vscode.TextEditorDecorationType>();
	/** The decorations that each editor has, by kind, serialized. */
	readonly #drawn = new WeakMap<vscode.TextEditor, Map<DecorationKind, string>>();
	/** How many decorations were sent to editors so far. */
	sent = 0;

	/** Draws the lines around what the editor shows; all other lines lose their decorations. */
	drawLines(editor: vscode.TextEditor, looks: readonly LineLook[]): void {
		const kinds = new Map<DecorationKind, vscode.DecorationOptions[]>([['text', []]]);
		const add = (kind: DecorationKind, decoration: vscode.DecorationOptions) => {
			const known = kinds.get(kind);
			if (known === undefined) kinds.set(kind, [decoration]);
			else known.push(decoration);
		};
		for (const look of looks) {
			const start = new vscode.Position(look.line, 0);
			if (look.text !== undefined) add('text', textDecoration(editor.document, look, look.text));
			if (look.icon !== undefined) {
				add(`${look.edited ? 'dimmed' : 'icon'}.${look.icon}`, { range: new vscode.Range(start, start) });
			}
			if (look.background !== undefined)
				add(`background.${look.background}`, { range: new vscode.Range(start, start) });
		}
		for (const kind of this.#drawn.get(editor)?.keys() ?? []) {
			if (kind !== 'rulerWait' && kind !== 'rulerBlock' && !kinds.has(kind)) kinds.set(kind, []);
		}
		for (const [kind, decorations] of kinds) this.#send(editor, kind, decorations);
	}

	drawRuler(editor: vscode.TextEditor, { waits, blocks }: RulerMarks): void {
		this.#send(editor, 'rulerWait', stretches(waits));
		this.#send(editor, 'rulerBlock', stretches(blocks));
	}

	/** The editor moved its decorations along with an edit: it no longer has what was sent. */
	forget(editor: vscode.TextEditor): void {
		for (const kind of this.#drawn.get(editor)?.keys() ?? []) this.#drawn.get(editor)!.set(kind, 'moved');
	}

	#send(editor: vscode.TextEditor, kind: DecorationKind, decorations: readonly vscode.DecorationOptions[]): void {
		const drawn = this.#drawn.get(editor) ?? new Map<DecorationKind, string>();
		this.#drawn.set(editor, drawn);
		const written = decorations.length === 0 ? '' : JSON.stringify(decorations);
		if (written === (drawn.get(kind) ?? '')) return;
		drawn.set(kind, written);
		this.sent += decorations.length;
		editor.setDecorations(this.#typeOf(kind), decorations);
	}

	#typeOf(kind: DecorationKind): vscode.TextEditorDecorationType {
		let type = this.#types.get(kind);
		if (type === undefined) {
			type = vscode.window.createTextEditorDecorationType(optionsOf(kind));
			this.#types.set(kind, type);
		}
		return type;
	}

	dispose(): void {
		for (const type of this.#types.values()) type.dispose();
	}
}

function textDecoration(document: vscode.TextDocument, { line, blocks, edited }: LineLook, text: string) {
	const end = document.lineAt(line).range.end;
	const color = edited
		? 'waitline.editedForeground'
		: blocks
			? 'waitline.blockForeground'
			: 'waitline.annotationForeground';
	return {
		range: new vscode.Range(end, end),
		renderOptions: { after: { contentText: text, color: new vscode.ThemeColor(color) } },
	};
}

function optionsOf(kind: DecorationKind): vscode.DecorationRenderOptions {
	if (kind === 'text') {
		return {
			// Leading spaces of an after-text collapse, so the distance to the code is a margin.
			after: { margin: '0 0 0 3ch', fontStyle: 'italic' },
			rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
		};
	}
	// Waits stand left of where errors are marked, what blocks the loop at the right: so they differ in their place
	// too.
	if (kind === 'rulerWait') return ruler('waitline.overviewRulerWait', vscode.OverviewRulerLane.Center);
	if (kind === 'rulerBlock') return ruler('waitline.overviewRulerBlock', vscode.OverviewRulerLane.Right);
	const [group, name] = kind.split('.');
	if (group === 'icon' || group === 'dimmed') return gutterOptions(name as GutterIcon, group === 'dimmed');
	return { isWholeLine: true, backgroundColor: new vscode.ThemeColor(`waitline.heatBackground${name}`) };
}

function ruler(color: string, lane: vscode.OverviewRulerLane): vscode.DecorationRenderOptions {
	return { overviewRulerColor: new vscode.ThemeColor(color), overviewRulerLane: lane };
}

/** Ascending lines as ranges: neighbours make one. */
function stretches(lines: readonly number[]): vscode.DecorationOptions[] {
	const ranges: vscode.DecorationOptions[] = [];
	for (let index = 0; index < lines.length; index++) {
		const from = lines[index]!;
		let to = from;
		while (lines[index + 1] === to + 1) to = lines[++index]!;
		ranges.push({ range: new vscode.Range(from, 0, to, 0) });
	}
	return ranges;
}
