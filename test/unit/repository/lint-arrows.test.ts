// The dependency arrows of the design are lint rules, and a rule that never fired proves nothing. So each forbidden
// import is planted in a copy of the tree's shape, linted with the repository's own configuration, and must turn red with
// our sentence; each arrow that the design allows must stay green.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { root } from '../../support/paths.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** One planted import. */
interface Planted {
	/** The folder, or the file, that must or must not have it. */
	from: string;
	imports: string;
}

const forbidden: (Planted & { message: RegExp })[] = [
	{ from: 'src/protocol', imports: 'node:fs', message: /leaf/ },
	{ from: 'src/protocol', imports: 'vscode', message: /leaf/ },
	{ from: 'src/protocol', imports: '../engine/lines.ts', message: /leaf/ },
	{ from: 'src/engine', imports: 'node:fs', message: /engine is pure/ },
	{ from: 'src/engine', imports: 'vscode', message: /engine is pure/ },
	{ from: 'src/engine', imports: '../host/recording.ts', message: /engine is pure/ },
	{ from: 'src/engine', imports: '../../tracer/recorder.ts', message: /engine is pure/ },
	{ from: 'src/engine/common', imports: '../journal/planted.ts', message: /engine\/common imports src\/protocol/ },
	{ from: 'src/engine/common', imports: 'node:fs', message: /engine\/common imports/ },
	{ from: 'src/engine/journal', imports: '../clocks/planted.ts', message: /engine\/journal imports/ },
	{ from: 'src/engine/clocks', imports: '../lines/planted.ts', message: /engine\/clocks imports/ },
	{ from: 'src/engine/lines', imports: '../operations/planted.ts', message: /engine\/lines imports/ },
	{ from: 'src/engine/operations', imports: '../loop/planted.ts', message: /engine\/operations imports/ },
	{ from: 'src/engine/loop', imports: '../pool/planted.ts', message: /engine\/loop imports/ },
	{ from: 'src/engine/pool', imports: '../requests/planted.ts', message: /engine\/pool imports/ },
	{ from: 'src/engine/requests', imports: '../timeline/planted.ts', message: /engine\/requests imports/ },
	{ from: 'src/engine/timeline', imports: '../connections/planted.ts', message: /engine\/timeline imports/ },
	{ from: 'src/engine/connections', imports: '../threads/planted.ts', message: /engine\/connections imports/ },
	{ from: 'src/engine/threads', imports: '../processes/planted.ts', message: /engine\/threads imports/ },
	{ from: 'src/engine/processes', imports: '../report/planted.ts', message: /engine\/processes imports/ },
	{ from: 'src/engine/report', imports: '../session-model.ts', message: /engine\/report imports/ },
	{ from: 'src/engine/findings', imports: '../threads/planted.ts', message: /engine\/findings imports/ },
	{ from: 'src/engine/findings', imports: 'node:fs', message: /engine\/findings imports/ },
	{ from: 'src/engine/findings', imports: '../../host/recording.ts', message: /engine\/findings imports/ },
	{ from: 'src/engine/compare', imports: '../threads/planted.ts', message: /engine\/compare imports/ },
	{ from: 'src/engine/what-if', imports: '../report/planted.ts', message: /engine\/what-if imports/ },
	{ from: 'src/host', imports: 'vscode', message: /only src\/vscode imports vscode/ },
	{ from: 'src/host', imports: '../vscode/extension.ts', message: /src\/host imports/ },
	{ from: 'src/host', imports: '../webview/main.ts', message: /src\/host imports/ },
	{ from: 'src/host', imports: '../cli.ts', message: /src\/host imports/ },
	{ from: 'src/host', imports: '../cli/planted.ts', message: /src\/host imports/ },
	{ from: 'src/host', imports: '../../tracer/recorder.ts', message: /src\/host imports/ },
	{ from: 'src/host/common', imports: '../recordings/planted.ts', message: /host\/common imports/ },
	{ from: 'src/host/injection', imports: '../script/planted.ts', message: /host\/injection imports/ },
	{ from: 'src/host/injection', imports: 'vscode', message: /host\/injection imports/ },
	{ from: 'src/host/script', imports: '../positions/planted.ts', message: /host\/script imports/ },
	{ from: 'src/host/positions', imports: '../recordings/planted.ts', message: /host\/positions imports/ },
	{ from: 'src/host/recordings', imports: '../sessions/planted.ts', message: /host\/recordings imports/ },
	{ from: 'src/host/sessions', imports: '../engine-thread/planted.ts', message: /host\/sessions imports/ },
	{ from: 'src/host/engine-thread', imports: '../../vscode/extension.ts', message: /host\/engine-thread imports/ },
	{ from: 'src/cli.ts', imports: 'vscode', message: /CLI is host and engine/ },
	{ from: 'src/cli', imports: '../vscode/extension.ts', message: /CLI is host and engine/ },
	{ from: 'src/cli', imports: '../webview/main.ts', message: /CLI is host and engine/ },
	{ from: 'src/cli', imports: '../../tracer/recorder.ts', message: /CLI is host and engine/ },
	{ from: 'src/vscode', imports: '../webview/main.ts', message: /src\/vscode imports/ },
	{ from: 'src/vscode', imports: '../../tracer/recorder.ts', message: /src\/vscode imports/ },
	{ from: 'src/vscode', imports: '../cli.ts', message: /src\/vscode imports/ },
	{ from: 'src/vscode', imports: '../cli/planted.ts', message: /src\/vscode imports/ },
	{ from: 'src/vscode/common', imports: '../sessions/sessions.ts', message: /src\/vscode\/common imports src\/host/ },
	{ from: 'src/vscode/common', imports: '../extension.ts', message: /src\/vscode\/common imports/ },
	{ from: 'src/vscode/sessions', imports: '../debugging/injection.ts', message: /src\/vscode\/sessions imports/ },
	{ from: 'src/vscode/debugging', imports: '../annotations/annotations.ts', message: /src\/vscode\/debugging imports/ },
	{ from: 'src/vscode/debugging', imports: '../../webview/main.ts', message: /src\/vscode\/debugging imports/ },
	{ from: 'src/vscode/debugging', imports: '../api.ts', message: /src\/vscode\/debugging imports/ },
	{ from: 'src/vscode/details', imports: '../annotations/annotations.ts', message: /src\/vscode\/details imports/ },
	{ from: 'src/vscode/annotations', imports: '../findings/findings.ts', message: /src\/vscode\/annotations imports/ },
	{ from: 'src/vscode/findings', imports: '../panel/panel.ts', message: /src\/vscode\/findings imports/ },
	{ from: 'src/vscode/tree', imports: '../panel/panel.ts', message: /src\/vscode\/tree imports/ },
	{ from: 'src/vscode/model-tools', imports: '../panel/panel.ts', message: /src\/vscode\/model-tools imports/ },
	{ from: 'src/vscode/panel', imports: '../extension.ts', message: /src\/vscode\/panel imports/ },
	{ from: 'src/webview', imports: 'vscode', message: /src\/webview imports/ },
	{ from: 'src/webview', imports: 'node:fs', message: /src\/webview imports/ },
	{ from: 'src/webview', imports: '../engine/lines.ts', message: /src\/webview imports/ },
	{ from: 'src/webview', imports: '../host/recording.ts', message: /src\/webview imports/ },
	{ from: 'src/webview/common', imports: '../tables/planted.ts', message: /webview\/common imports/ },
	{ from: 'src/webview/tables', imports: '../views/planted.ts', message: /webview\/tables imports/ },
	{ from: 'src/webview/timeline', imports: '../tables/planted.ts', message: /webview\/timeline imports/ },
	{ from: 'src/webview/views', imports: '../main.ts', message: /webview\/views imports/ },
	{ from: 'src/webview/views', imports: '../../engine/session-model.ts', message: /webview\/views imports/ },
	{ from: 'tracer', imports: 'vscode', message: /tracer imports itself/ },
	{ from: 'tracer', imports: 'some-package', message: /tracer imports itself/ },
	{ from: 'tracer', imports: '../src/engine/lines.ts', message: /tracer imports itself/ },
	{ from: 'tracer', imports: '../src/host/recording.ts', message: /tracer imports itself/ },
	{ from: 'tracer/process', imports: '../sites/site.ts', message: /tracer\/process imports src\/protocol/ },
	{ from: 'tracer/process', imports: 'some-package', message: /tracer\/process imports/ },
	{ from: 'tracer/sites', imports: '../operations/operation.ts', message: /tracer\/sites imports/ },
	{ from: 'tracer/operations', imports: '../run/governor.ts', message: /tracer\/operations imports/ },
	{ from: 'tracer/stacks', imports: '../recorder.ts', message: /tracer\/stacks imports/ },
	{ from: 'tracer/run', imports: '../sources/channels.ts', message: /tracer\/run imports/ },
	{ from: 'tracer/journal', imports: '../run/governor.ts', message: /tracer\/journal imports/ },
	{ from: 'tracer/journal', imports: '../../src/host/recording.ts', message: /tracer\/journal imports/ },
	{ from: 'tracer/sources', imports: '../recorder.ts', message: /tracer\/sources imports/ },
];

