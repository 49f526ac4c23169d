// Keeps annotations on their lines: the report describes the file as it ran, and the document may have gained, lost or
// moved lines since. It begins by comparing both texts and then follows the edits; a lost line is searched for again by
// its text, so that an undo, a move or a paste brings it back.

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

/** The part of a text document that is needed here. */
export interface TextLines {
	readonly lineCount: number;
	lineAt(line: number): { readonly text: string };
}

const GONE = -1;

export class LineShifts {
	/** Lines as they ran, without indentation: a line that is indented differently is the same code. */
	readonly #ran: readonly string[];
	/** 0-based line in the document, or GONE, of each line as it ran. */
	readonly #now: Int32Array;
	/** Whether lines may have come back since the last search. */
	#unsettled = true;

	/** @param ran the lines of the text that ran */
	constructor(ran: readonly string[], document: TextLines) {
		this.#ran = ran.map((line) => line.trim());
		this.#now = new Int32Array(ran.length).fill(GONE);
		const least = Math.min(ran.length, document.lineCount);
		const same = (line: number, now: number) => this.#ran[line] === document.lineAt(now).text.trim();
		let start = 0;
		while (start < least && same(start, start)) this.#now[start] = start++;
		const shift = document.lineCount - ran.length;
		for (let line = ran.length - 1; line >= start && line + shift >= start && same(line, line + shift); line--) {
			this.#now[line] = line + shift;
		}
	}

	/** Edits of one event: VS Code orders them from the end of the document to its start. */
	add({ startLine, endLine, keepsStart, newBreaks }: LineEdit): void {
		// An edit within a line moves nothing.
		if (endLine === startLine && newBreaks === 0) return;
		this.#unsettled = true;
		const shift = newBreaks - (endLine - startLine);
		const now = this.#now;
		for (let line = 0; line < now.length; line++) {
			const at = now[line]!;
			if (at < startLine) continue;
			if (at < endLine && !(keepsStart && at === startLine)) now[line] = GONE;
			// The line on which an edit within one line starts stays; any other keeps its tail and moves with it.
			else if (at > endLine || (at === endLine && !(keepsStart && startLine === endLine))) now[line] = at + shift;
		}
	}

	/** Finds lines that came back or moved elsewhere. Call it before `current` once edits were added. */
	settle(document: TextLines): void {
		if (!this.#unsettled) return;
		this.#unsettled = false;
		if (!this.#now.includes(GONE)) return;
		const free = this.#freeLines(document);
		for (let line = 0; line < this.#now.length; line++) {
			if (this.#now[line] !== GONE || this.#ran[line] === '') continue;
			const places = free.get(this.#ran[line]!);
			if (places === undefined) continue;
			// The next one if there is one: equal lines keep their order.
			const next = places.findIndex((place) => place > (this.#now[line - 1] ?? GONE));
			this.#now[line] = places.splice(Math.max(next, 0), 1)[0] ?? GONE;
		}
		this.#keepEdited(document);
	}

	/** Lines of the document that no line that ran is on, by their text. */
	#freeLines(document: TextLines): Map<string, number[]> {
		const taken = new Set(this.#now);
		const free = new Map<string, number[]>();
		for (let line = 0; line < document.lineCount; line++) {
			if (taken.has(line)) continue;
			const text = document.lineAt(line).text.trim();
			const places = free.get(text);
			if (places === undefined) free.set(text, [line]);
			else places.push(line);
		}
		return free;
	}

	/** Where there are as many lines as were lost, each of them was edited. */
	#keepEdited(document: TextLines): void {
		const now = this.#now;
		for (let line = 0; line < now.length; line++) {
			if (now[line] !== GONE) continue;
			let end = line;
			while (end < now.length && now[end] === GONE) end++;
			const from = line === 0 ? 0 : now[line - 1]! + 1;
			const to = end === now.length ? document.lineCount : now[end]!;
			if (to - from === end - line) for (let lost = line; lost < end; lost++) now[lost] = from + lost - line;
			line = end;
		}
	}

	/** Where the 1-based line of the program as it ran is now; undefined when it no longer exists. */
	current(line: number): number | undefined {
		const now = this.#now[line - 1] ?? GONE;
		return now === GONE ? undefined : now + 1;
	}

	/** Whether that line's code differs from the code that ran. @param now the text of the line as it is */
	edited(line: number, now: string): boolean {
		return this.#ran[line - 1] !== now.trim();
	}
}
