// Who computed while a loop was blocked: the samples of a block, added up by function.
import { packageOf } from '../protocol/blame.ts';
import type { Culprit } from '../protocol/report.ts';
import type { LoopBlock, StackTime } from './loop-block.ts';
import type { Place, Resolve, RunningLine, StackTexts } from './place.ts';
import type { SampledFrame, SampledStack } from './stack-samples.ts';

/** The most functions named; a reader cares about the first few. */
const MOST = 8;
/** A smaller share of a block is chance: with a sample every 20 ms it is less than one sample of 400 ms. */
const LEAST_SHARE = 0.05;

/** Functions of Node's whose own name is not the one that a program calls; all the synchronous functions of zlib share one. */
const SHOWN_APIS = new Map([
	['syncBufferWrapper', 'zlib'],
	['signOneShot', 'sign'],
	['verifyOneShot', 'verify'],
	// A loop that reads a clock until it is time computes itself.
	['now', ''],
]);

/** A function that had called another one, which is above it on the stack. */
interface Call {
	caller: SampledFrame;
	called: SampledFrame;
}

/**
 * The time of one function, or of all functions of a package that the same function of the user's had called. In µs.
 */
interface Sum {
	self: number;
	total: number;
	collection: number;
	/** Of `self`, by function and lines: the busiest gives the sum its name and line. A caller has one of no time. */
	readonly frames: Map<string, { frame: SampledFrame; us: number }>;
	/** Of `self`, by Node's function that was called. */
	readonly apis: Map<string, number>;
	/** The function that it had called, which determines its own line; null where it computed itself. */
	call: Call | null;
	/** The nearest of the user's functions that had called it. */
	calledFrom: Call | null;
}

/**
 * @param block its stacks represent all of its time, whatever they add up to
 * @param texts searches the text, since V8 gives the line of the innermost function only, and makes up names
 * @returns those that computed, the most time first, then those of the user's functions that had called them
 */
