// One question to the inspector of a thread, in the Chrome DevTools Protocol.
import { WebSocket } from 'ws';

/** What we use of `Runtime.evaluate`'s answer (chromedevtools.github.io/devtools-protocol/v8/Runtime). */
interface Answer {
	id: number;
	result?: { result?: { value?: unknown }; exceptionDetails?: { text: string; exception?: { description?: string } } };
	error?: { message: string };
}

const ID = 1;

/**
 * Evaluates an expression in the global scope of a thread, where `require` is the inspector's own: an ES module has none.
 * @param url of the WebSocket that leads to the thread's inspector
 * @param left what to say when the connection ends before the answer
 * @returns its value, which must be one that JSON can hold
 * @throws Error with what the thread threw, or why it could not be asked
 */
export function evaluate(url: string, expression: string, left: string): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const socket = new WebSocket(url);
		const params = { expression, includeCommandLineAPI: true, returnByValue: true };
		socket.on('open', () => socket.send(JSON.stringify({ id: ID, method: 'Runtime.evaluate', params })));
		socket.on('error', reject);
		socket.on('close', () => reject(new Error(left)));
		socket.on('message', (data) => {
			const { id, result, error } = JSON.parse(String(data)) as Answer;
			if (id !== ID) return;
			const thrown = result?.exceptionDetails;
			if (error !== undefined) reject(new Error(error.message));
			else if (thrown !== undefined) reject(new Error(thrown.exception?.description ?? thrown.text));
			else resolve(result?.result?.value);
			socket.close();
		});
	});
}
