// The two settings, in effect at once.
import assert from 'node:assert/strict';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { entryOf, fileOf, lineWith, open, setSetting, until, waitline } from './editor.ts';
import { debug, stopAll } from './session.ts';
import { seenLines, seesWindow } from './window.ts';

describe('settings', () => {
	let api: WaitlineApi;

	before(async () => {
		api = await waitline();
		await open(fileOf('modules.mjs'));
	});
	afterEach(async () => {
		await stopAll();
		await setSetting('profileEveryNodeSession', undefined);
		await setSetting('annotations.enabled', undefined);
	});

	it('profileEveryNodeSession decides over sessions without the mark', async () => {
		const before = api.report();
		const plain = await debug('modules.mjs');
		await plain.end();
		assert.equal(api.report(), before);

		await setSetting('profileEveryNodeSession', true);
		const profiled = await debug('modules.mjs');
		await profiled.end();
		await until('the end of the profile', () => api.report() !== before && !api.live());
		const at = lineWith(fileOf('modules.mjs'), "hash('password'");
		assert.equal(entryOf(api.report(), fileOf('modules.mjs'), at, 'crypto.pbkdf2').count, 3);
	});

	it('annotations.enabled hides and shows them', async () => {
		const launch = await debug('modules.mjs', { [PROFILE_MARK]: true });
		await launch.end();
		const annotated = () => api.annotations(fileOf('modules.mjs')).length > 0;
		const seen = async () => !seesWindow || (await seenLines()).some((line) => line.after !== '');
		const unseen = async () => !seesWindow || (await seenLines()).every((line) => line.after === '');
		await until('annotations', async () => annotated() && (await seen()));
		await setSetting('annotations.enabled', false);
		await until('no annotations', async () => !annotated() && (await unseen()));
		await setSetting('annotations.enabled', true);
		await until('annotations again', async () => annotated() && (await seen()));
	});
});
