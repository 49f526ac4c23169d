// Keeps annotations on their lines while the person edits: the report speaks of the file as it ran, the document may
// have gained or lost lines since.

/** One edit, in the terms of a text document's change event. */
export interface LineEdit {
	/** 0-based first and last line that the edit replaces. */
	startLine: number;
	endLine: number;
	/** Whether code of the first line stays in front of what is replaced. */
	keepsStart: boolean;
	/** Line breaks in the new text. */
	newBreaks: number;
}

/** The edits of one document since the session started, and what they make of a line. */
export class LineShifts {
	readonly #edits: LineEdit[] = [];

	/** Edits of one event: VS Code orders them from the end of the document to its start. */
	add(edit: LineEdit): void {
		// An edit within a line moves nothing.
		if (edit.endLine === edit.startLine && edit.newBreaks === 0) return;
		this.#edits.push(edit);
	}

	/** Where the 1-based line of the program as it ran is now; undefined when it was deleted. */
	current(line: number): number | undefined {
		let now = line - 1;
		for (const { startLine, endLine, keepsStart, newBreaks } of this.#edits) {
			const gone = now < endLine && (keepsStart ? now > startLine : now >= startLine);
			if (gone) return undefined;
			// The line on which an edit within one line starts stays; any other keeps its tail and moves with it.
			const moves = now > endLine || (now === endLine && !(keepsStart && startLine === endLine));
			if (moves) now += newBreaks - (endLine - startLine);
		}
		return now + 1;
	}
}