const allowed: Planted[] = [
	{ from: 'src/protocol', imports: './report.ts' },
	{ from: 'src/engine', imports: './lines.ts' },
	{ from: 'src/engine', imports: './findings/rule.ts' },
	{ from: 'src/engine', imports: '../protocol/report.ts' },
	{ from: 'src/engine', imports: './threads/thread-model.ts' },
	{ from: 'src/engine/findings', imports: '../common/place.ts' },
	{ from: 'src/engine/threads', imports: '../connections/thread-connections.ts' },
	{ from: 'src/engine/report', imports: '../findings/findings.ts' },
	{ from: 'src/engine/what-if', imports: '../threads/thread-model.ts' },
	{ from: 'src/engine/findings', imports: '../../protocol/report.ts' },
	{ from: 'src/host', imports: 'node:fs' },
	{ from: 'src/host', imports: '../engine/lines.ts' },
	{ from: 'src/host', imports: '../protocol/report.ts' },
	{ from: 'src/host/sessions', imports: '../recordings/recording-file.ts' },
	{ from: 'src/host/sessions', imports: '../../engine/session-model.ts' },
	{ from: 'src/host/script', imports: 'typescript' },
	{ from: 'src/cli', imports: '../host/recording.ts' },
	{ from: 'src/cli', imports: '../engine/lines.ts' },
	{ from: 'src/vscode', imports: 'vscode' },
	{ from: 'src/vscode', imports: '../host/recording.ts' },
	{ from: 'src/vscode', imports: '../engine/lines.ts' },
	{ from: 'src/vscode/panel', imports: 'vscode' },
	{ from: 'src/vscode/panel', imports: '../findings/findings.ts' },
	{ from: 'src/vscode/findings', imports: '../annotations/annotations.ts' },
	{ from: 'src/vscode/findings', imports: '../../engine/findings/rule.ts' },
	{ from: 'src/vscode/sessions', imports: '../../host/sessions/live-session.ts' },
	{ from: 'src/webview', imports: '../protocol/webview.ts' },
	{ from: 'src/webview/common', imports: '@vscode/webview-ui-toolkit' },
	{ from: 'src/webview/timeline', imports: '../common/dom.ts' },
	{ from: 'src/webview/views', imports: '../tables/data-table.ts' },
	{ from: 'src/webview/views', imports: '../../protocol/webview.ts' },
	{ from: 'tracer', imports: '../src/protocol/journal.ts' },
	{ from: 'tracer', imports: 'node:fs' },
	{ from: 'tracer/sites', imports: '../process/stacks.ts' },
	{ from: 'tracer/sources', imports: '../operations/operation.ts' },
	{ from: 'tracer/journal', imports: '../../src/protocol/journal.ts' },
	{ from: 'tracer/stacks', imports: '../journal/writer.ts' },
	{ from: 'tracer/journal', imports: 'node:fs' },
];

