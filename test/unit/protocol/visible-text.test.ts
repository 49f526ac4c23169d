// What comes from outside is shown without hidden characters: seeded random texts, ordinary texts of many scripts, and attacks by name.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { visibleCode, visibleJson, visibleLines, visibleText } from '../../../src/protocol/visible-text.ts';
import { FORBIDDEN, HOSTILE_CHARACTERS, hiddenIn } from '../../support/hidden-characters.ts';
import { random } from '../../support/random.ts';

const SEED = 20;
const TEXTS = 20_000;

const ORDINARY = [
	'src/app.js:12  await fs.readFile(name, "utf8"); // ×2 · ≈1.5 s',
	'C:\\new\\table\\x1b.js',
	'naïve café — “quotes”, œuvre, ß, Ångström, e\u0301',
	'Ελληνικά, русский, українська',
	'日本語のファイル名、漢字　と カナ',
	'简体中文，繁體中文',
	'한국어 파일',
	'עברית: שם קובץ',
	'العربية: ملف النص، می\u200cخواهم خانه\u200cها',
	'हिन्दी, क्\u200dष, राष्\u200cट्र',
	'বাংলা, தமிழ், മലയാളം, සිංහල ක්\u200dෂ',
	'ภาษาไทย, ລາວ, ខ្មែរ, မြန်မာ',
	'emoji 😀 👍🏽 ❤️ ❤️\u200d🔥 👩\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈 👩🏽\u200d💻 1️⃣ 🇧🇷 ⌚\ufe0e',
	'\u00a0\u2003fullwidth ＡＢＣ, 𝒳 𐍈',
];

/** Names of functions and files, with the hidden characters in the places where they deceive. */
const ATTACKS: [string, string][] = [
	['\u001b]0;owned\u0007\u001b[2J', '\\x1b]0;owned\\x07\\x1b[2J'],
	['\u009b31m', '\\x9b31m'],
	['invoice\u202Etxt.js', 'invoice\\u202etxt.js'],
	['a\u2066b\u2069c\u200e\u200f\u061c', 'a\\u2066b\\u2069c\\u200e\\u200f\\u061c'],
	['a\nb\rc\td\u0000\u007f', 'a\\nb\\rc\\td\\x00\\x7f'],
	['a\u2028b\u2029c\u0085', 'a\\u2028b\\u2029c\\x85'],
	['ad\u00admin\u200b\ufeff\u2060\u3164\u034f', 'ad\\xadmin\\u200b\\ufeff\\u2060\\u3164\\u034f'],
	['x\ufe0f', 'x\\ufe0f'],
	['😀\ufe0f a\u200db 👩\u200d', '😀\\ufe0f a\\u200db 👩\\u200d'],
	['\u{e0041}\u{e007f}', '\\u{e0041}\\u{e007f}'],
	['\ud800x\udc00', '\\ud800x\\udc00'],
];

/** Letters, pictures, marks, backslashes and everything that is hidden, at random. */
function randomText(next: () => number): string {
	const pick = (from: readonly string[]) => from[Math.floor(next() * from.length)]!;
	const plain = [
		'a',
		'B',
		'7',
		'#',
		' ',
		'\\',
		'x1b',
		'\\u202e',
		'.',
		'/',
		'é',
		'\u0301',
		'漢',
		'א',
		'ی',
		'क',
		'\u094d',
		'😀',
		'❤',
		'👩',
		'🏽',
		'\u20e3',
	];
	let text = '';
	for (let length = Math.floor(next() * 12); length >= 0; length--) {
		const kind = next();
		text += kind < 0.5 ? pick(plain) : kind < 0.9 ? pick(HOSTILE_CHARACTERS) : codeUnit(next);
	}
	return text;
}

function codeUnit(next: () => number): string {
	return String.fromCharCode(Math.floor(next() * 0x10000));
}

describe('text from outside', () => {
	for (const text of ORDINARY) {
		test(`stays as it is: ${text}`, () => {
			assert.equal(visibleText(text), text);
			assert.equal(visibleJson({ text }), JSON.stringify({ text }));
		});
	}

	for (const [text, shown] of ATTACKS) {
		test(`is spelled out: ${shown}`, () => assert.equal(visibleText(text), shown));
	}

	test(`contains nothing hidden, and does not change when it is shown again (${TEXTS} texts, seed ${SEED})`, () => {
		const next = random(SEED);
		let changed = 0;
		for (let n = 0; n < TEXTS; n++) {
			const text = randomText(next);
			const shown = visibleText(text);
			assert.deepEqual(hiddenIn(shown), [], JSON.stringify(text));
			assert.equal(visibleText(shown), shown, JSON.stringify(text));
			if (shown !== text) changed++;
			assert.deepEqual(hiddenIn(visibleCode(text).replaceAll('\t', '')), []);
			assert.deepEqual(hiddenIn(visibleLines(text).replaceAll('\n', '')), []);
		}
		assert.ok(changed > TEXTS / 2, 'most of them had something to hide');
	});

	test('does not make two names equal, unless one of them spells an escape itself', () => {
		const next = random(SEED);
		const names = new Map<string, string>();
		for (let n = 0; n < TEXTS; n++) {
			const name = randomText(next);
			if (name.includes('\\')) continue;
			const shown = visibleText(name);
			assert.equal(names.get(shown) ?? name, name, shown);
			names.set(shown, name);
		}
		assert.ok(names.size > TEXTS / 4);
	});

	test('means the same as JSON, in one line and in many', () => {
		const next = random(SEED);
		const values = Array.from({ length: 2000 }, () => ({ [randomText(next)]: randomText(next) }));
		for (const indent of [0, 2]) {
			const json = visibleJson(values, indent);
			assert.deepEqual(JSON.parse(json), values);
			assert.deepEqual(hiddenIn(json.replaceAll('\n', '')), []);
		}
	});

	test('the check for hidden characters sees each of them', () => {
		assert.ok(HOSTILE_CHARACTERS.length > 100);
		for (const character of HOSTILE_CHARACTERS) {
			assert.equal(hiddenIn(`a${character}b`).length, 1, character.codePointAt(0)!.toString(16));
			assert.notEqual(visibleText(`a${character}b`), `a${character}b`);
		}
		assert.equal(FORBIDDEN.test('plain text'), false);
	});
});
