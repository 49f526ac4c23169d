// A program that runs under Node's inspector, and the messages to it: what a debugger does to a running program.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { attachTracer } from '../../src/host/injection/attach.ts';
import type { NodeBuild } from './nodes.ts';
import { root } from './paths.ts';
import { plainEnvironment } from './process.ts';

/** What the inspector says by itself of Workers; `message` is one of the Worker's own inspector, as JSON. */
interface WorkerEvent {
	method: string;
	params: { sessionId: string; message?: string };
}

interface Answer {
	result: { value?: unknown; description?: string };
	exceptionDetails?: { exception?: { description?: string } };
}

export class Inspected {
	stdout = '';
	stderr = '';
	private readonly child: ChildProcess;
	private socket!: WebSocket;
	private lastId = 0;
	private readonly waiting = new Map<number, (answer: Answer | 'closed' | undefined) => void>();
	private onWorker: (sessionId: string) => void = () => undefined;

	private constructor(node: NodeBuild, args: string[], variables: Record<string, string>) {
		this.child = spawn(node.path, ['--inspect=127.0.0.1:0', ...args], {
			env: plainEnvironment(variables),
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		this.child.stdout!.on('data', (data) => {
			this.stdout += data;
		});
		this.child.stderr!.on('data', (data) => {
			this.stderr += data;
		});
	}

	/** Starts the program and connects. The program sets `globalThis.ends` once it runs. */
	static async start(node: NodeBuild, args: string[], variables: Record<string, string> = {}): Promise<Inspected> {
		const started = new Inspected(node, args, variables);
		while (!/ws:\/\/\S+\n/.test(started.stderr)) await once(started.child.stderr!, 'data');
		started.socket = new WebSocket(/ws:\/\/\S+/.exec(started.stderr)![0]);
		started.socket.addEventListener('message', ({ data }) => {
			const message = JSON.parse(String(data)) as { id: number; result?: Answer } | WorkerEvent;
			if ('id' in message) started.take(message);
			else if (message.method === 'NodeWorker.attachedToWorker') started.onWorker(message.params.sessionId);
			else if (message.params.message !== undefined) started.take(JSON.parse(message.params.message));
		});
		started.socket.addEventListener('close', () => {
			for (const answer of started.waiting.values()) answer('closed');
		});
		await once(started.socket, 'open');
		// The inspector listens before the program runs, and provides no `require` until then.
		const running = { expression: `'ends' in globalThis`, returnByValue: true };
		while ((await started.send('Runtime.evaluate', running))?.result.value !== true);
		return started;
	}

	private take({ id, result }: { id: number; result?: Answer }): void {
		this.waiting.get(id)?.(result);
		this.waiting.delete(id);
	}

	/** Has each Worker that starts from now on wait for the inspector, and calls `enter` with it at once. */
	async enterWorkers(enter: (worker: InspectedWorker) => void): Promise<void> {
		this.onWorker = (sessionId) => enter(new InspectedWorker((method, params) => this.send(method, params, sessionId)));
		await this.send('NodeWorker.enable', { waitForDebuggerOnStart: true });
	}

	/** Evaluates an expression in the program; throws what it throws. */
	evaluate(expression: string): Promise<unknown> {
		return evaluate((method, params) => this.send(method, params), expression);
	}

	/**
	 * Resolves with undefined when the inspector refuses.
	 * @param sessionId of the Worker that is meant; without it, the main thread
	 */
	private send(method: string, params: object, sessionId?: string): Promise<Answer | undefined> {
		const id = ++this.lastId;
		const message = JSON.stringify({ id, method, params });
		// The number of the message that carries it is never asked for.
		const carrier = { id: -id, method: 'NodeWorker.sendMessageToWorker', params: { sessionId, message } };
		this.socket.send(sessionId === undefined ? message : JSON.stringify(carrier));
		return new Promise((resolve, reject) => {
			this.waiting.set(id, (answer) => {
				if (answer === 'closed') reject(new Error(`the program has ended: ${this.stderr}`));
				else resolve(answer);
			});
		});
	}

	/** Brings the tracer in, and returns what `then` evaluates to in the same stretch of the program. */
	attachTracer(folder: string, then: string): Promise<unknown> {
		return attachTracer(injectionInto(folder), (expression) => this.evaluate(expression), then);
	}

	/** Lets the program end and waits for that. */
	async end(): Promise<number | null> {
		this.socket.close();
		if (this.child.exitCode === null) await once(this.child, 'close');
		return this.child.exitCode;
	}

	kill(): void {
		this.child.kill('SIGKILL');
	}
}

type Send = (method: string, params: object) => Promise<Answer | undefined>;

/** A Worker of the program. */
export class InspectedWorker {
	private readonly send: Send;

	constructor(send: Send) {
		this.send = send;
	}

	/** Lets a Worker that waits for the inspector start. */
	async run(): Promise<void> {
		await this.send('Runtime.runIfWaitingForDebugger', {});
	}

	async attachTracer(folder: string): Promise<void> {
		await attachTracer(injectionInto(folder), (expression) => evaluate(this.send, expression));
	}
}

function injectionInto(folder: string): { tracer: string; folder: string } {
	return { tracer: `${root}/dist/tracer.cjs`, folder };
}

async function evaluate(send: Send, expression: string): Promise<unknown> {
	const params = { expression, includeCommandLineAPI: true, returnByValue: true };
	const { result, exceptionDetails } = (await send('Runtime.evaluate', params))!;
	if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description);
	return result.value;
}
