// Every command is reachable without a mouse: by the palette, or by a menu that the keyboard opens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../support/paths.ts';

interface MenuItem {
	command: string;
	when?: string;
	group?: string;
}

const { activationEvents, contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	activationEvents: string[];
	contributes: {
		commands: { command: string }[];
		menus: Record<string, MenuItem[]>;
		languageModelTools: { name: string; when?: string }[];
		views: Record<string, { id: string; when?: string }[]>;
		viewsWelcome: { contents: string; when?: string }[];
		configuration: { properties: Record<string, { default: unknown }> };
	};
};

test('every command is in the palette, but the one that Enter runs in the tree', () => {
	const hidden = contributes.menus.commandPalette!.filter(({ when }) => when === 'false');
	assert.deepEqual(
		hidden.map(({ command }) => command),
		['waitline.openLine'],
	);
});

test('only debugging a Node program activates the extension, and its panel after a reload, besides its own commands', () => {
	assert.deepEqual(activationEvents, [
		'onDebugResolve:node',
		'onDebugResolve:pwa-node',
		'onDebugResolve:node-terminal',
		'onWebviewPanel:waitline.panel',
	]);
});

test('views, their welcome texts and the tools for language models have a condition', () => {
	const { languageModelTools, views, viewsWelcome } = contributes;
	for (const each of [...languageModelTools, ...Object.values(views).flat(), ...viewsWelcome]) {
		assert.ok(each.when, JSON.stringify(each));
	}
});

test('every menu item has a condition, and the palette has one for every command', () => {
	for (const { command, when } of Object.values(contributes.menus).flat()) assert.ok(when, command);
	const inPalette = contributes.menus.commandPalette!.map(({ command }) => command);
	assert.deepEqual(inPalette.sort(), contributes.commands.map(({ command }) => command).sort());
});

test('every action in a row of the tree is also in its context menu', () => {
	const items = contributes.menus['view/item/context']!;
	for (const { command, when } of items.filter(({ group }) => group?.startsWith('inline'))) {
		const twin = items.find(
			(each) => each.command === command && each.when === when && !each.group?.startsWith('inline'),
		);
		assert.ok(twin, `${command} has an icon only`);
	}
});

test('every menu item names a command of ours', () => {
	const commands = new Set(contributes.commands.map(({ command }) => command));
	for (const { command } of Object.values(contributes.menus).flat()) assert.ok(commands.has(command), command);
});

test('settings are as calm by default as the editor promises', () => {
	const defaults = Object.entries(contributes.configuration.properties).map(([name, setting]) => [
		name,
		setting.default,
	]);
	const { 'waitline.annotations.updateDelayMs': delay, ...others } = Object.fromEntries(defaults) as Record<
		string,
		unknown
	>;
	assert.ok((delay as number) >= 500);
	assert.equal(others['waitline.keptSessions'], 10);
	assert.equal(others['waitline.codeLens'], false);
	assert.equal(others['waitline.profileEveryNodeSession'], false);
});
