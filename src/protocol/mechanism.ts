// What the kernel of each platform does for an event loop, by the names in its manual pages. From libuv's sources
// (src/unix/linux.c, kqueue.c, posix-poll.c, sunos.c, aix.c, src/win/): one mechanism per platform, chosen when libuv
// is built.
import type { Process } from './report.ts';

/** The calls behind an operation on one platform. */
export interface Mechanism {
	/** What people call it. */
	name: string;
	/** How libuv registers what it waits for. */
	register: string;
	/** Where the loop sleeps, and learns what is ready. */
	wake: string;
	/** How a pool thread wakes the loop. */
	poolWake: string;
	/** How the end of a child process is reported. */
	childExit: string;
}

const KQUEUE: Mechanism = {
	name: 'kqueue',
	register: 'kevent',
	wake: 'kevent',
	poolWake: 'kevent',
	childExit: 'SIGCHLD',
};

const BY_PLATFORM: Record<string, Mechanism> = {
	linux: {
		name: 'epoll',
		register: 'epoll_ctl',
		wake: 'epoll_wait',
		poolWake: 'eventfd, epoll_wait',
		childExit: 'SIGCHLD',
	},
	darwin: { ...KQUEUE, childExit: 'EVFILT_PROC' },
	freebsd: KQUEUE,
	openbsd: KQUEUE,
	netbsd: KQUEUE,
	win32: {
		name: 'IOCP',
		register: 'overlapped I/O',
		wake: 'GetQueuedCompletionStatusEx',
		poolWake: 'PostQueuedCompletionStatus',
		childExit: 'RegisterWaitForSingleObject',
	},
	sunos: {
		name: 'event ports',
		register: 'port_associate',
		wake: 'port_getn',
		poolWake: 'port_getn',
		childExit: 'SIGCHLD',
	},
	aix: {
		name: 'pollset',
		register: 'pollset_ctl',
		wake: 'pollset_poll',
		poolWake: 'pollset_poll',
		childExit: 'SIGCHLD',
	},
};

/** What is common to every Unix, where the platform has no entry. */
const POLL: Mechanism = { name: 'poll', register: 'poll', wake: 'poll', poolWake: 'poll', childExit: 'SIGCHLD' };

/** The mechanism of the platform that a program ran on. */
export function mechanismOf({ platform }: Pick<Process, 'platform'>): Mechanism {
	return BY_PLATFORM[platform] ?? POLL;
}
