// The colours that the manifest contributes: each text of ours can be read on each background that we may put behind it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { contrast, LEAST_CONTRAST } from '../../support/contrast.ts';
import { root } from '../../support/paths.ts';

interface Color {
	id: string;
	defaults: Record<Kind, string>;
}

/** Of VS Code's default themes, `editor.background`. */
const EDITOR_BACKGROUNDS = {
	dark: '#1f1f1f',
	light: '#ffffff',
	highContrast: '#000000',
	highContrastLight: '#ffffff',
} as const;
type Kind = keyof typeof EDITOR_BACKGROUNDS;

const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	contributes: { colors: Color[] };
};
const colors = (part: string) => contributes.colors.filter(({ id }) => id.includes(part));

test('every colour has a default in each kind of theme', () => {
	for (const { id, defaults } of contributes.colors) {
		assert.deepEqual(Object.keys(defaults).sort(), Object.keys(EDITOR_BACKGROUNDS).sort(), id);
		for (const color of Object.values(defaults)) assert.match(color, /^#[0-9a-f]{6}([0-9a-f]{2})?$/i, id);
	}
});

for (const kind of Object.keys(EDITOR_BACKGROUNDS) as Kind[]) {
	test(`texts can be read on the heat of lines in ${kind} themes`, () => {
		const [texts, heats] = [colors('Foreground'), colors('heatBackground')];
		assert.deepEqual([texts.length, heats.length], [3, 4]);
		for (const text of texts) {
			for (const heat of heats) {
				const behind = blended(heat.defaults[kind], EDITOR_BACKGROUNDS[kind]);
				const ratio = contrast(channels(text.defaults[kind]), behind);
				assert.ok(ratio >= LEAST_CONTRAST, `${text.id} on ${heat.id}: ${ratio.toFixed(2)}`);
			}
		}
	});
}

/** Red, green and blue, 0 to 255, of `#rrggbb` or `#rrggbbaa`. */
function channels(color: string): number[] {
	return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** The visible colour where one with alpha, its last part, lies on an opaque one. */
function blended(color: string, behind: string): number[] {
	const alpha = Number.parseInt(color.slice(7, 9), 16) / 255;
	const below = channels(behind);
	return channels(color).map((value, at) => value * alpha + below[at]! * (1 - alpha));
}
