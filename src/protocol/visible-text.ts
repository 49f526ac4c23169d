// Text that comes from outside (a program's names, a recording, a file's path or content, an error's message) in a form
// that can safely be shown to a person: what a terminal or a view would obey, or not show at all, is spelled out
// (`\x1b`, `\u202e`). Escape sequences can repaint a terminal, bidi controls can turn `txt.exe` around, invisible
// characters make two names look the same. Every surface calls this for each text that it is about to show; code that
// opens or compares files keeps the text as it is.
//
// The backslash itself stays: Windows paths and source lines are full of it, and a text that is shown twice must not
// grow. So a name that spells an escape in plain letters looks like one that has the character. That hides nothing.

/**
 * Controls (C0, DEL, C1), format characters (bidi, tags, joiners, the byte order mark), line and paragraph separators, lone surrogates, and what
 * fonts draw nothing for (fillers, variation selectors). A few signs of Arabic, Syriac and Kaithi count as format characters and are seen.
 */
const HIDDEN =
	'(?![\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}])' +
	'[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}]';

/** One picture; it may select its other look, where it has two, or a skin colour. */
const EMOJI =
	'(?:(?!\\p{Emoji_Presentation})\\p{Extended_Pictographic}\\uFE0F' +
	'|(?=\\p{Extended_Pictographic})\\p{Emoji_Presentation}\\uFE0E' +
	'|\\p{Extended_Pictographic}\\p{Emoji_Modifier}?)';

/**
 * Signs after which a joiner determines how two letters of a Brahmic script join: their words cannot be written without
 * it (RFC 5892, A.1 and A.2).
 */
const VIRAMA = '[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA\\u1039\\u17D2]';

/** Letters that change their shape where a non-joiner separates them, as in most Persian plurals. */
const CURSIVE = '[\\p{Script=Arabic}\\p{Script=Syriac}]';

/** Uses of hidden characters whose effect a reader sees, and that ordinary text has. */
const SEEN = [
	`${EMOJI}(?:\\u200D${EMOJI})*`,
	// Keycaps.
	'[0-9#*]\\uFE0F\\u20E3',
	`(?<=${VIRAMA})[\\u200C\\u200D](?=\\p{L})`,
	`(?<=\\p{L}\\p{M}*)(?<=${CURSIVE})\\u200C(?=\\p{L})(?=${CURSIVE})`,
].join('|');

const ANY_HIDDEN = new RegExp(HIDDEN, 'u');
/** Captures what must be spelled out, and steps over what is visible. */
const HIDDEN_OR_SEEN = new RegExp(`${SEEN}|(${HIDDEN})`, 'gu');

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A name or a sentence: in one line, with no invisible characters. Applying it twice changes nothing more. */
export function visibleText(text: string): string {
	return spelled(text, '', escapeOf);
}

/** The same for a line of source code, which keeps its tabs. */
export function visibleCode(line: string): string {
	return spelled(line, '\t', escapeOf);
}

/** The same for a text of several lines. */
export function visibleLines(text: string): string {
	return spelled(text, '\n', escapeOf);
}

/**
 * A value as JSON that can be printed: `JSON.stringify` leaves C1, bidi controls and separators as they are. The result
 * means the same value.
 * @param indent of each level, in spaces; 0: all in one line
 */
export function visibleJson(value: object, indent = 0): string {
	// Line breaks within strings are already escaped; those that are left are between the lines of the JSON.
	return spelled(JSON.stringify(value, null, indent), '\n', jsonEscapeOf);
}

/** @param stays a hidden character that is kept, or none */
function spelled(text: string, stays: string, spell: (hidden: string) => string): string {
	if (!ANY_HIDDEN.test(text)) return text;
	return text.replace(HIDDEN_OR_SEEN, (whole, hidden: string | undefined) =>
		hidden === undefined || hidden === stays ? whole : spell(hidden),
	);
}

/** As JavaScript would write it in a string. */
function escapeOf(hidden: string): string {
	const short = SHORT[hidden];
	if (short !== undefined) return short;
	const hex = hidden.codePointAt(0)!.toString(16);
	if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
	return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/** JSON knows code units only. */
function jsonEscapeOf(hidden: string): string {
	return hidden
		.split('')
		.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');
}
