// Who computed while a loop was blocked: the samples of a block, added up by function.
import { mostOrParts, packageOf } from '../../protocol/blame.ts';
import type { Culprit, CulpritLine } from '../../protocol/report.ts';
import { NAMELESS, type Place, type Resolve, type StackTexts } from '../common/place.ts';
import { sum } from '../common/sums.ts';
import { completedStacks } from './cut-stacks.ts';
import type { LoopBlock, StackTime } from './loop-block.ts';
import { isModuleCode, type SampledFrame, type SampledStack } from './stack-samples.ts';

/** The most functions named; a reader cares about the first few. */
const MOST = 8;
/** A smaller share of a block is chance: with a sample every 20 ms it is less than one sample of 400 ms. */
const LEAST_SHARE = 0.05;
/** Of hundreds of functions none has such a share; what three samples found, in µs, is no chance either. */
const LEAST_US = 50_000;

/** Scripts followed from one that was loaded to those that import it. */
const MOST_IMPORTS = 20;

/** Functions of Node's whose own name is not the one that a program calls; all the synchronous functions of zlib share one. */
const SHOWN_APIS = new Map([
	// What makes the text of `error.stack`, when that is read.
	['prepareStackTraceCallback', 'error.stack'],
	['prepareStackTrace', 'error.stack'],
	['syncBufferWrapper', 'zlib'],
	['signOneShot', 'sign'],
	['verifyOneShot', 'verify'],
	// They only note what is to be called: V8 gives them time of the function around them when it has inlined what that calls.
	['nextTick', ''],
	['queueMicrotask', ''],
	// A loop that reads a clock until it is time computes itself.
	['now', ''],
	['hrtime', ''],
	['hrtimeBigInt', ''],
]);

/** A function that had called another one, which is above it on the stack. */
interface SampledCall {
	caller: SampledFrame;
	called: SampledFrame;
}

/** How long each call was on the stack, in µs; by what called and was called. */
type CallTimes = Map<string, { call: SampledCall; us: number }>;

/** What ran on some lines of a function. */
interface RunningFrame {
	frame: SampledFrame;
	/** Node's function that it had called; empty where it ran itself. */
	api: string;
	us: number;
	/** The nearest of the user's functions that had called it. */
	callers: CallTimes;
}

/**
 * The time of one function, or of all functions of a package that the same function of the user's had called. In µs.
 */
interface Sum {
	self: number;
	total: number;
	collection: number;
	/** Of `self`, by function, lines and Node's function: the busiest gives the sum its name and line. A caller has one of no time. */
	readonly frames: Map<string, RunningFrame>;
	/** Of `self`, by Node's function that was called. */
	readonly apis: Map<string, number>;
	/** Functions that it had called: the one that took longest determines its line where it computed nothing itself. */
	readonly calls: CallTimes;
	/** The nearest of the user's functions that had called it. */
	readonly callers: CallTimes;
}

/** What is read of a block. */
type SampledBlock = Pick<LoopBlock, 'duration' | 'collectedUs' | 'place' | 'isMain'> & {
	readonly stacks: ReadonlyMap<SampledStack, StackTime>;
};

/**
 * @param block its stacks represent all of its time, whatever they add up to
 * @param entry the script that the thread was started with
 * @param texts searches the text, since V8 gives the line of the innermost function only, and makes up names
 * @returns those that computed, the most time first, then those of the user's functions that had called them
 */
