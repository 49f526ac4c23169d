// Which line of the user's imports a module: found by reading the program's own scripts as Node does, from the one that was started.
import { packageOf } from '../../protocol/blame.ts';
import { fileKey, isInPackages, resolveFrom, styleOf } from '../common/file-paths.ts';
import { importsIn } from './import-text.ts';
import { mainIn, ownImportIn } from './package-manifest.ts';

/** Larger programs are bundled: reading that many scripts of the user's takes less than a second. */
const MOST_SCRIPTS = 1000;
/** The most packages whose needs are looked up. */
const MOST_PACKAGES = 500;
/** A larger script is a bundle: it has no imports left that cost time. */
const LARGEST = 512 * 1024;

/** What a path without its end, or with that of the compiled script, may stand for. */
const ENDS = ['', '.ts', '.js', '.mjs', '.cjs', '.mts', '.tsx', '.jsx', '/index.js', '/index.ts'];
/** The source that a path with such an end may stand for, where a loader compiles it. */
const SOURCES: [RegExp, string[]][] = [
	[/\.js$/, ['.ts', '.tsx']],
	[/\.mjs$/, ['.mts']],
	[/\.cjs$/, ['.cts']],
	[/\.jsx$/, ['.tsx']],
];

/** The position of an import; its file is a path. */
export interface Importer {
	file: string;
	line: number;
}

/** A script that is there. */
interface FoundScript {
	file: string;
	/** Null where it was read before. */
	text: string | null;
}

/** `packages` by their names. */
interface ImportersFound {
	/** By the files' keys; null where it is unknown which of several `import()` came first. */
	readonly files: Map<string, Importer | null>;
	readonly packages: Map<string, Importer | null>;
}

export class Importers {
	private readonly read: (file: string) => Promise<string>;
	private readonly found: ImportersFound = { files: new Map(), packages: new Map() };
	/** The keys of scripts that were read, and of those that this program was started with. */
	private readonly seen = new Set<string>();
	private isRead = false;
	private readonly needs = new Map<string, Promise<readonly string[]>>();
	/** By the folder and name of a package that no script of the user's names. */
	private readonly indirect = new Map<string, Importer | null>();

	/** @param read throws where there is no such file */
	constructor(read: (file: string) => Promise<string>) {
		this.read = read;
	}

	/** @param entry the script that a thread was started with @param scripts those that ran because others import them */
	async load(entry: string, scripts: Iterable<string>): Promise<void> {
		if (!this.isRead) {
			this.isRead = true;
			const start = isInPackages(entry) ? null : await this.startOf(entry);
			if (start !== null) await this.add(start);
		}
		await this.learn(scripts);
	}

	/** The scripts by which these came to run, up to the one that was started. */
	scriptsTo(scripts: Iterable<string>): Set<string> {
		const found = new Set<string>();
		for (const script of scripts) {
			let at = this.of(script);
			while (at !== null && !found.has(at.file)) {
				found.add(at.file);
				at = this.of(at.file);
			}
		}
		return found;
	}

	/** Reads what the script imports that a thread was started with. */
	private async add(entry: FoundScript): Promise<void> {
		let waiting = await this.follow(entry, this.found);
		// What runs before any `import()` can be reached is known; of several of these nobody knows which comes first.
		while (waiting.length > 0) {
			const all = waiting;
			waiting = [];
			const trees: ImportersFound[] = [];
			for (const { named, at } of all) {
				const tree: ImportersFound = { files: new Map(), packages: new Map() };
				waiting.push(...(await this.note(named, at, tree)));
				trees.push(tree);
			}
			for (const kind of ['files', 'packages'] as const) {
				const merged = new Map<string, Importer | null>();
				for (const tree of trees) {
					for (const [key, at] of tree[kind])
						merged.set(key, merged.has(key) && !isSame(merged.get(key)!, at) ? null : at);
				}
				for (const [key, at] of merged) if (!this.found[kind].has(key)) this.found[kind].set(key, at);
			}
		}
	}

	/** Finds out about the packages that some of these scripts are in, where no script of the user's names them. */
	private async learn(scripts: Iterable<string>): Promise<void> {
		for (const script of scripts) {
			const name = packageOf(script);
			const root = rootOf(script);
			const key = `${root}\n${name}`;
			if (name === '' || this.found.packages.has(name) || this.indirect.has(key)) continue;
			this.indirect.set(key, null);
			const by: Importer[] = [];
			for (const [own, at] of this.found.packages)
				if (at !== null && (await this.leadsTo(name, own, root))) by.push(at);
			// Of several, it is not known which one had it loaded.
			if (by.length === 1) this.indirect.set(key, by[0]!);
		}
	}

	/** The user's line by which that script came to run; null where that is not known. @param script a path */
	of(script: string): Importer | null {
		const name = packageOf(script);
		if (name === '') return this.found.files.get(fileKey(script)) ?? null;
		return this.found.packages.get(name) ?? this.indirect.get(`${rootOf(script)}\n${name}`) ?? null;
	}

