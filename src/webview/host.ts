// The view's end of the conversation with the extension host, and the little that it keeps while hidden.
import type { Drawn, HostToView, ViewToHost } from '../protocol/webview.ts';
import type { Sort } from './tables/table-model.ts';
import type { TableChoices } from './tables/table-options.ts';

declare function acquireVsCodeApi(): {
	postMessage(message: ViewToHost): void;
	getState(): unknown;
	setState(state: ViewChoices): void;
};

/** What a person chose; survives hiding the panel. */
export interface ViewChoices {
	tab: Drawn['tab'];
	/** Of the lines, and of the requests. */
	sort: Sort;
	lineChoices: TableChoices;
	requestSort: Sort;
	requestChoices: TableChoices;
	fileId: number | null;
	/** What the filter's field contains. */
	query: string;
}

const INITIAL: ViewChoices = {
	tab: 'lines',
	sort: { column: 'share', descending: true },
	lineChoices: { grouping: 'none', left: [] },
	requestSort: { column: 'share', descending: true },
	requestChoices: { grouping: 'none', left: [] },
	fileId: null,
	query: '',
};

const api = acquireVsCodeApi();

export function post(message: ViewToHost): void {
	api.postMessage(message);
}

export function kept(): ViewChoices {
	return { ...INITIAL, ...(api.getState() as Partial<ViewChoices> | undefined) };
}

export function keep(state: ViewChoices): void {
	api.setState(state);
}

/** Messages come from our own host only: the policy admits no frame, and another origin could not name the types. */
export function listen(listener: (message: HostToView) => void): void {
	window.addEventListener('message', (event: MessageEvent<HostToView>) => listener(event.data));
}
