// A program that runs under Node's inspector, and the messages to it: what a debugger does to a running program.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { attachTracer } from '../../src/host/attach.ts';
import type { NodeBuild } from './nodes.ts';
import { root } from './paths.ts';
import { plainEnvironment } from './process.ts';

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
			const { id, result } = JSON.parse(String(data)) as { id: number; result?: Answer };
			started.waiting.get(id)?.(result);
			started.waiting.delete(id);
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

	/** Evaluates an expression in the program; throws what it throws. */
	async evaluate(expression: string): Promise<unknown> {
		const params = { expression, includeCommandLineAPI: true, returnByValue: true };
		const { result, exceptionDetails } = (await this.send('Runtime.evaluate', params))!;
		if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description);
		return result.value;
	}

	/** Resolves with undefined when the inspector refuses. */
	private send(method: string, params: object): Promise<Answer | undefined> {
		const id = ++this.lastId;
		this.socket.send(JSON.stringify({ id, method, params }));
		return new Promise((resolve, reject) => {
			this.waiting.set(id, (answer) => {
				if (answer === 'closed') reject(new Error(`the program has ended: ${this.stderr}`));
				else resolve(answer);
			});
		});
	}

	/** Brings the tracer in, and returns what `then` evaluates to in the same stretch of the program. */
	attachTracer(folder: string, then: string): Promise<unknown> {
		const injection = { tracer: `${root}/dist/tracer.cjs`, folder };
		return attachTracer(injection, (expression) => this.evaluate(expression), then);
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
