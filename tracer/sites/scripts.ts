// The scripts whose code appears on stacks: what a frame of each means, and the positions seen in it. A frame's line is
// computed once per code position.

import { mappedByProgram } from './mapped-by-program.ts';
import { withoutData } from './script-name.ts';
import { newPositionId, type Position } from './site.ts';
import { originalPosition } from './source-maps.ts';

/** What a frame of a script means, and the positions seen in it, by V8's offset. */
export interface Script {
	/** V8's name for it, and the name in the journal. */
	readonly name: string;
	readonly shown: string;
	/** `plumbing`: Node calling itself; the API that was called is the next one inside. */
	readonly role: 'skip' | 'node' | 'plumbing' | 'user' | 'library';
	readonly positions: Map<number, Position>;
	/** Whether its functions call the handlers of a server's requests, and whether it is known that they do nothing else. */
	isRouter: boolean;
	readonly onlyRoutes: boolean;
	/** Whether its functions call those that they are given, for whoever calls them: resolvers, jobs, attempts. */
	readonly isHelper: boolean;
}

/** Routers that are known before they have called the first of the user's functions for a request. */
const ROUTER =
	/[\\/](router[\\/](lib[\\/])?layer|koa-compose[\\/]index|fastify[\\/]lib[\\/]handle-?[rR]equest|router-execution-context)\.js$/;

/** They call functions of the user's within a handler, and so look as a router does. */
const HELPER =
	/[\\/]node_modules[\\/](graphql|@graphql-tools|dataloader|generic-pool|tarn|lodash|underscore|async|bluebird|bottleneck|p-[a-z-]+|fastq|knex|sequelize|mongoose|rxjs|retry|cockatiel|opossum|@opentelemetry)\b/;

const PLUMBING =
	/^node:(internal\/(util|async_hooks|process\/(task_queues|promises)|timers|streams|fs\/streams|webstreams|event_target)|async_hooks|diagnostics_channel|events|stream)/;

/** js-debug's own preloads run in the program but are not code that anyone wants profiled. */
const DEBUGGER = /[\\/]ms-vscode\.js-debug[\\/]|[\\/]js-debug[\\/].*bootloader/;

export class Scripts {
	/** Whether the script of any router was seen. */
	hasRouter = false;
	private readonly byName = new Map<string, Script>();
	private readonly onLibrary: (name: string) => void;

	/**
	 * @param onLibrary is called for each script of a library when it is seen first, while V8 reads the stack. `name`
	 * is V8's, a path or a URL
	 */
	constructor(onLibrary: (name: string) => void) {
		this.onLibrary = onLibrary;
	}

	/** The script of a frame. */
	of(call: NodeJS.CallSite): Script {
		const name = call.getScriptNameOrSourceURL() ?? '';
		return this.byName.get(name) ?? this.newScript(name);
	}

	private newScript(name: string): Script {
		const isRouter = ROUTER.test(name);
		const script: Script = {
			name,
			shown: withoutData(name),
			role: roleOf(name),
			positions: new Map(),
			isRouter,
			onlyRoutes: isRouter,
			isHelper: HELPER.test(name),
		};
		this.byName.set(name, script);
		if (isRouter) this.hasRouter = true;
		if (script.role === 'library') this.onLibrary(name);
		return script;
	}
}

function roleOf(script: string): Script['role'] {
	if (script === '' || script === __filename || script.startsWith('wasm:') || DEBUGGER.test(script)) return 'skip';
	if (script.startsWith('node:')) return PLUMBING.test(script) ? 'plumbing' : 'node';
	return /[\\/]node_modules[\\/]/.test(script) ? 'library' : 'user';
}

/** A frame's position in its script. */
export function positionOf(call: NodeJS.CallSite, script: Script): Position {
	const at = call.getPosition();
	return script.positions.get(at) ?? newPosition(call, script, at);
}

function newPosition(call: NodeJS.CallSite, script: Script, at: number): Position {
	const line = call.getLineNumber() ?? 1;
	const column = call.getColumnNumber() ?? 1;
	const enclosing = call as unknown as { getEnclosingLineNumber?(): number; getEnclosingColumnNumber?(): number };
	const functionLine = enclosing.getEnclosingLineNumber?.() || line;
	const functionColumn = enclosing.getEnclosingColumnNumber?.() || 1;
	const originalOf = (line: number, column: number) =>
		originalPosition(script.name, line, column) ??
		(script.role === 'user' ? mappedByProgram(call, script.name, line, column) : null);
	const original = originalOf(line, column);
	const start = originalOf(functionLine, functionColumn);
	const position = {
		id: newPositionId(),
		script: script.shown,
		line: original?.line ?? line,
		column: original?.column ?? column,
		functionName: call.getFunctionName() ?? '',
		functionLine: start?.line ?? functionLine,
		functionColumn: start?.column ?? functionColumn,
		written: 0,
	};
	script.positions.set(at, position);
	return position;
}
