// Every text that a person can see exists in the three languages, with the same places for values; and the settings
// table is what package.json contributes.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SETTINGS, SETTINGS_PREFIX } from '../../../src/protocol/settings.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const LANGUAGES = ['pt-br', 'zh-cn'] as const;

type Texts = Record<string, string>;

function json<T>(file: string): T {
	return JSON.parse(readFileSync(path.join(root, file), 'utf8')) as T;
}

/**
 * The keys of all `l10n.t('…')` calls below src/vscode; a key that is not a literal cannot be translated and is an
 * error.
 */
function codeKeys(): string[] {
	const keys = new Set<string>();
	const folder = path.join(root, 'src/vscode');
	for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
		if (!file.endsWith('.ts')) continue;
		const text = readFileSync(path.join(folder, file), 'utf8');
		for (const call of text.matchAll(/\bl10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|(\S+))/g)) {
			assert.ok(call[1] !== undefined, `${file}: l10n.t(${call[2]} … takes a key that is no literal`);
			keys.add(call[1].replace(/\\(.)/g, '$1'));
		}
	}
	return [...keys].sort();
}

/** The `%key%` references of package.json. */
function manifestKeys(): string[] {
	const text = readFileSync(path.join(root, 'package.json'), 'utf8');
	return [...new Set([...text.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]!))].sort();
}

/** `{0}`, `{1}`… of a text, in order of their numbers. */
function places(text: string): string[] {
	return [...text.matchAll(/\{\d+\}/g)].map((match) => match[0]).sort();
}

function assertComplete(name: string, texts: Texts, keys: string[]): void {
	assert.deepEqual(Object.keys(texts).sort(), keys, `${name}: missing or superfluous keys`);
	for (const [key, text] of Object.entries(texts)) assert.ok(text.trim() !== '', `${name}: "${key}" is empty`);
}

test('the texts of the code are translated', () => {
	const keys = codeKeys();
	assert.ok(keys.length > 50, 'the keys were not found');
	for (const language of LANGUAGES) {
		const name = `l10n/bundle.l10n.${language}.json`;
		const texts = json<Texts>(name);
		assertComplete(name, texts, keys);
		for (const key of keys) assert.deepEqual(places(texts[key]!), places(key), `${name}: places in "${key}"`);
	}
});

test('the texts of package.json are there in every language', () => {
	const keys = manifestKeys();
	assert.ok(keys.length > 5, 'the keys were not found');
	for (const name of ['package.nls.json', ...LANGUAGES.map((language) => `package.nls.${language}.json`)]) {
		assertComplete(name, json<Texts>(name), keys);
	}
});

test('the contributed settings are those of the table', () => {
	const manifest = json<{
		contributes: { configuration: { properties: Record<string, Record<string, unknown>> } };
	}>('package.json');
	const contributed = Object.entries(manifest.contributes.configuration.properties).map(([key, property]) => {
		const schema = ['type', 'default', 'enum', 'minimum', 'scope'].filter((name) => Object.hasOwn(property, name));
		return [key, Object.fromEntries(schema.map((name) => [name, property[name]]))] as const;
	});
	const table = Object.entries(SETTINGS).map(([key, value]) => [`${SETTINGS_PREFIX}.${key}`, { ...value }] as const);
	assert.deepEqual(Object.fromEntries(contributed), Object.fromEntries(table));
});

test('every page of the walkthrough is there in every language, with the same headings in number', () => {
	const { walkthroughs } = json<{
		contributes: { walkthroughs: { steps: { media: { svg?: string; markdown?: string } }[] }[] };
	}>('package.json').contributes;
	const media = walkthroughs.flatMap(({ steps }) => steps.map((step) => step.media));
	const headings = (file: string) => readFileSync(path.join(root, file), 'utf8').match(/^#+ /gm) ?? [];
	for (const { svg, markdown } of media) {
		if (svg !== undefined) assert.match(readFileSync(path.join(root, svg), 'utf8'), /var\(--vscode-/);
		if (markdown === undefined) continue;
		assert.ok(headings(markdown).length > 0, markdown);
		for (const language of LANGUAGES) {
			// VS Code looks for this name itself.
			assert.deepEqual(headings(markdown.replace(/\.md$/, `.nls.${language}.md`)), headings(markdown));
		}
	}
});

test('the walkthrough explains each finding under the title that the finding has', () => {
	const source = readFileSync(path.join(root, 'src/vscode/findings/findings.ts'), 'utf8');
	const titles = [...source.matchAll(/\btitle: l10n\.t\('([^']+)'\)/g)].map((match) => match[1]!);
	assert.ok(titles.length >= 7, `${titles.length} titles`);
	for (const language of ['', ...LANGUAGES]) {
		const texts = language === '' ? undefined : json<Texts>(`l10n/bundle.l10n.${language}.json`);
		const page = language === '' ? 'findings.md' : `findings.nls.${language}.md`;
		const headings = [...readFileSync(path.join(root, 'media/walkthrough', page), 'utf8').matchAll(/^## (.+)$/gm)];
		const expected = titles.map((title) => texts?.[title] ?? title);
		assert.deepEqual(headings.map((match) => match[1]).sort(), expected.sort(), page);
	}
});
