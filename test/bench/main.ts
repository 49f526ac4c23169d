// `npm run bench`: every benchmark in turn, or `npm run bench -- cost engine` for some. Each is a program that prints
// Markdown and prints its progress on stderr; what it prints becomes its chapter of RESULTS.md, and the other chapters
// stay. Options are handed on to the cost benchmark: `npm run bench -- cost --node 20 --node 22` (all of them:
// cost/main.ts).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join, relative } from 'node:path';
import { root } from '../support/paths.ts';

const folder = import.meta.dirname;
const results = join(folder, 'RESULTS.md');

interface Benchmark {
	/** Of the chapter in RESULTS.md, which `npm run bench` finds by it. */
	title: string;
	/** Main programs are `main.ts` of the folder. */
	folder: string;
	/** Whether it prints columns of text and not Markdown. */
	isText?: boolean;
	takesOptions?: boolean;
}

const benchmarks: Record<string, Benchmark> = {
	cost: { title: 'What profiling costs', folder: 'cost', takesOptions: true },
	budget: { title: 'Whether the budget is kept', folder: 'budget', takesOptions: true },
	sampling: { title: 'What stack samples cost', folder: 'sampling', takesOptions: true },
	truth: { title: 'How far the split of pool waits is from what libuv did', folder: 'truth', isText: true },
	origins: { title: 'Whether operations stand on the line that started them', folder: 'origins' },
	loss: { title: 'What is lost of a program that is killed', folder: 'loss' },
	engine: { title: 'How fast a journal is read', folder: 'engine' },
	timeline: { title: 'How the timeline of a long recording behaves', folder: 'timeline' },
	'what-if': { title: 'How close what if comes for whole servers', folder: 'what-if' },
	messages: { title: 'What the panel is sent while a program runs', folder: 'messages' },
	opening: { title: 'How long it takes to open a long recording', folder: 'opening' },
	cluster: { title: 'What a cluster costs the extension host', folder: 'cluster' },
	debugger: { title: 'What a debug session costs', folder: 'debugger' },
	editor: { title: 'What it costs the editor', folder: 'editor' },
};

function run({ title, folder: name, isText, takesOptions }: Benchmark, options: string[]): boolean {
	console.error(`\n━━ ${title} ━━`);
	const file = join(folder, name, 'main.ts');
	const { stdout, status } = spawnSync(process.execPath, [file, ...(takesOptions ? options : [])], {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
		maxBuffer: 2 ** 24,
	});
	console.log(stdout);
	if (status !== 0) return false;
	const text = isText ? `\`\`\`\n${stdout.trim()}\n\`\`\`` : stdout.trim();
	const today = new Date().toISOString().slice(0, 10);
	const machine = `${os.cpus().length} cores (${os.cpus()[0]?.model.trim()}), ${os.type()} ${os.release()}, ${today}`;
	writeChapter(title, `${machine}.\n\n${text}`);
	return true;
}

/** Replaces a chapter of RESULTS.md, or adds it. */
function writeChapter(title: string, text: string): void {
	const [head = '', ...chapters] = readFileSync(results, 'utf8').split(/^(?=## )/m);
	const chapter = `## ${title}\n\n${text}\n\n`;
	const at = chapters.findIndex((other) => other.startsWith(`## ${title}\n`));
	if (at < 0) chapters.push(chapter);
	else chapters[at] = chapter;
	writeFileSync(results, `${[head, ...chapters].map((part) => part.trim()).join('\n\n')}\n`);
}

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const names = firstOption < 0 ? args : args.slice(0, firstOption);
const options = firstOption < 0 ? [] : args.slice(firstOption);
const unknown = names.find((name) => !Object.hasOwn(benchmarks, name));
if (unknown !== undefined) {
	console.error(`There is no benchmark "${unknown}". Benchmarks: ${Object.keys(benchmarks).join(', ')}.`);
	process.exit(2);
}
const chosen = Object.values(benchmarks).filter(
	({ folder: name }) => (names.length === 0 || names.includes(name)) && existsSync(join(folder, name, 'main.ts')),
);
const failed = chosen.filter((benchmark) => !run(benchmark, options)).map(({ folder: name }) => name);
console.error(
	failed.length === 0
		? `\nWrote ${relative(root, results)}.`
		: `\nNot measured: ${failed.join(', ')}; what ${relative(root, results)} says of them is older.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
