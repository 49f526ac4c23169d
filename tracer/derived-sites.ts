// Sites that follow from captured ones, made once per place in the program and not once per operation.
import { CONTINUED, functionStart, internSite, type Position, type Site } from './sites.ts';

const SERVER_API = { name: 'request', script: 'node:_http_server' };
const libraryCalls = new Map<Site, Map<Position | null, Site>>();
const handlers = new Map<Site, Site>();
const functions = new Map<Site, Site>();

/**
 * A library's own call belongs to the user's line whose callback runs.
 * @param user that line, if it is known
 */
export function withUser(captured: Site, user: Position | null): Site {
	if (captured.user !== null || user === null || captured.isForOthers) return captured;
	return onLine(captured, user);
}

/** What a library starts for a line, whosever callback it is in. @param user null when nobody knows which */
export function onLine(captured: Site, user: Position | null): Site {
	if (captured.user === user) return captured;
	let byUser = libraryCalls.get(captured);
	if (byUser === undefined) {
		byUser = new Map();
		libraryCalls.set(captured, byUser);
	}
	let site = byUser.get(user);
	if (site === undefined) {
		site = internSite(user, captured.library, captured.api, captured.isSync, false);
		byUser.set(user, site);
	}
	return site;
}

/**
 * The line that a request is shown on: where the handler starts that first did something for it.
 * @param isHandler whether the handler was on the stack of `from`; else that is the operation it goes on with
 */
export function handlerSite(from: Site, isHandler: boolean): Site {
	if (from.user === null) return CONTINUED;
	let site = handlers.get(from);
	if (site === undefined) {
		const line = isHandler ? (from.handler ?? functionStart(from.user)) : from.user;
		site = internSite(line, null, SERVER_API, false, false);
		handlers.set(from, site);
	}
	return site;
}

/** What a request's handler calls may hold the loop, while the request is shown on the handler: where that function starts. */
export function functionSite(from: Site): Site {
	let site = functions.get(from);
	if (site === undefined) {
		site = internSite(from.user === null ? null : functionStart(from.user), null, SERVER_API, false, false);
		functions.set(from, site);
	}
	return site;
}
