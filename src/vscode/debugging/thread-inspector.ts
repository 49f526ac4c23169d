// Calls the inspector of a thread that js-debug debugs.
import * as vscode from 'vscode';
import type { Inspector } from '../../host/injection/inspector.ts';

/**
 * js-debug's way for other extensions to talk to what it debugs, as its command `extension.js-debug.requestCDPProxy`
 * does (EXTENSION_AUTHORS.md); the command does not yet know a session that has just started.
 */
const REQUEST_PROXY = 'requestCDPProxy';

interface Proxy {
	host: string;
	port: number;
	path?: string;
}

/**
 * Connects to the thread of a js-debug session; the caller closes the connection.
 * @param onEvent is called with the events of the thread that the caller has subscribed to
 * @throws Error when the debugger has left the thread
 */
export async function openInspector(
	thread: vscode.DebugSession,
	onEvent: (params: object) => void = () => undefined,
): Promise<Inspector> {
	const proxy: Proxy = await thread.customRequest(REQUEST_PROXY);
	const { Inspector } = await import('../../host/injection/inspector.ts');
	const url = `ws://${proxy.host}:${proxy.port}${proxy.path ?? ''}`;
	const left = vscode.l10n.t('The debugger has disconnected from the program.');
	return Inspector.connect(url, left, (_method, params) => onEvent(params));
}

/** As `openInspector`, for as long as `use` takes. @returns what that returns @throws what `use` throws, too */
export async function withInspector<T>(
	thread: vscode.DebugSession,
	use: (inspector: Inspector) => Promise<T>,
	onEvent?: (params: object) => void,
): Promise<T> {
	const inspector = await openInspector(thread, onEvent);
	try {
		return await use(inspector);
	} finally {
		inspector.close();
	}
}