export function culpritsOf(
	{ stacks, duration, place }: Pick<LoopBlock, 'stacks' | 'duration' | 'place'>,
	resolve: Resolve,
	texts: StackTexts,
): Culprit[] {
	const lineOf = (frame: SampledFrame, called: string) => placeOf(frame, called, place, texts.runningLine);
	const sums = new Map<string, Sum>();
	const framesOf = ({ frames }: SampledStack) => frames.map((frame) => bundled(unnamed(frame, texts), resolve));
	let all = 0;
	for (const [stack, time] of stacks) {
		all += time.us;
		addStack(sums, framesOf(stack), stack.api, time);
	}
	const isHeavy = (us: number) => us >= all * LEAST_SHARE;
	const heavy = [...sums.values()].filter(({ total }) => isHeavy(total));
	const computed = heavy.filter(({ self }) => isHeavy(self)).sort((a, b) => b.self - a.self);
	const called = heavy.filter(({ self, call }) => !isHeavy(self) && call !== null).sort((a, b) => b.total - a.total);
	const msPerUs = duration / all / 1000;
	return [...computed, ...called].slice(0, MOST).flatMap((sum) => culpritsIn(sum, msPerUs, resolve, lineOf, texts));
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

function addStack(
	sums: Map<string, Sum>,
	sampled: readonly SampledFrame[],
	api: string,
	{ us, collectionUs }: StackTime,
): void {
	const frames = named(sampled);
	const calls = callsIn(frames);
	for (const [i, frame] of frames.entries()) {
		const isInner = i === 0;
		// For a library between functions of the user's, what computed in it is enough.
		if (!isInner && frame.isLibrary) continue;
		const calledFrom = calls.find(({ caller }) => frames.indexOf(caller) > i) ?? null;
		const sum = sumOf(sums, keyOf(frame, calledFrom));
		sum.total += us;
		sum.calledFrom ??= calledFrom;
		if (!isInner) sum.call ??= calls.find(({ caller }) => caller === frame)!;
		const key = `${frame.lines} ${functionKey(frame)}`;
		const known = sum.frames.get(key);
		sum.frames.set(key, { frame, us: (known?.us ?? 0) + (isInner ? us : 0) });
		if (!isInner) continue;
		sum.self += us;
		sum.collection += collectionUs;
		add(sum.apis, api, us);
	}
}

/**
 * The same without nameless functions that are inside the function that called them, or that gave them to `map` or
 * `sort`: to a person they are lines of that function.
 */
function named(frames: readonly SampledFrame[]): SampledFrame[] {
	const result: SampledFrame[] = [];
	for (const outer of frames) {
		const inner = result.at(-1);
		if (inner === undefined || !isPartOf(inner, outer)) {
			result.push(outer);
			continue;
		}
		const lines = inner.lines.length > 0 ? inner.lines : [inner.place.line];
		result[result.length - 1] = { ...outer, lines };
	}
	return result;
}

function isPartOf(inner: SampledFrame, outer: SampledFrame): boolean {
	const { script, line, column } = inner.place;
	if (inner.name !== '' || script !== outer.place.script || inner.isLibrary !== outer.isLibrary) return false;
	return line > outer.place.line || (line === outer.place.line && column >= outer.place.column);
}

/** The calls of the user's functions on a stack, the innermost first. */
function callsIn(frames: readonly SampledFrame[]): Call[] {
	return frames.flatMap((caller, i) => (i > 0 && !caller.isLibrary ? [{ caller, called: frames[i - 1]! }] : []));
}

function sumOf(sums: Map<string, Sum>, key: string): Sum {
	let sum = sums.get(key);
	if (sum === undefined) {
		sum = { self: 0, total: 0, collection: 0, frames: new Map(), apis: new Map(), call: null, calledFrom: null };
		sums.set(key, sum);
	}
	return sum;
}

function keyOf(frame: SampledFrame, calledFrom: Call | null): string {
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

/** Where a function was. @param called the function that it had called; empty when it ran itself */
type LineOf = (frame: SampledFrame, called: string) => Place;

function culpritsIn(sum: Sum, msPerUs: number, resolve: Resolve, lineOf: LineOf, texts: StackTexts): Culprit[] {
	const { frame } = [...sum.frames.values()].reduce((most, each) => (each.us > most.us ? each : most));
	const api = sum.apis.size === 0 ? '' : largest(sum.apis)[0];
	const place = lineOf(frame, api === '' ? (sum.call === null ? '' : nameOfCall(sum.call.called)) : api);
	const at = resolve(place);
	if (at === null) return [];
	const ranItself = api === '' && sum.self > 0 && frame.lines.length > 0;
	return [
		{
			...at,
			function: frame.name,
			selfMs: sum.self * msPerUs,
			totalMs: sum.total * msPerUs,
			basis: 'estimated',
			api: (SHOWN_APIS.get(api) ?? api) || (ranItself && texts.builtInOn(place)) || null,
			collectionMs: sum.collection * msPerUs,
			isLibrary: frame.isLibrary,
			calledFrom: callerOf(sum, resolve, lineOf),
		},
	];
}

function callerOf({ calledFrom }: Sum, resolve: Resolve, lineOf: LineOf): Culprit['calledFrom'] {
	if (calledFrom === null) return null;
	const { caller, called } = calledFrom;
	const at = resolve(lineOf(caller, nameOfCall(called)));
	return at === null ? null : { ...at, function: caller.name };
}

/** What a call of that function says in the text, as `RunningLine` takes it. */
function nameOfCall({ name, place: { script, line, column } }: SampledFrame): string {
	return name === '' && line === 1 && column === 1 ? `require(${script})` : name;
}

/** Where a function was, or where it begins. @param waited the line whose wait was over before */
function placeOf(
	{ place, lines }: SampledFrame,
	called: string,
	waited: Place | null,
	runningLine: RunningLine,
): Place {
	const line = runningLine(place, called, lines, waited?.script === place.script ? waited.line : 0);
	return line === 0 || line === place.line ? place : { script: place.script, line, column: 0 };
}

function largest<T>(times: ReadonlyMap<T, number>): [T, number] {
	return [...times].reduce((most, each) => (each[1] > most[1] ? each : most));
}

function add<T>(times: Map<T, number>, of: T, us: number): void {
	times.set(of, (times.get(of) ?? 0) + us);
}
