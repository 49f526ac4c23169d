// The texts of a line's details, in the user's language.
import { l10n } from 'vscode';
import type { LifeStrings } from '../../protocol/life.ts';
import type { DetailStrings } from './line-details.ts';

export function detailStrings(): DetailStrings {
	return {
		edited: l10n.t('This line was edited after it ran. The figures are for the code as it was.'),
		basis: l10n.t('Basis'),
		measured: l10n.t('measured'),
		oldestPending: l10n.t('the oldest of them for {0}'),
		sampled: l10n.t('1 of {0} operations timed'),
		assumed: l10n.t('assumed'),
		assumesAddonJobs: l10n.t(
			'Assumes that an add-on’s work runs on libuv’s thread pool, as most of it does; this cannot be confirmed.',
		),
		asyncStacks: l10n.t(
			'While {0} of {1} callbacks ran, the debugger was collecting asynchronous call stacks: run and lag are longer than they would otherwise be.',
		),
		turnOffAsyncStacks: l10n.t('Stop collecting'),
		extrapolated: l10n.t('extrapolated'),
		histogram: l10n.t('{0} to {1}, mostly (×{2}) {3} to {4}'),
		life: l10n.t('One operation near the median waited {0} and ran {1}:'),
		lifeWithoutRun: l10n.t('One operation near the median waited {0}:'),
		mechanism: l10n.t('kernel mechanism: {0} ({1})'),
		pool: l10n.t('pool size {0}'),
		ioUring: l10n.t('file system through io_uring'),
		whatToDo: l10n.t('What can I do?'),
		calledFrom: l10n.t('Called from'),
		mainScript: l10n.t('main script'),
		through: l10n.t('Through'),
		delays: l10n.t('Operations that were done and had to wait for it:'),
		delayedBy: l10n.t('Its callbacks had to wait for lines that blocked the event loop:'),
		inAll: l10n.t('{0} in total'),
		garbage: l10n.t('garbage collection: {0}'),
		showInPanel: l10n.t('Show in panel'),
		filterLine: l10n.t('Only this line in the tree'),
		filterClass: l10n.t('Only “{0}” in the tree'),
		computed: l10n.t('What ran meanwhile, by stack samples:'),
		startUp: l10n.t('start-up (main script)'),
		moduleCode: l10n.t('code of the module'),
		garbageShare: l10n.t('garbage collection {0}'),
		copy: l10n.t('Copy as Markdown'),
	};
}

/** `{0}` is a name of Node, libuv or the kernel. */
export function lifeStrings(): LifeStrings {
	return {
		call: l10n.t('This line calls {0}'),
		binding: l10n.t('Node’s JavaScript calls its C++ binding'),
		submit: l10n.t('The binding gives the work to libuv ({0})'),
		queue: l10n.t('It waits in the queue of the thread pool until a thread is free'),
		take: l10n.t('A pool thread takes it'),
		execute: l10n.t('The thread does the work'),
		poolWake: l10n.t('The thread reports the result and wakes the event loop ({0})'),
		register: l10n.t('libuv tells the kernel what it waits for ({0})'),
		kernelWork: l10n.t('The kernel and the other side work; no thread of the program waits'),
		kernelWake: l10n.t('The kernel reports an event and wakes the event loop ({0})'),
		read: l10n.t('libuv takes what arrived and calls the binding'),
		ringSubmit: l10n.t('libuv puts the work on the ring that it shares with the kernel ({0})'),
		ringWork: l10n.t('The kernel does the work; the thread pool stays free'),
		ringWake: l10n.t('The kernel reports the result on the ring and wakes the event loop ({0})'),
		timerList: l10n.t('Node puts it on its list of timers of the same duration'),
		timerStart: l10n.t('The event loop may sleep until the next timer is due ({0})'),
		timePasses: l10n.t('The time passes'),
		timerDue: l10n.t('The timer is due and the event loop wakes'),
		enqueue: l10n.t('Node puts the callback into a queue of its own, without the kernel'),
		turn: l10n.t('The event loop gets to that queue'),
		spawn: l10n.t('libuv starts the process ({0})'),
		childRuns: l10n.t('The other process runs'),
		childEnds: l10n.t('The kernel reports that it has ended ({0})'),
		post: l10n.t('Node gives it to the other thread'),
		otherThread: l10n.t('The other thread works'),
		threadWake: l10n.t('The other thread wakes this event loop ({0})'),
		elsewhere: l10n.t('It continues where Waitline cannot see it'),
		askPool: l10n.t('This line asks a pool for a connection, but none is free'),
		poolGives: l10n.t('It waits in the pool’s queue until one is returned'),
		given: l10n.t('It gets the connection; what it requests over it is shown separately'),
		askAgent: l10n.t('This line makes a request, but its HTTP agent has all its sockets in use'),
		agentGives: l10n.t('It waits in the agent’s queue until one is free'),
		askConnection: l10n.t('This line sends a request over a connection that is busy or not open yet'),
		connectionTurn: l10n.t('It waits in the connection’s queue for its turn'),
		sent: l10n.t('It is sent; the wait for the answer is shown separately'),
		lag: l10n.t('The loop first finishes what it is running'),
		callback: l10n.t('The callback runs, or the code after the await'),
	};
}
