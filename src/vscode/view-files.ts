// The files that the panel, a hover or a tree item may name: numbered by the host, read by the host. An id that was not issued opens nothing.
import * as vscode from 'vscode';
import type { Report } from '../protocol/report.ts';
import type { ViewFile, ViewSource } from '../protocol/webview.ts';
import { pathKey } from './documents.ts';
import { reasonOf } from './reason.ts';

/** A larger file is generated; drawing it would freeze the panel. In bytes. */
const LARGEST_SOURCE = 2 * 1024 * 1024;

export class ViewFiles {
	readonly #files: ViewFile[] = [];
	readonly #ids = new Map<string, number>();

	/** The report's files; each keeps its id for as long as the panel lives. */
	of(report: Report): ViewFile[] {
		const paths = new Set(report.lines.map((line) => line.file));
		for (const loop of report.loops) for (const block of loop.blocks) paths.add(block.file);
		for (const warning of report.warnings) if (warning.file !== null) paths.add(warning.file);
		return [...paths].map((path) => this.issue(path));
	}

	/** One file of the report; it keeps its id. */
	issue(path: string): ViewFile {
		const known = this.id(path);
		if (known !== undefined) return this.#files[known]!;
		const file = { id: this.#files.length, path, label: vscode.workspace.asRelativePath(path) };
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
	 * A file's text.
	 * @param ran its lines as they ran; without them it is the file on disk, where the program took it from
	 */
	async source(id: number, ran?: readonly string[]): Promise<ViewSource | undefined> {
		const path = this.path(id);
		if (path === undefined) return undefined;
		if (ran !== undefined && sizeOf(ran) <= LARGEST_SOURCE) return { fileId: id, lines: [...ran], error: null };
		const uri = vscode.Uri.file(path);
		try {
			const { size } = await vscode.workspace.fs.stat(uri);
			if (size > LARGEST_SOURCE) {
				return { fileId: id, lines: [], error: vscode.l10n.t('This file is too large to be shown here.') };
			}
			const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
			return { fileId: id, lines: text.split(/\r\n|\n|\r/), error: null };
		} catch (error) {
			return { fileId: id, lines: [], error: vscode.l10n.t('This file cannot be read. {0}', reasonOf(error)) };
		}
	}
}

/** In characters: about its bytes. */
function sizeOf(lines: readonly string[]): number {
	return lines.reduce((size, line) => size + line.length + 1, 0);
}