export function culpritsOf(block: SampledBlock, entry: string, resolve: Resolve, texts: StackTexts): Culprit[] {
	const { stacks, duration, place, isMain } = block;
	const lineOf: LineOf = (frame, called, library) => placeOf(frame, called, library, place, texts);
	const sums = new Map<string, Sum>();
	const importOf = (script: string) => texts.importOf(script, entry);
	const framesOf = ({ frames }: SampledStack) =>
		imported(
			frames.map((frame) => bundled(unnamed(frame, texts), resolve)),
			importOf,
		);
	const found = completedStacks(
		[...stacks].map(([stack, time]) => ({
			api: stack.api,
			time,
			frames: inlined(framesOf(stack), stack.api, texts.inlinedAt),
		})),
		texts.callsOnly,
	);
	const all = sum(found, ({ time }) => time.us);
	const measured = measuredShare(block, all);
	const isPackage = isMain && found.every(({ frames }) => frames.every(({ isLibrary }) => isLibrary));
	// The code of a script that begins with a class is at the same place as that class.
	const isUnwritten = (frame: SampledFrame) => !isModuleCode(frame) && texts.isClass(frame.place);
	for (const { frames, api, time } of found) {
		const collectionUs = time.collectionUs * measured;
		addStack(sums, named(frames, texts.isWithin), api, { us: time.us, collectionUs }, isUnwritten, isPackage);
	}
	const least = isPackage ? Math.min(LEAST_US, all * LEAST_SHARE) : all * LEAST_SHARE;
	const isHeavy = (us: number) => us >= least;
	const heavy = [...sums.values()].filter(({ total }) => isHeavy(total));
	const computed = heavy.filter(({ self }) => isHeavy(self)).sort((a, b) => b.self - a.self);
	const called = heavy.filter(({ self, calls }) => !isHeavy(self) && calls.size > 0).sort((a, b) => b.total - a.total);
	const msPerUs = duration / all / 1000;
	return [...computed, ...called]
		.slice(0, MOST)
		.flatMap((each) => culpritsIn(each, isHeavy(each.self), msPerUs, resolve, lineOf, texts));
}

/**
 * How much of the collections that samples have found was measured, 0 to 1: a sample stands for some 20 ms, of which a collection may have taken a part.
 * @param all the samples' time, in µs
 */
function measuredShare({ stacks, duration, collectedUs }: SampledBlock, all: number): number {
	const sampled = (sum([...stacks.values()], ({ collectionUs }) => collectionUs) * duration) / all;
	return sampled <= collectedUs ? 1 : collectedUs / sampled;
}

/** The same with the scripts that import what was loaded, up to the one that was started. */
function imported(frames: SampledFrame[], importOf: (script: string) => Place | null): SampledFrame[] {
	for (let count = 0; count < MOST_IMPORTS; count++) {
		const outermost = frames.at(-1);
		const at = outermost === undefined || !isModuleCode(outermost) ? null : importOf(outermost.place.script);
		if (at === null) break;
		const place = { script: at.script, line: 1, column: 1 };
		frames.push({ place, name: '', lines: [at.line], isLibrary: false, isImport: true });
	}
	return frames;
}

/** The same with the function on top that V8 has inlined into the innermost one, where its line says so: it gives that line first where most samples were. */
function inlined(frames: SampledFrame[], api: string, inlinedAt: StackTexts['inlinedAt']): SampledFrame[] {
	const [inner, ...outer] = frames;
	if (inner === undefined || api !== '' || inner.isLibrary || inner.lines.length === 0) return frames;
	const found = inlinedAt(inner.place, inner.lines[0]!);
	if (found === null) return frames;
	return [{ ...found, lines: [inner.lines[0]!], isLibrary: false }, { ...inner, lines: [] }, ...outer];
}

/**
 * The same frame without a name that V8 has made up from others near it: of `new Worker(name, async (job) => {…}, { connection })`, which has none, it says
 * `Worker.connection.connection`. Names with a dot from assignments, such as `exports.translate`, are what a person would say as well.
 */
function unnamed(frame: SampledFrame, texts: StackTexts): SampledFrame {
	return frame.name.includes('.') && texts.isArgument(frame.place) ? { ...frame, name: '' } : frame;
}

/** The same frame; a bundle of the user's has its libraries in it, and its map shows which functions are theirs. */
function bundled(frame: SampledFrame, resolve: Resolve): SampledFrame {
	const { isLibrary, place } = frame;
	if (isLibrary || packageOf(place.script) !== '') return frame;
	const at = resolve(place);
	return at === null || packageOf(at.file) === '' ? frame : { ...frame, isLibrary: true, file: at.file };
}

/**
 * @param isUnwritten whether it is a constructor that the program does not contain: its caller has called what that calls
 * @param isByFunction whether functions of a package are distinguished
 */
