// Where V8's positions are in the user's own sources: script names become paths, and source maps are followed where a
// script names one. Files are read ahead, asynchronously; the look-up itself is synchronous.
import { SourceMap, type SourceMapPayload } from 'node:module';
import type { Place } from '../../engine/common/place.ts';
import type { AwaitFacts, LineStretch, SyncCall } from '../../engine/findings/rule.ts';
import { isCompiled } from '../../protocol/compiled-script.ts';
import type { SourceLine, Warning } from '../../protocol/report.ts';
import {
	fileKey,
	isInPackages,
	isOfThisSystem,
	packageFolder,
	pathOfScript,
	pathOfUrl,
	resolveFrom,
	styleOf,
} from '../common/file-paths.ts';
import { plainCause } from '../common/plain-error.ts';
import { type ReadText, type RealPath, readAny } from '../common/read-text.ts';
import type { AwaitOrder, TextStretch } from '../script/await-order.ts';
import type { SyncCalls } from '../script/sync-calls.ts';
import { Importers } from './importers.ts';
import { inlinedAt } from './inlined-function.ts';
import { callsOnly } from './only-call.ts';
import { builtInOn, columnIn, isArgument, isClass, isWithin, nameBefore, runningLine } from './running-line.ts';

interface MappedScript {
	file: string;
	map: SourceMap | null;
	/** Folder that the map's sources are relative to. */
	mapFolder: string;
	/** A script of a package that the user's program needs: nobody cares about problems with its maps. */
	isLibrary: boolean;
	/** Where the script assigns UV_THREADPOOL_SIZE. */
	poolAssignment: { line: number; column: number } | null;
	/** Only of the user's own scripts that name a `…Sync` function. */
	syncCalls: SyncCalls | null;
	/** Only of the user's own scripts with an `await`. */
	awaits: AwaitOrder | null;
	/** Empty where the script cannot be read. */
	text: string;
	/** The lines of a script that may have been compiled in memory, until a position shows that it was. */
	lines: readonly string[] | null;
}

/** Larger scripts are bundles: parsing one would block the editor for a noticeable time. */
const LARGEST_PARSED = 512 * 1024;

/** Farther to the right than any column of a line that a person reads. */
const END_OF_LINE = 10_000;