/** The ways to write an import that TypeScript knows in a module; a rule that sees only the first is no boundary. */
const spellings: Record<string, (specifier: string) => string> = {
	import: (specifier) => `import { planted } from '${specifier}';\nexport const used = planted;\n`,
	'import type': (specifier) => `import type { Planted } from '${specifier}';\nexport type Used = Planted;\n`,
	'export from': (specifier) => `export { planted } from '${specifier}';\n`,
	'import()': (specifier) => `export const planted = await import('${specifier}');\n`,
};

interface Diagnostic {
	severity: string;
	category: string;
	message: string;
	location?: { path?: string };
}

describe('lint enforces the dependency arrows', () => {
	const plants: Planted[] = [...forbidden, ...allowed];
	/** For each spelling, the complaints by the number of the plant. */
	let complaints: Record<string, Map<number, Diagnostic[]>> = {};

	before(() => {
		complaints = Object.fromEntries(
			Object.entries(spellings).map(([spelling, write]) => [spelling, lintTree(plants, write)]),
		);
	});

	for (const [index, { from, imports, message }] of forbidden.entries()) {
		it(`is red for ${imports} in ${from}`, () => {
			for (const [spelling, byPlant] of Object.entries(complaints)) {
				const found = byPlant.get(index) ?? [];
				assert.deepEqual(
					found.map(({ severity, category }) => `${severity} ${category}`),
					['error lint/style/noRestrictedImports'],
					spelling,
				);
				assert.match(found[0]?.message ?? '', message);
			}
		});
	}

	for (const [index, { from, imports }] of allowed.entries()) {
		it(`is green for ${imports} in ${from}`, () => {
			for (const [spelling, byPlant] of Object.entries(complaints)) {
				assert.deepEqual(byPlant.get(forbidden.length + index) ?? [], [], spelling);
			}
		});
	}

	it('is red for two files of src/engine that import each other, be it their types alone', () => {
		const cycle = [
			{ from: 'src/engine/line.ts', imports: './thread.ts' },
			{ from: 'src/engine/thread.ts', imports: './line.ts' },
		];
		for (const spelling of ['import', 'import type']) {
			const found = [...lintTree(cycle, spellings[spelling]!).values()].flat();
			assert.deepEqual(
				found.map(({ category }) => category),
				['lint/suspicious/noImportCycles', 'lint/suspicious/noImportCycles'],
				spelling,
			);
		}
	});
});

