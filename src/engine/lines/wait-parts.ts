// Which parts the wait of an operation can be split into.
import type { OperationClass } from '../../protocol/report.ts';

/** Queue, execute and lag, lag only, or none. */
export type WaitParts = 'all' | 'lag' | 'none';

export function waitPartsOf(operationClass: OperationClass): WaitParts {
	switch (operationClass) {
		case 'threadpool':
			return 'all';
		case 'kernel':
		case 'io_uring':
		case 'process':
		case 'timer':
			return 'lag';
		default:
			return 'none';
	}
}
