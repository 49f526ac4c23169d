// Sites that follow from captured ones, made once per place in the program and not once per operation.
import { CONTINUED, functionStart, internSite, type Position, type Site } from './site.ts';

const SERVER_API = { name: 'request', script: 'node:_http_server' };
/** Of a request whose handler has not shown. */
const LISTENING_API = { name: 'listen', script: SERVER_API.script };
// Indexed by the ids of the captured sites.
const libraryCalls: (Map<Position | null, Site> | undefined)[] = [];
const handlers: (Site | undefined)[] = [];
const functions: (Site | undefined)[] = [];

/**
 * A library's own call belongs to the user's line whose callback runs.
 * @param user that line, if it is known
 */
export function withUser(captured: Site, user: Position | null): Site {
	if (captured.user !== null || user === null || captured.isForOthers) return captured;
	return onLine(captured, user);
}

/** What a library starts for a line, whichever callback runs. @param user null when the line is unknown */
export function onLine(captured: Site, user: Position | null): Site {
	if (captured.user === user) return captured;
	return libraryCalls[captured.id]?.get(user) ?? newCall(captured, user);
}

function newCall(captured: Site, user: Position | null): Site {
	const site = internSite(user, captured.library, captured.api, captured.isSync, false);
	libraryCalls[captured.id] ??= new Map();
	libraryCalls[captured.id]!.set(user, site);
	return site;
}

/**
 * The line that a request is shown on: the start of the handler that first did something for it. Its library is the router's function that called it.
 * @param isHandler whether the handler was on the stack of `from`; else `from` is what brought the request
 */
export function handlerSite(from: Site, isHandler: boolean): Site {
	// A tool that is run from node_modules serves requests as well: they are on the line where it listens.
	const line = from.user ?? (isHandler ? null : from.library);
	if (line === null) return CONTINUED;
	return handlers[from.id] ?? newHandler(from, line, isHandler);
}

function newHandler(from: Site, user: Position, isHandler: boolean): Site {
	const line = isHandler ? (from.handler ?? functionStart(user)) : user;
	const [caller, called] = isHandler ? [from.caller, from.called] : [null, null];
	const api = isHandler ? SERVER_API : LISTENING_API;
	const site = internSite(line, caller, api, false, false, false, null, caller, called);
	handlers[from.id] = site;
	return site;
}

/** The same for a handler that goes on there when something is over. */
export function resumedSite(at: Position): Site {
	return internSite(functionStart(at), null, SERVER_API, false, false);
}

/** The same for a request of which it is only known that it has come to that handler. */
export function withoutCall(site: Site): Site {
	const { called, caller, library, user } = site;
	return called === null ? site : internSite(user, library, SERVER_API, false, false, false, null, caller);
}

/**
 * Code that a request's handler calls may block the loop, while the request is shown on the handler. This is the begin
 * of that function.
 */
export function functionSite(from: Site): Site {
	return functions[from.id] ?? newFunction(from);
}

function newFunction(from: Site): Site {
	const site = internSite(from.user === null ? null : functionStart(from.user), null, SERVER_API, false, false);
	functions[from.id] = site;
	return site;
}