/** Writes every plant into one tree, lints it with our configuration and sorts the complaints by plant. */
function lintTree(plants: Planted[], write: (specifier: string) => string): Map<number, Diagnostic[]> {
	const tree = scratchFolder('arrows');
	const plantAt = new Map<string, number>();
	for (const [index, { from, imports }] of plants.entries()) {
		// A plant in a folder gets a file of its own there; the rules look at the folder.
		const file = from.endsWith('.ts') ? from : `${from}/planted-${index}.ts`;
		mkdirSync(dirname(join(tree, file)), { recursive: true });
		writeFileSync(join(tree, file), write(imports));
		plantAt.set(file, index);
	}
	copyFileSync(join(root, 'biome.json'), join(tree, 'biome.json'));
	const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
	const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'];
	const result = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' });
	assert.equal(result.status, 1, `the linter should be red: ${result.stderr}`);
	const { diagnostics } = JSON.parse(result.stdout) as { diagnostics: Diagnostic[] };
	const found = new Map<number, Diagnostic[]>();
	for (const diagnostic of diagnostics.filter(({ severity }) => severity === 'error')) {
		const path = diagnostic.location?.path ?? '';
		const plant = plantAt.get(path);
		assert.notEqual(plant, undefined, `a complaint about ${path}: ${diagnostic.message}`);
		found.set(plant!, [...(found.get(plant!) ?? []), diagnostic]);
	}
	return found;
}
