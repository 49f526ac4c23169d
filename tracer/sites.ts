// Who started an operation: reads the call stack as cheaply as V8 allows and interns what it finds. A frame's line is
// computed once per code position; a capture itself only walks and compares.

/** A place in a script outside Node itself. */
export interface Position {
	readonly id: number;
	readonly script: string;
	readonly line: number;
	readonly column: number;
	readonly functionName: string;
	/** Line on which the function around it starts. */
	readonly functionLine: number;
	/** The writer's generation that this position was last told in. */
	told: number;
}

/** The function of Node that the program called. */
export interface Api {
	readonly name: string;
	readonly script: string;
}

/** Who started an operation. */
export interface Site {
	readonly id: number;
	/** In the user's own files; null when only library or Node code was on the stack. */
	readonly user: Position | null;
	/** In node_modules, when that called Node and not the user's line itself. */
	readonly library: Position | null;
	readonly api: Api | null;
	/** Started by a `…Sync` function: over before it returns, so no operation at all. */
	readonly isSync: boolean;
	/** The user's frame was only awaiting: nothing but Node runs, so this may be a later step of the awaited operation. */
	readonly isAwaited: boolean;
	/** Whether the program called `setTimeout` or its like; else a timer or immediate is Node's own. */
	readonly isTimerCall: boolean;
	told: number;
}

type Frame =
	| { role: 'skip' }
	| { role: 'node'; api: Api; isPlumbing: boolean; isSync: boolean }
	| { role: 'user' | 'library'; position: Position };

/** Most user frames are among the first; frames beyond them cost 0.2 µs each. */
const SHALLOW_DEPTH = 12;
/** `fetch` has its user frame at depth 28 to 35. */
const STACK_DEPTH = 64;

/** Modules through which Node calls itself; the API that was called is the next one inside. */
const PLUMBING =
	/^node:(internal\/(util|async_hooks|process\/(task_queues|promises)|timers|streams|fs\/streams|webstreams|event_target)|async_hooks|diagnostics_channel|events|stream)/;

/** js-debug's own preloads run in the program but are nobody's code to profile. */
const DEBUGGER = /[\\/]ms-vscode\.js-debug[\\/]|[\\/]js-debug[\\/].*bootloader/;

const frames = new Map<string, Map<number, Frame>>();
const sites = new Map<string, Site>();
const SKIP: Frame = { role: 'skip' };
let positions = 0;

/** No frame of the program or of a library: the running operation goes on. */
export const CONTINUED: Site = {
	id: 0,
	user: null,
	library: null,
	api: null,
	isSync: false,
	isAwaited: false,
	isTimerCall: false,
	told: 0,
};

/** The site of the code that runs now; CONTINUED when the stack holds nothing but Node. */
export function captureSite(): Site {
	return capture(SHALLOW_DEPTH) ?? capture(STACK_DEPTH) ?? CONTINUED;
}

function capture(depth: number): Site | null {
	const { stackTraceLimit, prepareStackTrace } = Error;
	if (!Object.hasOwn(Error, 'prepareStackTrace')) {
		// Taking it away again after each capture would cost 3 µs; undefined and not enumerable, it changes nothing.
		Object.defineProperty(Error, 'prepareStackTrace', { writable: true, configurable: true, enumerable: false });
	}
	const holder: { stack?: unknown } = {};
	try {
		Error.stackTraceLimit = depth;
		Error.prepareStackTrace = readSite;
		Error.captureStackTrace(holder, captureSite);
		const site = holder.stack as Site | null | undefined;
		return site === undefined ? CONTINUED : site;
	} finally {
		Error.stackTraceLimit = stackTraceLimit;
		Error.prepareStackTrace = prepareStackTrace;
	}
}

/** The site, or null when there may be more of the stack. */
function readSite(_holder: unknown, stack: NodeJS.CallSite[]): Site | null {
	let library: Position | null = null;
	let api: Api | null = null;
	let isSync = false;
	for (const call of stack) {
		const frame = frameOf(call);
		if (frame.role === 'skip') continue;
		if (frame.role === 'node') {
			if (library !== null) continue;
			if (!frame.isPlumbing || api === null) api = frame.api;
			isSync ||= frame.isSync;
		} else if (frame.role === 'library') {
			library ??= frame.position;
		} else {
			return internSite(frame.position, library, api, isSync, library === null && isAsync(call));
		}
	}
	if (stack.length === SHALLOW_DEPTH) return null;
	return library === null && !isSync ? CONTINUED : internSite(null, library, api, isSync, false);
}

function isAsync(call: NodeJS.CallSite): boolean {
	return (call as unknown as { isAsync(): boolean }).isAsync();
}

/** The one site of these parts. */
export function internSite(
	user: Position | null,
	library: Position | null,
	api: Api | null,
	isSync: boolean,
	isAwaited: boolean,
): Site {
	const key = `${user?.id ?? 0} ${library?.id ?? 0} ${api?.name ?? ''} ${api?.script ?? ''} ${isSync} ${isAwaited}`;
	let site = sites.get(key);
	if (site === undefined) {
		const isTimerCall = api?.script.startsWith('node:timers') ?? false;
		site = { id: sites.size + 1, user, library, api, isSync, isAwaited, isTimerCall, told: 0 };
		sites.set(key, site);
	}
	return site;
}

/** The start of the function around a position, as a position of its own. */
export function functionStart(position: Position): Position {
	let known = functionStarts.get(position);
	if (known === undefined) {
		const { script, functionName, functionLine } = position;
		const key = `${functionLine} ${script}`;
		known = startsByLine.get(key);
		if (known === undefined) {
			known = { id: ++positions, script, line: functionLine, column: 1, functionName, functionLine, told: 0 };
			startsByLine.set(key, known);
		}
		functionStarts.set(position, known);
	}
	return known;
}
const functionStarts = new Map<Position, Position>();
const startsByLine = new Map<string, Position>();

function frameOf(call: NodeJS.CallSite): Frame {
	const script = call.getScriptNameOrSourceURL();
	if (!script) return SKIP;
	let inScript = frames.get(script);
	if (inScript === undefined) {
		inScript = new Map();
		frames.set(script, inScript);
	}
	const at = call.getPosition();
	let frame = inScript.get(at);
	if (frame === undefined) {
		frame = readFrame(call, script);
		inScript.set(at, frame);
	}
	return frame;
}

function readFrame(call: NodeJS.CallSite, script: string): Frame {
	if (script === __filename || script.startsWith('wasm:') || DEBUGGER.test(script)) return SKIP;
	const functionName = call.getFunctionName() ?? '';
	if (script.startsWith('node:')) {
		const name = functionName.slice(functionName.lastIndexOf('.') + 1);
		return { role: 'node', api: { name, script }, isPlumbing: PLUMBING.test(script), isSync: name.endsWith('Sync') };
	}
	const enclosing = (call as unknown as { getEnclosingLineNumber?(): number }).getEnclosingLineNumber?.();
	const line = call.getLineNumber() ?? 1;
	return {
		role: /[\\/]node_modules[\\/]/.test(script) ? 'library' : 'user',
		position: {
			id: ++positions,
			script,
			line,
			column: call.getColumnNumber() ?? 1,
			functionName,
			functionLine: enclosing || line,
			told: 0,
		},
	};
}
