// Kernel probes on functions of one program file: ftrace's uprobes, and beside them what the scheduler did with our
// threads. Seen through a tracefs instance of our own, so that other tracing is not disturbed. Times are
// CLOCK_MONOTONIC, as Node's hrtime.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TRACEFS = '/sys/kernel/tracing';
const DEFINITIONS = join(TRACEFS, 'uprobe_events');
/** Names of our probe groups and instances begin so, followed by the process that owns them. */
const PREFIX = 'waitline_truth_';
/** Per CPU; a run of ours writes some 100 KiB. */
const BUFFER_KIB = 8192;

export interface Probe {
	/** Letters, digits and underscores. */
	name: string;
	kind: 'entry' | 'return';
	offset: number;
	/** Values to fetch, in the kernel's words: `w=%si`. */
	fetch?: string;
}

export interface ProbeEvent {
	name: string;
	/** The thread. */
	tid: number;
	/** CLOCK_MONOTONIC, µs. */
	us: number;
	values: Record<string, number>;
	/** `sched_switch` only: the thread that left the CPU could have gone on. */
	isPreempted: boolean;
}

/** Why there can be no probes here, in one sentence; undefined when there can. */
export function whyNoProbes(): string | undefined {
	if (process.platform !== 'linux' || process.arch !== 'x64') return 'ground truth needs uprobes of Linux on x64';
	if (process.getuid?.() !== 0) return 'ground truth needs root, to set uprobes';
	if (!existsSync(join(TRACEFS, 'trace_clock'))) {
		const { status } = spawnSync('mount', ['-t', 'tracefs', 'tracefs', TRACEFS], { stdio: 'ignore' });
		if (status !== 0) return 'ground truth needs tracefs, which cannot be mounted here';
	}
	if (!existsSync(DEFINITIONS)) return 'ground truth needs uprobes, which this kernel was built without';
	if (!/\bmono\b/.test(readFileSync(join(TRACEFS, 'trace_clock'), 'utf8'))) {
		return 'ground truth needs the trace clock "mono", which this kernel lacks';
	}
	return undefined;
}

let made = 0;

/** A set of probes that is recording. `close` it: else it slows every process that runs that file until the next boot. */
export class Uprobes {
	private readonly group: string;
	private readonly instance: string;
	private readonly names: string[] = [];
	private isOpen = true;
	private readonly onExit = () => this.close();

	constructor(file: string, probes: Probe[]) {
		removeAbandoned();
		this.group = `${PREFIX}${process.pid}_${++made}`;
		this.instance = join(TRACEFS, 'instances', this.group);
		process.on('exit', this.onExit);
		try {
			for (const { name, kind, offset, fetch = '' } of probes) {
				const what = `${kind === 'entry' ? 'p' : 'r'}:${this.group}/${name}`;
				// Appended: opening this file for a plain write removes everybody's probes.
				appendFileSync(DEFINITIONS, `${what} ${file}:0x${offset.toString(16)} ${fetch}\n`);
				this.names.push(name);
			}
			mkdirSync(this.instance);
			this.write('trace_clock', 'mono');
			this.write('buffer_size_kb', String(BUFFER_KIB));
			// Only of this process's children and their threads.
			this.write('options/event-fork', '1');
			this.write('set_event_pid', String(process.pid));
			this.write('events/sched/sched_waking/enable', '1');
			// A thread's first: nothing wakes it.
			this.write('events/sched/sched_wakeup_new/enable', '1');
			this.write('events/sched/sched_switch/enable', '1');
			this.write(`events/${this.group}/enable`, '1');
		} catch (error) {
			this.close();
			throw error;
		}
	}

	/**
	 * All events so far, in the order of time.
	 * @throws when the kernel had to drop some
	 */
	read(): ProbeEvent[] {
		for (const cpu of readdirSync(join(this.instance, 'per_cpu'))) {
			const stats = readFileSync(join(this.instance, 'per_cpu', cpu, 'stats'), 'utf8');
			const lost = /^(?:overrun|dropped events): [1-9]\d*$/m.exec(stats);
			if (lost !== null) throw new Error(`the trace of ${cpu} is not whole: ${lost[0]}`);
		}
		const events: ProbeEvent[] = [];
		for (const line of readFileSync(join(this.instance, 'trace'), 'utf8').split('\n')) {
			const match = EVENT.exec(line);
			if (match === null) continue;
			const [, tid, seconds, micros, name, rest] = match as unknown as [string, string, string, string, string, string];
			const values: Record<string, number> = {};
			for (const [, key, value] of rest.matchAll(/(\w+)=(0x[0-9a-f]+|-?\d+)/g)) values[key!] = Number(value);
			const us = Number(seconds) * 1e6 + Number(micros);
			events.push({ name, tid: Number(tid), us, values, isPreempted: / prev_state=R/.test(rest) });
		}
		return events;
	}

	/** Takes the probes out again; a second call does nothing. */
	close(): void {
		if (!this.isOpen) return;
		this.isOpen = false;
		process.off('exit', this.onExit);
		remove(this.group, this.names);
	}

	private write(file: string, text: string): void {
		writeFileSync(join(this.instance, file), text);
	}
}

/** `  node-4711    [001] DNZff   567.890123: submit: (0x18a80b0) w=0x7ffe` */
const EVENT = /^\s*.+-(\d+)\s+\[\d+\] \S+\s+(\d+)\.(\d{6}): (\w+): (.*)$/;

function remove(group: string, names: string[]): void {
	const instance = join(TRACEFS, 'instances', group);
	if (existsSync(instance)) {
		writeFileSync(join(instance, 'events', 'enable'), '0');
		rmdirSync(instance);
	}
	for (const name of names) appendFileSync(DEFINITIONS, `-:${group}/${name}\n`);
}

/** A process of ours that was killed could not take its probes out. */
function removeAbandoned(): void {
	const groups = new Map<string, string[]>();
	for (const group of readdirSync(join(TRACEFS, 'instances'))) groups.set(group, []);
	for (const [, group, name] of readFileSync(DEFINITIONS, 'utf8').matchAll(/^[pr]:(\w+)\/(\w+) /gm)) {
		groups.set(group!, [...(groups.get(group!) ?? []), name!]);
	}
	for (const [group, names] of groups) {
		if (group.startsWith(PREFIX) && !existsSync(`/proc/${Number.parseInt(group.slice(PREFIX.length), 10)}`)) {
			remove(group, names);
		}
	}
}