function addStack(
	sums: Map<string, Sum>,
	frames: readonly SampledFrame[],
	api: string,
	{ us, collectionUs }: StackTime,
	isUnwritten: (frame: SampledFrame) => boolean,
	isByFunction: boolean,
): void {
	const calls = callsIn(frames).filter(({ caller }) => !isUnwritten(caller));
	for (const [i, frame] of frames.entries()) {
		const isInner = i === 0;
		// For a library between functions of the user's, what computed in it is enough.
		if (!isInner && (frame.isLibrary || isUnwritten(frame))) continue;
		const calledFrom = calls.find(({ caller }) => frames.indexOf(caller) > i) ?? null;
		const sum = sumOf(sums, isByFunction ? functionKey(frame) : keyOf(frame, calledFrom));
		sum.total += us;
		if (calledFrom !== null) addCall(sum.callers, calledFrom, us);
		if (!isInner) addCall(sum.calls, calls.find(({ caller }) => caller === frame)!, us);
		const own = frameIn(sum, frame, isInner ? api : '');
		if (!isInner) continue;
		own.us += us;
		if (calledFrom !== null) addCall(own.callers, calledFrom, us);
		sum.self += us;
		sum.collection += collectionUs;
		add(sum.apis, api, us);
	}
}

/**
 * The same without nameless functions that are inside a function which called them, or gave them to `map`, `sort` or a helper of the program's: to a person they are lines
 * of that function, and what calls them on its behalf did not compute.
 */
function named(frames: readonly SampledFrame[], isWithin: StackTexts['isWithin']): SampledFrame[] {
	const result: SampledFrame[] = [];
	let rest = frames;
	for (let frame = rest[0]; frame !== undefined; frame = rest[0]) {
		const inner = frame;
		const outer = rest.slice(1);
		const at = outer.findIndex((each) => isPartOf(inner, each, isWithin));
		if (at < 0) {
			result.push(inner);
			rest = outer;
		} else {
			const lines = inner.lines.length > 0 ? inner.lines : [inner.place.line];
			rest = [{ ...outer[at]!, lines }, ...outer.slice(at + 1)];
		}
	}
	return result;
}

function isPartOf(inner: SampledFrame, outer: SampledFrame, isWithin: StackTexts['isWithin']): boolean {
	const { script, line, column } = inner.place;
	if (inner.name !== '' || script !== outer.place.script || inner.isLibrary !== outer.isLibrary) return false;
	const isBehind = line > outer.place.line || (line === outer.place.line && column >= outer.place.column);
	return isBehind && isWithin(outer.place, inner.place);
}

/** The calls of the user's functions on a stack, the innermost first. */
function callsIn(frames: readonly SampledFrame[]): SampledCall[] {
	return frames.flatMap((caller, i) => (i > 0 && !caller.isLibrary ? [{ caller, called: frames[i - 1]! }] : []));
}

function frameIn(sum: Sum, frame: SampledFrame, api: string): RunningFrame {
	const key = `${frame.lines} ${functionKey(frame)} ${api}`;
	let own = sum.frames.get(key);
	if (own === undefined) {
		own = { frame, api, us: 0, callers: new Map() };
		sum.frames.set(key, own);
	}
	return own;
}

function addCall(times: CallTimes, call: SampledCall, us: number): void {
	const key = `${call.caller.lines} ${functionKey(call.caller)} ${functionKey(call.called)}`;
	const known = times.get(key);
	if (known === undefined) times.set(key, { call, us });
	else known.us += us;
}

/** The call that was on the stack longest; null where there is none. */
function longestOf(times: CallTimes): SampledCall | null {
	const all = [...times.values()];
	return all.length === 0 ? null : busiest(all).call;
}

function sumOf(sums: Map<string, Sum>, key: string): Sum {
	let sum = sums.get(key);
	if (sum === undefined) {
		sum = {
			self: 0,
			total: 0,
			collection: 0,
			frames: new Map(),
			apis: new Map(),
			calls: new Map(),
			callers: new Map(),
		};
		sums.set(key, sum);
	}
	return sum;
}

function keyOf(frame: SampledFrame, calledFrom: SampledCall | null): string {
	if (!frame.isLibrary) return functionKey(frame);
	return `${folderOf(frame.file ?? frame.place.script)}\n${calledFrom === null ? '' : functionKey(calledFrom.caller)}`;
}

function functionKey({ place: { script, line, column } }: SampledFrame): string {
	return `${line} ${column} ${script}`;
}

/** The folder of the package that a library's script belongs to. */
function folderOf(script: string): string {
	return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(script)?.[0] ?? script;
}

/** Where a function was. @param called the function that it had called; empty when it ran itself @param library see `RunningLine` */
type LineOf = (frame: SampledFrame, called: string, library: string) => Place;

