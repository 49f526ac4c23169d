// The files that the panel, a hover or a tree item may name: numbered by the host, read by the host. An id that was not issued opens nothing.
import * as vscode from 'vscode';
import { OutsideFolders } from '../../host/common/read-text.ts';
import { blameOf } from '../../protocol/blame.ts';
import type { Report } from '../../protocol/report.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import type { ViewFile, ViewSource } from '../../protocol/webview.ts';
import { pathKey } from '../common/documents.ts';
import { reasonOf } from '../common/reason.ts';
import { isRecording, readerFor } from '../sessions/session-texts.ts';
import type { ShownSession } from '../sessions/shown-session.ts';
import type { RanText } from './document-lines.ts';

/** A larger file is generated; drawing it would freeze the panel. In bytes. */
const LARGEST_SOURCE = 2 * 1024 * 1024;

/** Some editors of Windows begin a file with it; it is no part of the text. */
const BYTE_ORDER_MARK = /^\ufeff/;

export class ViewFiles {
	readonly #files: ViewFile[] = [];
	readonly #ids = new Map<string, number>();

	/** The report's files; each keeps its id for as long as the panel lives. */
	of(report: Report): ViewFile[] {
		const paths = new Set(report.lines.map((line) => line.file));
		for (const loop of report.loops) for (const block of loop.blocks) paths.add(blameOf(block).file);
		for (const warning of report.warnings) if (warning.file !== null) paths.add(warning.file);
		return [...paths].map((path) => this.issue(path));
	}

	/** One file of the report; it keeps its id. */
	issue(path: string): ViewFile {
		const known = this.id(path);
		if (known !== undefined) return this.#files[known]!;
		const file = { id: this.#files.length, path, label: visibleText(vscode.workspace.asRelativePath(path)) };
		this.#files.push(file);
		this.#ids.set(pathKey(path), file.id);
		return file;
	}

	/** The path behind an id, or undefined when the host never issued it. */
	path(id: number): string | undefined {
		return this.#files[id]?.path;
	}

	/** The id of a path that was issued. */
	id(path: string): number | undefined {
		return this.#ids.get(pathKey(path));
	}

	/**
	 * A file's text, as the session ran it; where that was not kept, the file on disk, from which the program was
	 * loaded. For a recording, a file on disk is only shown if it lies in the workspace, and the view says where it is
	 * from.
	 */
	async source(id: number, session: ShownSession, ran: RanText | undefined): Promise<ViewSource | undefined> {
		const path = this.path(id);
		if (path === undefined) return undefined;
		const refused = (error: string): ViewSource => ({ fileId: id, lines: [], error, note: null });
		try {
			const shown = ran ?? (await onDisk(path, session));
			if (shown === null || sizeOf(shown.lines) > LARGEST_SOURCE) {
				return refused(vscode.l10n.t('This file is too large to be shown here.'));
			}
			const [first = '', ...others] = shown.lines;
			const note = shown.isFromDisk
				? vscode.l10n.t(
						'From your disk: the recording does not contain this text, and what ran may have been different.',
					)
				: null;
			return { fileId: id, lines: [first.replace(BYTE_ORDER_MARK, ''), ...others], error: null, note };
		} catch (error) {
			return refused(
				error instanceof OutsideFolders
					? vscode.l10n.t(
							'The recording does not contain the text of this file, and the file is outside the workspace.',
						)
					: vscode.l10n.t('This file cannot be read. {0}', reasonOf(error)),
			);
		}
	}
}

/** Null when it is too large. @throws OutsideFolders, and the file system's errors */
async function onDisk(path: string, session: ShownSession): Promise<RanText | null> {
	if (isRecording(session)) return { lines: linesOf(await readerFor(session)(path)), isFromDisk: true };
	const uri = vscode.Uri.file(path);
	const { size } = await vscode.workspace.fs.stat(uri);
	if (size > LARGEST_SOURCE) return null;
	const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
	return { lines: linesOf(text), isFromDisk: false };
}

function linesOf(text: string): string[] {
	return text.split(/\r\n|\n|\r/);
}

/** In characters: about its bytes. */
function sizeOf(lines: readonly string[]): number {
	return lines.reduce((size, line) => size + line.length + 1, 0);
}
