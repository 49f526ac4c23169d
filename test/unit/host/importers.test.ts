// Which line of the user's imports a module.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import test from 'node:test';
import { importsIn } from '../../../src/host/positions/import-text.ts';
import { Importers } from '../../../src/host/positions/importers.ts';

const PACKAGES = '/app/node_modules/';

/** The lines at which scripts are imported, as `file:line`, in a program of these files. */
async function importers(files: Record<string, string>, scripts: string[], entry = '/app/main.mjs') {
	const found = new Importers(async (file) => {
		const text = files[file];
		if (text === undefined) throw new Error('no such file');
		return text;
	});
	await found.load(entry, scripts);
	const names = [...found.scriptsTo(scripts)].map((file) => basename(file));
	return scripts.map((script) => {
		const at = found.of(script);
		assert.ok(at === null || names.includes(basename(at.file)), 'it is among the scripts to load');
		return at === null ? null : `${basename(at.file)}:${at.line}`;
	});
}

test('imports are found in all their forms, and in no text or comment', () => {
	const text = [
		'#!/usr/bin/env node',
		"import 'a';",
		'import b, { type T, c as d } from "b"; // import \'no\'',
		"import * as e from './e.js'",
		'import {',
		'	f,',
		"} from 'f';",
		"export { g } from 'g'; export * from 'h';",
		"import type { I } from 'no';",
		"import json from './k.json' with { type: 'json' };",
		"const lazy = () => import('l');",
		"const text = \"import 'no'\"; import.meta.url; x.import('no'); export const from = 'no';",
		"const m = require('m'); export default function n() { return 'no'; }",
		"export type { O } from 'no'; import type from 'p'; import type, { q } from 'q';",
		"export class R {}\nexport { g as s }\nimport t, * as u from 't';",
	].join('\n');
	assert.deepEqual(
		importsIn(text).map(({ named, line, kind }) => `${named}:${line} ${kind[0]}`),
		[
			'a:2 s',
			'b:3 s',
			'./e.js:4 s',
			'f:5 s',
			'g:8 s',
			'h:8 s',
			'./k.json:10 s',
			'l:11 d',
			'm:13 r',
			'p:14 s',
			'q:14 s',
			't:17 s',
		],
	);
});

test('a module belongs to the first import that runs', async () => {
	const files = {
		'/app/main.mjs': "import './first.mjs';\nimport lodash from 'lodash';\nimport './second.js';\n",
		'/app/first.mjs': "\n\nimport _ from 'lodash/fp';\nimport './main.mjs';\n",
		'/app/second.ts': "import { z } from '@scope/z/lib';\n",
	};
	const scripts = [
		`${PACKAGES}lodash/lodash.js`,
		'/app/first.mjs',
		'/app/second.ts',
		`${PACKAGES}@scope/z/z.js`,
		`${PACKAGES}x/x.js`,
	];
	assert.deepEqual(await importers(files, scripts), ['first.mjs:3', 'main.mjs:1', 'main.mjs:3', 'second.ts:1', null]);
});

test('what several `import()` may have loaded first is not known, unless it is imported at the start', async () => {
	const files = {
		'/app/main.mjs': "import 'early';\nawait import('./a.mjs');\nawait import('./b.mjs');\nawait import('early');\n",
		'/app/a.mjs': "import 'both';\nimport './shared.mjs';\nimport 'only';\n",
		'/app/b.mjs': "import 'both';\nimport './shared.mjs';\n",
		'/app/shared.mjs': "import 'deep';\n",
	};
	const scripts = ['early', 'both', 'only', 'deep'].map((name) => `${PACKAGES}${name}/index.js`);
	const own = ['/app/a.mjs', '/app/b.mjs', '/app/shared.mjs'];
	assert.deepEqual(await importers(files, [...scripts, ...own]), [
		...['main.mjs:1', null, 'a.mjs:3', 'shared.mjs:1'],
		...['main.mjs:2', 'main.mjs:3', null],
	]);
});

test('a package that only packages need belongs to the import that leads to it, where that is one', async () => {
	const needs = (...names: string[]) =>
		JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1'])) });
	const files = {
		'/app/main.mjs': "import 'web';\nimport 'jobs';\n",
		[`${PACKAGES}web/package.json`]: needs('router', 'bytes'),
		[`${PACKAGES}jobs/package.json`]: needs('bytes', 'web-less'),
		[`${PACKAGES}router/package.json`]: needs('paths', 'web'),
		[`${PACKAGES}bytes/package.json`]: 'not JSON',
	};
	const scripts = ['paths', 'bytes', 'elsewhere'].map((name) => `${PACKAGES}${name}/index.js`);
	assert.deepEqual(await importers(files, scripts), ['main.mjs:1', null, null]);
});

test('CommonJS leads to what it imports, and a program that is itself a package to nothing', async () => {
	const files = {
		'/app/main.cjs': "const start = require('./start');\n",
		'/app/start.js': "exports.late = () => import('late');\n",
		[`${PACKAGES}tool/cli.mjs`]: "import 'late';\n",
	};
	const late = [`${PACKAGES}late/index.js`];
	assert.deepEqual(await importers(files, late, '/app/main.cjs'), ['start.js:1']);
	assert.deepEqual(await importers(files, late, `${PACKAGES}tool/cli.mjs`), [null]);
});

test('own names of a package lead where its package.json says', async () => {
	const imports = {
		'#db': { types: './no.ts', node: { import: './src/db.mjs' } },
		'#lib/*': './src/*.mjs',
		'#log': 'pino',
		'#none': null,
	};
	const files = {
		'/app/src/main.mjs': "import '#db';\nimport '#lib/tools';\nimport '#log';\nimport '#none';\n",
		'/app/package.json': JSON.stringify({ imports }),
		'/app/src/db.mjs': "import 'pg';\n",
		'/app/src/tools.mjs': '',
	};
	const scripts = [`${PACKAGES}pg/index.js`, '/app/src/db.mjs', '/app/src/tools.mjs', `${PACKAGES}pino/pino.js`];
	assert.deepEqual(await importers(files, scripts, '/app/src/main.mjs'), [
		'db.mjs:1',
		'main.mjs:1',
		'main.mjs:2',
		'main.mjs:3',
	]);
});

test('a program may be started by its folder, or without the end of its name', async () => {
	const files = {
		'/app/src/main.js': "import 'pg';\n",
		'/app/package.json': '{ "main": "src/main" }',
		'/app/index.js': "\nimport 'pg';\n",
	};
	const pg = [`${PACKAGES}pg/index.js`];
	assert.deepEqual(await importers(files, pg, '/app'), ['main.js:1']);
	assert.deepEqual(await importers(files, pg, '/app/src/main'), ['main.js:1']);
	assert.deepEqual(await importers({ ...files, '/app/package.json': '{}' }, pg, '/app'), ['index.js:2']);
	assert.deepEqual(await importers(files, pg, '/gone'), [null]);
});