/** The tail of a script in which its map is named: longer than any path, and an inline map starts in it too. */
const MAP_COMMENT = /^\/\/[#@] sourceMappingURL=(\S+)\s*$/gm;
const TYPESCRIPT = /\.[cm]?ts$/;
const SYNC_NAME = /\wSync\b/;
const AWAIT = /\bawait\b/;
const POOL_ASSIGNMENT = /UV_THREADPOOL_SIZE['"\]]*\s*=(?!=)/;

export class SourcePositions {
	/** Problems with scripts whose map is not available, by script path. */
	readonly mapProblems = new Map<string, Pick<Warning, 'code' | 'message'>>();
	private readonly scripts = new Map<string, MappedScript | null>();
	/** Scripts whose positions were asked for before they were read. */
	private readonly guessed = new Set<string>();
	/** By the files' keys. */
	private readonly texts: ReadonlyMap<string, string>;
	/** By the script that a thread was started with. */
	private readonly importers = new Map<string, Importers>();
	/** The spelling in which each file is shown, by its key: the first that was seen. */
	private readonly spellings = new Map<string, string>();
	private readonly readText: ReadText;
	private readonly realPath: RealPath | null;
	/** The function `resolve`; a new function as soon as its answers may have changed. */
	resolver = this.newResolver();

	/**
	 * @param texts of scripts as they ran, by path, as far as they were recorded
	 * @param read how the others, and maps, are read
	 * @param realPath where a file really is: by that, too, two paths are known to be of one; null where it may not be
	 * read
	 * @param otherPaths those that were found while the program ran
	 */
	constructor(
		texts: ReadonlyMap<string, string> = new Map(),
		read: ReadText = readAny,
		realPath: RealPath | null = null,
		otherPaths: ReadonlyMap<string, string> = new Map(),
	) {
		this.texts = new Map([...texts].map(([file, text]) => [fileKey(file), text]));
		this.readText = read;
		this.realPath = realPath;
		for (const [file, shown] of otherPaths) this.spellings.set(fileKey(file), this.spelled(shown));
	}

	/** As `SessionNotes.otherPaths`. */
	otherPaths(): Map<string, string> {
		const files = [...this.scripts.keys()].map(pathOfScript).filter((file) => file !== null);
		const shown = files.map((file) => [file, this.spelled(file)] as const);
		return new Map(shown.filter(([file, spelling]) => fileKey(file) !== fileKey(spelling)));
	}

	/** Reads the scripts that are new. */
	async load(names: Iterable<string>): Promise<void> {
		for (const name of names) {
			if (this.scripts.has(name)) continue;
			this.scripts.set(name, await this.read(name));
			if (this.guessed.has(name)) this.resolver = this.newResolver();
		}
	}

	/** A position in the user's sources; null for code that is no file, such as `eval`. */
	resolve(position: Place): SourceLine | null {
		const script = this.scripts.get(position.script);
		if (script === undefined) this.guessed.add(position.script);
		if (script === undefined || script === null) {
			const file = pathOfScript(position.script);
			return file === null ? null : { file: this.spelled(file), line: position.line };
		}
		if (script.lines !== null && position.column > 1) this.compare(script, script.lines, position);
		return this.mapped(script, position) ?? { file: script.file, line: position.line };
	}

	/**
	 * The position according to the script's map; null where the map has none that can be shown. A map's content is not
	 * to be trusted.
	 */
	private mapped({ file, map, mapFolder, isLibrary }: MappedScript, { line, column }: Place): SourceLine | null {
		// Whatever ends a line is on that line.
		const entry = map?.findEntry(line - 1, column === 0 ? END_OF_LINE : column - 1);
		if (entry === undefined || !('originalSource' in entry) || !entry.originalSource) return null;
		const { originalSource, originalLine } = entry as { originalSource: unknown; originalLine: unknown };
		const source = typeof originalSource === 'string' ? sourcePath(originalSource, mapFolder) : null;
		// Some packages are published with maps that lead to a folder of theirs beside the package.
		if (isLibrary && source !== null && !source.startsWith(packageFolder(file))) return null;
		if (source !== null && isLine(originalLine)) return { file: this.spelled(source), line: originalLine + 1 };
		if (!isLibrary) {
			this.mapProblems.set(file, {
				code: 'map-unreadable',
				message: `The source map of ${file} points to lines that do not exist here. Such positions are shown in ${file} itself.`,
			});
		}
		return null;
	}

	/** Finds out where the program imports modules that ran. */
	async loadImports(threads: Iterable<{ entry: string; modules: ReadonlySet<string> }>): Promise<void> {
		for (const { entry, modules } of threads) {
			const importers = this.importers.get(entry) ?? new Importers((file) => this.textOf(file));
			this.importers.set(entry, importers);
			await importers.load(pathOfScript(entry) ?? entry, modules);
			await this.load(importers.scriptsTo(modules));
		}
	}

	/** See `StackTexts` in the engine. */
	readonly callsOnly = ({ script, line }: Place, called: string): boolean =>
		callsOnly(this.scripts.get(script)?.text ?? '', line, called);

	/** See `StackTexts` in the engine. */
	readonly importOf = (script: string, entry: string): Place | null => {
		const at = this.importers.get(entry)?.of(script) ?? null;
		return at === null ? null : { script: at.file, line: at.line, column: 0 };
	};

	/** The first loaded script line that assigns UV_THREADPOOL_SIZE. */
	poolAssignment(): SourceLine | null {
		for (const [name, script] of this.scripts) {
			if (script?.poolAssignment) return this.resolve({ script: name, ...script.poolAssignment });
		}
		return null;
	}

	/** Calls of Node's `…Sync` functions in what runs when something that was started there calls back. */
	syncCalls(place: Place): SyncCall[] {
		const { script: name, handler = null } = place;
		const { line, column } = handler ?? place;
		const calls = this.scripts.get(name)?.syncCalls?.behind(line, column, handler === null ? null : place);
		return (calls ?? []).flatMap(({ name: called, isBehindMany, ...at }) => {
			const resolved = this.resolve({ script: name, ...at });
			return resolved === null ? [] : [{ name: called, isBehindMany, ...resolved }];
		});
	}

	/** What is certain of the await that an operation started there is for; null where nothing is. */
	awaits({ script: name, handler, ...at }: Place): AwaitFacts | null {
		const facts = this.scripts.get(name)?.awaits?.around(at) ?? null;
		// A request is not started there.
		if (facts === null || handler !== undefined) return null;
		const { together } = facts;
		const awaits = (together?.awaits ?? []).map((each) => this.resolve({ script: name, ...each }));
		const loop = (facts.loop ?? []).map((each) => this.stretch(name, each));
		return {
			loop: loop.length === 0 || loop.some((each) => each === null) ? null : (loop as LineStretch[]),
			together:
				together === null || awaits.some((each) => each === null)
					? null
					: { awaits: awaits as SourceLine[], index: together.index },
			isChained: facts.isChained,
			ways: facts.ways,
			asksForOthers: facts.asksForOthers,
			atOnce: facts.atOnce,
		};
	}

	/** Null where a map shows no such stretch in one source. */
	private stretch(script: string, { from, to }: TextStretch): LineStretch | null {
		const [first, last] = [this.resolve({ script, ...from }), this.resolve({ script, ...to })];
		if (first === null || last === null || first.file !== last.file || last.line < first.line) return null;
		return { file: first.file, from: first.line, to: last.line };
	}

	/** See `RunningLine` in the engine. */
	readonly runningLine = (
		{ script, ...begin }: Place,
		called: string,
		lines: readonly number[],
		awaited: number,
		library: string,
	): number => runningLine(this.scripts.get(script)?.text ?? '', begin, called, lines, awaited, library);

	/** See `StackTexts` in the engine. */
	readonly isArgument = ({ script, ...begin }: Place): boolean =>
		isArgument(this.scripts.get(script)?.text ?? '', begin);

	/** See `StackTexts` in the engine. */
	readonly isWithin = ({ script, ...begin }: Place, at: Place): boolean =>
		isWithin(this.scripts.get(script)?.text ?? '', begin, at);

	/** See `StackTexts` in the engine. */
	readonly inlinedAt = ({ script, ...begin }: Place, line: number): { name: string; place: Place } | null => {
		const found = inlinedAt(this.scripts.get(script)?.text ?? '', begin, line);
		return found === null ? null : { name: found.name, place: { script, line: found.line, column: found.column } };
	};

	/** See `StackTexts` in the engine: without a map, a column changes nothing. */
	readonly columnIn = ({ script: name, ...begin }: Place, called: string): number => {
		const script = this.scripts.get(name);
		return script?.map ? columnIn(script.text, begin, called) : 0;
	};

	/** See `StackTexts` in the engine. */
	readonly originalName = ({ script: name, ...begin }: Place, shown: string): string => {
		const script = this.scripts.get(name);
		const before = script?.map ? nameBefore(script.text, begin) : null;
		const own = shown.split(/[.\s]/).at(-1);
		if (before === null || before.name !== own) return shown;
		const entry = script!.map!.findEntry(begin.line - 1, before.column - 1) as {
			generatedLine?: unknown;
			generatedColumn?: unknown;
			name?: unknown;
		};
		const isThere = entry.generatedLine === begin.line - 1 && entry.generatedColumn === before.column - 1;
		const original = entry.name;
		return isThere && typeof original === 'string' && WORD.test(original)
			? shown.slice(0, shown.length - own.length) + original
			: shown;
	};

	/** See `StackTexts` in the engine. */
	readonly isClass = ({ script, ...begin }: Place): boolean => isClass(this.scripts.get(script)?.text ?? '', begin);

	/** See `StackTexts` in the engine. */
	readonly builtInOn = ({ script, line }: Place): string => builtInOn(this.scripts.get(script)?.text ?? '', line);

	/** @throws where it cannot be read */
	private async textOf(file: string): Promise<string> {
		return this.texts.get(fileKey(file)) ?? (await this.readHere(file));
	}

	/** A path of another system names another file here, or none. */
	private async readHere(file: string): Promise<string> {
		if (!isOfThisSystem(file)) throw new Error('it is on another system');
		return this.readText(file);
	}

	/** V8's positions are where a token starts: where no token starts in this text, a different text ran. */
	private compare(script: MappedScript, lines: readonly string[], { line, column }: Place): void {
		if (startsToken(lines[line - 1] ?? '', column - 1)) return;
		script.lines = null;
		script.syncCalls = null;
		script.awaits = null;
		this.mapProblems.set(script.file, {
			code: 'map-unknown',
			message: `The source map of ${script.file} is missing, so its lines may be those of the compiled text. Run the program with --enable-source-maps.`,
		});
	}

	/** The spelling of a file in which all its lines are shown: programs, launch configurations and URLs write one path in many ways. */
	private spelled(file: string): string {
		const key = fileKey(file);
		const known = this.spellings.get(key);
		if (known !== undefined) return known;
		this.spellings.set(key, file);
		return file;
	}

	/** As `spelled`, of a file on this machine: drives made by `subst`, short names and links are other paths of one file. */
	private async found(file: string): Promise<string> {
		const key = fileKey(file);
		if (this.realPath !== null && !this.spellings.has(key) && isOfThisSystem(file)) {
			const real = await this.realPath(file).catch(() => file);
			const shown = this.spellings.get(fileKey(real)) ?? file;
			this.spellings.set(key, shown);
			this.spellings.set(fileKey(real), shown);
		}
		return this.spelled(file);
	}

	private newResolver(): (position: Place) => SourceLine | null {
		return (position) => this.resolve(position);
	}

	private async read(name: string): Promise<MappedScript | null> {
		const named = pathOfScript(name);
		if (named === null) return null;
		const file = await this.found(named);
		const { dirname } = styleOf(file);
		const script: MappedScript = {
			file,
			map: null,
			mapFolder: dirname(file),
			isLibrary: isInPackages(file),
			poolAssignment: null,
			syncCalls: null,
			awaits: null,
			text: '',
			lines: null,
		};
		let text: string;
		try {
			text = await this.textOf(file);
		} catch {
			// A script that was deleted, lives on another machine or may not be read keeps V8's positions.
			return script;
		}
		// Bundles are not searched, and may be large.
		if (text.length <= LARGEST_PARSED) script.text = text;
		script.poolAssignment = find(text, POOL_ASSIGNMENT);
		const isOwn = !script.isLibrary;
		if (isOwn && text.length <= LARGEST_PARSED && SYNC_NAME.test(text)) {
			// The parser is loaded with it. A script is parsed when a rule asks about one of its lines.
			const { SyncCalls } = await import('../script/script-search.ts');
			script.syncCalls = new SyncCalls({ text, isTypeScript: TYPESCRIPT.test(file) });
		}
		if (isOwn && text.length <= LARGEST_PARSED && AWAIT.test(text)) {
			const { AwaitOrder } = await import('../script/script-search.ts');
			script.awaits = new AwaitOrder({ text, isTypeScript: TYPESCRIPT.test(file) });
		}
		const url = [...text.matchAll(MAP_COMMENT)].at(-1)?.[1];
		if (url === undefined) {
			if (isOwn && isCompiled(file)) script.lines = text.split('\n');
			return script;
		}
		try {
			const inline = /^data:application\/json[^,]*?(;base64)?,(.*)$/.exec(url);
			if (inline) {
				const json = Buffer.from(inline[2]!, inline[1] ? 'base64' : 'utf8').toString();
				Object.assign(script, mapOf(json, script.mapFolder));
			} else {
				const mapFile = mapFileOf(url, script.mapFolder);
				Object.assign(script, mapOf(await this.readHere(mapFile), dirname(mapFile)));
			}
		} catch (error) {
			// Packages often ship without the maps that their files name; nobody edits those files.
			if (!isOwn) return script;
			this.mapProblems.set(file, {
				code: 'map-unreadable',
				message: `The source map of ${file} cannot be read: ${plainCause(error)}.`,
			});
		}
		return script;
	}
}

/** The address of a script's map. @throws when that is no file that its system could have */
function mapFileOf(url: string, folder: string): string {
	const file = /^file:/i.test(url) ? pathOfUrl(url) : resolveFrom(folder, unescaped(url));
	if (file === null) throw new Error('its name is no path of the system that the program ran on');
	return file;
}

/** Tools that follow the specification escape the name of a map; others write it as it is, and it may contain a percent sign. */
function unescaped(url: string): string {
	try {
		return decodeURIComponent(url);
	} catch {
		return url;
	}
}

/** The first match in a text, 1-based. */
function find(text: string, pattern: RegExp): { line: number; column: number } | null {
	for (const [i, line] of text.split('\n').entries()) {
		const column = line.search(pattern);
		if (column >= 0) return { line: i + 1, column: column + 1 };
	}
	return null;
}

/** @param at 0-based */
function startsToken(line: string, at: number): boolean {
	const isName = (character: string | undefined) => character !== undefined && NAME.test(character);
	return /\S/.test(line[at] ?? '') && !(isName(line[at]) && isName(line[at - 1]));
}
const NAME = /[\p{ID_Continue}$]/u;
/** A name of a map's, which is not to be trusted. */
const WORD = /^#?[\p{ID_Continue}$]{1,200}$/u;

/**
 * A map, and the folder that its sources are relative to.
 * @param folder that of the map itself
 * @throws when it is no map
 */
function mapOf(json: string, folder: string): Pick<MappedScript, 'map' | 'mapFolder'> {
	try {
		const payload = JSON.parse(json) as { sourceRoot?: string | null };
		return { map: new SourceMap(payload as SourceMapPayload), mapFolder: rootOf(payload.sourceRoot ?? '', folder) };
	} catch {
		// The error of JSON or Node means nothing to a person.
		throw new Error('it is no source map');
	}
}

/** @throws when it is no folder's path or URL, or no text at all */
function rootOf(sourceRoot: string, folder: string): string {
	const root = /^file:/i.test(sourceRoot) ? pathOfUrl(sourceRoot) : resolveFrom(folder, sourceRoot);
	if (root === null) throw new Error('its sources are in no folder');
	return root;
}

/** The path of a map's source; null for what is no file of this system. */
function sourcePath(source: string, folder: string): string | null {
	// No path contains a NUL, but escapes in a URL may stand for one.
	if (NO_FILE.test(source)) return null;
	if (!/^file:/i.test(source)) return resolveFrom(folder, source.replace(/^webpack:\/\/[^/]*\//, ''));
	const file = pathOfUrl(source);
	return file !== null && styleOf(file) === styleOf(folder) ? file : null;
}
const NO_FILE = /^(data|blob|https?|node):|\0|^file:.*%00/i;

/** 0-based, and one that V8 could have counted. */
function isLine(line: unknown): line is number {
	return Number.isInteger(line) && (line as number) >= 0 && (line as number) < 2 ** 31 - 1;
}
