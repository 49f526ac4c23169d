// A conversation with the inspector of a thread, in the Chrome DevTools Protocol.
import { WebSocket } from 'ws';

/** The part of the protocol's messages that we use (chromedevtools.github.io/devtools-protocol/v8). */
type InspectorMessage =
	| { id: number; result?: object; error?: { message: string } }
	| { id?: undefined; method: string; params: object };

/** The result of `Runtime.evaluate`. */
interface Evaluated {
	result: { value?: unknown };
	exceptionDetails?: { text: string; exception?: { description?: string } };
}

/** A call that waits for its answer. */
interface WaitingCall {
	resolve(result: object): void;
	reject(error: Error): void;
}

export class Inspector {
	readonly #socket: WebSocket;
	readonly #onEvent: (method: string, params: object) => void;
	readonly #waiting = new Map<number, WaitingCall>();
	#lastId = 0;

	private constructor(socket: WebSocket, left: string, onEvent: (method: string, params: object) => void) {
		this.#socket = socket;
		this.#onEvent = onEvent;
		socket.on('message', (data) => this.#take(JSON.parse(String(data)) as InspectorMessage));
		socket.on('close', () => {
			for (const { reject } of this.#waiting.values()) reject(new Error(left));
		});
	}

	/**
	 * @param url of the WebSocket that leads to the thread's inspector
	 * @param left the error's message when the connection ends before an answer
	 * @param onEvent is called with the thread's events
	 * @throws Error when nothing answers at that URL
	 */
	static connect(url: string, left: string, onEvent: (method: string, params: object) => void): Promise<Inspector> {
		return new Promise((resolve, reject) => {
			const socket = new WebSocket(url);
			const inspector = new Inspector(socket, left, onEvent);
			socket.on('error', reject);
			socket.on('open', () => resolve(inspector));
		});
	}

	/** Calls a method of the protocol. @throws Error when the thread refuses, or is gone */
	call(method: string, params: object): Promise<object> {
		const id = ++this.#lastId;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { resolve, reject });
			this.#socket.send(JSON.stringify({ id, method, params }));
		});
	}

	/**
	 * Evaluates an expression in the global scope of the thread, where `require` is the inspector's own: an ES module has none.
	 * Neither a breakpoint nor the person's pause stops the thread in it.
	 * @returns its value, which must be representable in JSON
	 * @throws Error with what the thread threw, or why it could not be asked
	 */
	async evaluate(expression: string): Promise<unknown> {
		const params = { expression, includeCommandLineAPI: true, returnByValue: true, disableBreaks: true };
		const { result, exceptionDetails: thrown } = (await this.call('Runtime.evaluate', params)) as Evaluated;
		if (thrown !== undefined) throw new Error(thrown.exception?.description ?? thrown.text);
		return result.value;
	}

	#take(message: InspectorMessage): void {
		if (message.id === undefined) {
			this.#onEvent(message.method, message.params);
			return;
		}
		const waiting = this.#waiting.get(message.id);
		this.#waiting.delete(message.id);
		if (message.error !== undefined) waiting?.reject(new Error(message.error.message));
		else waiting?.resolve(message.result ?? {});
	}

	close(): void {
		this.#socket.close();
	}
}
