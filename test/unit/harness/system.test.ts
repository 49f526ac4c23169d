// What `npm test` prints on a system that lacks what the tests need: one sentence, with the command, before anything is
// installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../support/paths.ts';
import { installCommand, missingPieces } from '../../support/system.ts';

describe('what the tests need of the system', () => {
	it('is nothing for steps that start no program of the system', () => {
		assert.deepEqual(missingPieces(['types', 'lint', 'build', 'unit', 'lab']), []);
	});

	it('is installed by a command that names each package', () => {
		const pieces = ['one', 'two'].map((name) => ({ package: name, purpose: 'is tested', isThere: () => false }));
		assert.equal(installCommand(pieces), 'apt-get install --yes --no-install-recommends one two');
	});

	it('is one sentence where nothing may be installed', { skip: process.platform !== 'linux' }, () => {
		// No command is found on an empty PATH, so xz is missing and there is no apt-get.
		const text = `import { provide } from ${JSON.stringify(join(root, 'test/support/system.ts'))};
			provide(['nodecore'], (sentence) => console.log(sentence));`;
		const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
			env: { PATH: '' },
			encoding: 'utf8',
		});
		const command = 'sudo apt-get install --yes --no-install-recommends xz-utils';
		const sentence = `Missing on this system: xz-utils (unpacks Node's own tests). Install on Debian or Ubuntu with: ${command}\n`;
		assert.deepEqual([stdout, stderr], [sentence, '']);
	});
});
