// The characters from outside that must never be shown to a person, listed by number: a check that is independent of
// src/protocol/visible-text.ts.

/**
 * First and last code point of each range. What joins emoji and letters (U+200C, U+200D, U+FE0E, U+FE0F) depends on its
 * neighbours and is not listed.
 */
const RANGES: readonly (readonly [number, number])[] = [
	// C0; DEL and C1.
	[0x00, 0x1f],
	[0x7f, 0x9f],
	// Bidi controls and marks.
	[0x61c, 0x61c],
	[0x200e, 0x200f],
	[0x202a, 0x202e],
	[0x2066, 0x2069],
	// Line and paragraph separator.
	[0x2028, 0x2029],
	// Of no width: soft hyphen, grapheme joiner, space, word joiner and invisible operators, byte order mark.
	[0xad, 0xad],
	[0x34f, 0x34f],
	[0x200b, 0x200b],
	[0x2060, 0x2064],
	[0xfeff, 0xfeff],
	// Fillers of Hangul.
	[0x115f, 0x1160],
	[0x3164, 0x3164],
	// Annotations between lines.
	[0xfff9, 0xfffb],
	// Lone surrogates; in this order, because the other order makes a pair.
	[0xdc00, 0xdfff],
	[0xd800, 0xdbff],
	// Tags, which can encode a whole sentence.
	[0xe0001, 0xe0001],
	[0xe0020, 0xe007f],
];

/** One of each: of the long ranges, the first and the last. */
export const HOSTILE_CHARACTERS: readonly string[] = RANGES.flatMap(([first, last]) => {
	const all = Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
	return all.length > 100 ? [all[0]!, all.at(-1)!] : all;
});

export const FORBIDDEN = new RegExp(
	`[${RANGES.map((range) => range.map((point) => `\\u{${point.toString(16)}}`).join('-')).join('')}]`,
	'u',
);

/** The forbidden characters of a text, as `U+202E`. */
export function hiddenIn(text: string): string[] {
	return [...text]
		.filter((character) => FORBIDDEN.test(character))
		.map((character) => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
}