	/** Reads a script and, in the order in which they run, those that it imports. @returns what may be imported later */
	private async follow({ file, text }: FoundScript, into: ImportersFound): Promise<{ named: string; at: Importer }[]> {
		const key = fileKey(file);
		if (text === null || this.seen.has(key) || this.seen.size >= MOST_SCRIPTS) return [];
		this.seen.add(key);
		if (text.length > LARGEST) return [];
		const later: { named: string; at: Importer }[] = [];
		for (const { named, line, kind } of importsIn(text)) {
			const at = { file, line };
			if (kind === 'dynamic') later.push({ named, at });
			else if (kind === 'static') later.push(...(await this.note(named, at, into)));
			else later.push(...(await this.require(named, file, into)));
		}
		return later;
	}

	/** A line imports that, unless an earlier one did. @returns as `follow` */
	private async note(named: string, at: Importer, into: ImportersFound): Promise<{ named: string; at: Importer }[]> {
		const own = named.startsWith('#') ? await this.ownImport(named, at.file) : null;
		const path = own === null ? pathOf(named, at.file) : pathOf(own.target, own.manifest);
		if (path === null) {
			const name = packageNamed(own === null ? named : own.target);
			if (name !== '' && !this.found.packages.has(name) && !into.packages.has(name)) into.packages.set(name, at);
			return [];
		}
		const script = await this.fileAt(path);
		if (script === null) return [];
		const key = fileKey(script.file);
		if (!this.found.files.has(key) && !into.files.has(key)) into.files.set(key, at);
		return this.follow(script, into);
	}

	/** What a script requires is on the stack, but that may import as well. */
	private async require(named: string, by: string, into: ImportersFound): Promise<{ named: string; at: Importer }[]> {
		const path = pathOf(named, by);
		const script = path === null ? null : await this.fileAt(path);
		return script === null ? [] : this.follow(script, into);
	}

	/** The script that a program was started by: Node takes a folder, and leaves out what a name ends in. */
	private async startOf(entry: string): Promise<FoundScript | null> {
		const script = await this.fileAt(entry);
		if (script !== null && !/[\\/]index\.[jt]s$/.test(script.file.slice(entry.length))) return script;
		const manifest = await this.textOf(styleOf(entry).join(entry, 'package.json'));
		const main = manifest === null ? null : resolveFrom(entry, mainIn(manifest));
		return (main === null ? null : await this.fileAt(main)) ?? script;
	}

	/** What the nearest package.json says that a name with `#` stands for. */
	private async ownImport(named: string, file: string): Promise<{ target: string; manifest: string } | null> {
		const { dirname, join } = styleOf(file);
		for (let folder = dirname(file); ; folder = dirname(folder)) {
			const manifest = join(folder, 'package.json');
			const text = await this.textOf(manifest);
			const target = text === null ? null : ownImportIn(text, named);
			if (text !== null) return target === null ? null : { target, manifest };
			if (dirname(folder) === folder) return null;
		}
	}

	private textOf(file: string): Promise<string | null> {
		return this.read(file).catch(() => null);
	}

	private async fileAt(path: string): Promise<FoundScript | null> {
		const sources = SOURCES.flatMap(([end, others]) =>
			end.test(path) ? others.map((other) => path.replace(end, other)) : [],
		);
		for (const file of [path, ...sources, ...ENDS.slice(1).map((end) => path + end)]) {
			if (isInPackages(file)) return null;
			if (this.seen.has(fileKey(file))) return { file, text: null };
			const text = await this.textOf(file);
			if (text !== null) return { file, text };
		}
		return null;
	}

	/** Whether a package needs another one, or one that needs it does. */
	private async leadsTo(wanted: string, from: string, root: string): Promise<boolean> {
		const seen = new Set([from]);
		for (const name of seen) {
			if (name === wanted) return true;
			if (seen.size > MOST_PACKAGES) return false;
			for (const needed of await this.needsOf(name, root)) seen.add(needed);
		}
		return false;
	}

	private needsOf(name: string, root: string): Promise<readonly string[]> {
		const file = `${root}${name}/package.json`;
		let needs = this.needs.get(file);
		if (needs === undefined) {
			needs = this.read(file)
				.then(neededIn)
				.catch(() => []);
			this.needs.set(file, needs);
		}
		return needs;
	}
}

function neededIn(text: string): string[] {
	const { dependencies, peerDependencies } = JSON.parse(text) as Record<string, unknown>;
	return [dependencies, peerDependencies].flatMap((all) =>
		all === null || typeof all !== 'object' ? [] : Object.keys(all),
	);
}

/** The path that a module's name in that script leads to; null for the name of a package or of a module of Node's. */
function pathOf(named: string, file: string): string | null {
	const plain = named.replace(/[?#].*$/s, '');
	if (!/^(?:\.{1,2}(?:[\\/]|$)|[\\/])/.test(plain)) return null;
	return resolveFrom(styleOf(file).dirname(file), plain);
}

/** The package that a module's name is in; empty where it is none, such as `node:fs` and `#own`. */
function packageNamed(named: string): string {
	return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?=$|\/)/.exec(named)?.[0] ?? '';
}

/** The folder of the outermost packages that a script of one belongs to. */
function rootOf(script: string): string {
	return /^.*?[\\/]node_modules[\\/]/.exec(script)?.[0] ?? '';
}

function isSame(a: Importer | null, b: Importer | null): boolean {
	return a?.file === b?.file && a?.line === b?.line;
}
