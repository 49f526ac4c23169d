// Finds the report's files among the editor's documents, by path. Node reports real paths; an editor may show a file
// through a symbolic link (macOS /tmp, linked packages), and Windows ignores upper and lower case.
import { realpathSync } from 'node:fs';
import type * as vscode from 'vscode';
import { fileKey } from '../../host/common/file-paths.ts';

/** Schemes whose documents are files on the machine where the extension and the program run. */
export const FILE_SCHEMES = new Set(['file', 'vscode-remote']);

/** A path in the form in which two paths of one file are equal. */
export const pathKey = fileKey;

/** The keys under which a report may know this document: its own name, and its name with links resolved. */
export class DocumentKeys {
	readonly #known = new Map<string, readonly string[]>();

	of(uri: vscode.Uri): readonly string[] {
		if (!FILE_SCHEMES.has(uri.scheme)) return [];
		const file = uri.fsPath;
		let keys = this.#known.get(file);
		if (keys === undefined) {
			keys = keysOf(file);
			this.#known.set(file, keys);
		}
		return keys;
	}

	/** Links may change between sessions. */
	forget(): void {
		this.#known.clear();
	}
}

function keysOf(file: string): readonly string[] {
	const named = pathKey(file);
	try {
		const real = pathKey(realpathSync.native(file));
		return real === named ? [named] : [named, real];
	} catch {
		// A document whose file was removed has no other name.
		return [named];
	}
}
