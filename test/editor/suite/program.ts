// A program of rounds that is not debugged yet, as a person may have one running.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { PROFILE_MARK } from '../../../src/vscode/api.ts';
import { fileOf, until, workspaceFolder } from './editor.ts';
import { type Launch, launched } from './session.ts';

const ROUNDS = 'rounds.cjs';

export interface Options {
	/** Another program than that of rounds. */
	program?: string;
	startFile?: string;
}

export class Program {
	readonly stopFile: string;
	readonly process: ChildProcess;
	stdout = '';
	stderr = '';

	private constructor(name: string, { program, startFile }: Options, args: string[]) {
		this.stopFile = fileOf(name);
		rmSync(this.stopFile, { force: true });
		this.process = spawn('node', ['--expose-internals', ...args, fileOf(program ?? ROUNDS)], {
			env: { ...process.env, NODE_OPTIONS: '', STOP_FILE: this.stopFile, START_FILE: startFile },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		this.process.stdout!.on('data', (data) => {
			this.stdout += data;
		});
		this.process.stderr!.on('data', (data) => {
			this.stderr += data;
		});
	}

	/** Starts it, and waits until it runs: before that, the signal by which a debugger comes in would end it. */
	static async start(name: string, options: Options, ...args: string[]): Promise<Program> {
		const program = new Program(name, options, args);
		await until('its start', () => program.stdout.includes('started'));
		return program;
	}

	/** Attaches to it, with a profile; it was started with `--inspect`. */
	async attach(): Promise<Launch> {
		const port = await this.inspectorPort();
		return launched(() =>
			vscode.debug.startDebugging(workspaceFolder(), {
				type: 'node',
				request: 'attach',
				name: 'By port',
				address: '127.0.0.1',
				port,
				[PROFILE_MARK]: true,
			}),
		);
	}

	/** Where its inspector listens, once it does. */
	async inspectorPort(): Promise<number> {
		return Number(await until('its port', () => /ws:\/\/127\.0\.0\.1:(\d+)/.exec(this.stderr)?.[1]));
	}

	/** Rounds that began and ended while a tracer listened: by its own count. @param tracer 0 for the first that came */
	heard(tracer = 0): number {
		return this.stdout.split(`${tracer}`).length - 1;
	}

	get runs(): boolean {
		return this.process.exitCode === null && this.process.signalCode === null;
	}

	/** Lets it end by itself; returns how many rounds it counted. */
	async stop(): Promise<number> {
		writeFileSync(this.stopFile, '');
		await until('the end of the program', () => !this.runs);
		assert.equal(this.process.exitCode, 0, this.stderr);
		return Number(readFileSync(this.stopFile, 'utf8'));
	}
}