/** @param isComputing whether it is named for what it computed itself, and not for what it had called */
function culpritsIn(
	sum: Sum,
	isComputing: boolean,
	msPerUs: number,
	resolve: Resolve,
	lineOf: LineOf,
	texts: StackTexts,
): Culprit[] {
	const api = isComputing && sum.apis.size > 0 ? largest(sum.apis)[0] : '';
	const { frame, callers } = busiestWith(api, sum);
	const called = isComputing ? null : (longestOf(sum.calls)?.called ?? null);
	const place = lineOf(frame, called === null ? api : nameOfCall(called), called === null ? '' : libraryOf(called));
	const at = resolve(place);
	if (at === null) return [];
	const parts = isComputing ? partsIn(sum, msPerUs, resolve, lineOf, texts) : [];
	const { api: mostCalled, lines } = mostOrParts(parts, sum.self * msPerUs);
	return [
		{
			...at,
			function: shownName(frame, texts),
			selfMs: sum.self * msPerUs,
			totalMs: sum.total * msPerUs,
			basis: 'estimated',
			api: mostCalled,
			lines: frame.isLibrary ? [] : lines,
			collectionMs: sum.collection * msPerUs,
			isLibrary: frame.isLibrary,
			calledFrom: callerOf(longestOf(isComputing ? callers : sum.callers), resolve, lineOf, texts),
		},
	];
}

/** What a function computed itself and what it had called, each on its line, the most time first. */
function partsIn(sum: Sum, msPerUs: number, resolve: Resolve, lineOf: LineOf, texts: StackTexts): CulpritLine[] {
	const parts = [...sum.apis].flatMap(([api, us]) => {
		const { frame } = busiestWith(api, sum);
		const place = lineOf(frame, api, '');
		const at = resolve(place);
		if (at === null) return [];
		const builtIn = api === '' && frame.lines.length > 0 ? texts.builtInOn(place) : '';
		return [{ line: at.line, api: (SHOWN_APIS.get(api) ?? api) || builtIn || null, selfMs: us * msPerUs }];
	});
	return parts.sort((a, b) => b.selfMs - a.selfMs);
}

/** Where a function was longest when it had called that. */
function busiestWith(api: string, sum: Sum): RunningFrame {
	return busiest([...sum.frames.values()].filter((each) => each.api === api));
}

function callerOf(
	calledFrom: SampledCall | null,
	resolve: Resolve,
	lineOf: LineOf,
	texts: StackTexts,
): Culprit['calledFrom'] {
	if (calledFrom === null) return null;
	const { caller, called } = calledFrom;
	const at = resolve(lineOf(caller, nameOfCall(called), libraryOf(called)));
	return at === null ? null : { ...at, function: shownName(caller, texts) };
}

/** As a person knows it; up to Node 20, V8 has names such as `<instance_members_initializer>` for what computes a class's fields. */
function shownName({ name, place }: SampledFrame, texts: StackTexts): string {
	return name.startsWith('<') ? '' : texts.originalName(place, name);
}

/** The package that a library's function is in; empty for another one. */
function libraryOf({ isLibrary, file, place }: SampledFrame): string {
	return isLibrary ? packageOf(file ?? place.script) : '';
}

/** What a call of that function says in the text, as `RunningLine` takes it. */
function nameOfCall({ name, place: { script, line, column } }: SampledFrame): string {
	if (name !== '') return name;
	return line === 1 && column === 1 ? `require(${script})` : NAMELESS;
}

/** Where a function was, or where it begins. @param waited the line whose wait was over before */
function placeOf(
	{ place, lines, isImport }: SampledFrame,
	called: string,
	library: string,
	waited: Place | null,
	texts: StackTexts,
): Place {
	if (isImport) return { script: place.script, line: lines[0]!, column: 0 };
	const line = texts.runningLine(place, called, lines, waited?.script === place.script ? waited.line : 0, library);
	if (line !== 0 && line !== place.line) return { script: place.script, line, column: 0 };
	const column = texts.columnIn(place, called);
	return column === 0 ? place : { ...place, column };
}

function busiest<T extends { us: number }>(all: readonly T[]): T {
	return all.reduce((most, each) => (each.us > most.us ? each : most));
}

function largest<T>(times: ReadonlyMap<T, number>): [T, number] {
	return [...times].reduce((most, each) => (each[1] > most[1] ? each : most));
}

function add<T>(times: Map<T, number>, of: T, us: number): void {
	times.set(of, (times.get(of) ?? 0) + us);
}
