// The view is ours, but its messages cross a boundary: what is used as a number or as a name is checked.
import type { TimeLimit } from '../../protocol/overview.ts';
import type { TimelineQuery } from '../../protocol/timeline.ts';
import type { SessionAction, ViewToHost } from '../../protocol/webview.ts';
import { MOST_THREADS } from '../../protocol/what-if.ts';

/** The commands that a view may run on its session. */
export const SESSION_COMMANDS: Record<SessionAction, string> = {
	save: 'waitline.saveRecording',
	switch: 'waitline.switchSession',
};

/** What a message of each type must contain. */
const CHECKS: Record<ViewToHost['type'], (message: object) => boolean> = {
	ready: () => true,
	compare: () => true,
	fix: () => true,
	limit: (message) => 'range' in message && (message.range === null || isRange(message.range)),
	whatIf: isWhatIf,
	requestSource: (message) => 'fileId' in message && typeof message.fileId === 'number',
	openLine: (message) => 'fileId' in message && 'line' in message && typeof message.line === 'number',
	timeline: (message) =>
		'id' in message && typeof message.id === 'number' && 'query' in message && isQuery(message.query),
	session: (message) => 'action' in message && Object.hasOwn(SESSION_COMMANDS, String(message.action)),
	drawn: (message) => 'drawn' in message && typeof message.drawn === 'object' && message.drawn !== null,
};

/** Whether a view has sent one of its messages. */
export function isViewMessage(message: unknown): message is ViewToHost {
	if (typeof message !== 'object' || message === null || !('type' in message)) return false;
	const { type } = message;
	return typeof type === 'string' && Object.hasOwn(CHECKS, type) && CHECKS[type as ViewToHost['type']](message);
}

function isQuery(query: unknown): query is TimelineQuery {
	if (typeof query !== 'object' || query === null) return false;
	const { fromMs, toMs, bins } = query as Record<string, unknown>;
	return [fromMs, toMs, bins].every((value) => typeof value === 'number' && Number.isFinite(value));
}

function isWhatIf(message: object): boolean {
	const { cores, line } = message as { cores?: unknown; line?: unknown };
	const isCores = cores === null || (Number.isInteger(cores) && Number(cores) >= 1 && Number(cores) <= MOST_THREADS);
	if (!isCores || line === null) return isCores;
	const { fileId, line: number, percent } = (line ?? {}) as Record<string, unknown>;
	return Number.isInteger(fileId) && Number.isInteger(number) && typeof percent === 'number' && percent >= -100;
}

function isRange(range: unknown): range is TimeLimit {
	if (typeof range !== 'object' || range === null) return false;
	const { fromMs, toMs } = range as Record<string, unknown>;
	return [fromMs, toMs].every((value) => typeof value === 'number' && Number.isFinite(value));
}
