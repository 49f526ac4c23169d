// Stretches of the timeline that tests make up.
import type { TimelineDetail } from '../../src/protocol/timeline.ts';

/** One in which nothing happened. */
export function emptyDetail(): TimelineDetail {
	return {
		operations: {
			thread: new Uint16Array(),
			line: new Uint32Array(),
			startMs: new Float64Array(),
			waitMs: new Float32Array(),
			calledMs: new Float64Array(),
			queueMs: new Float32Array(),
			executeMs: new Float32Array(),
			lagMs: new Float32Array(),
			runMs: new Float32Array(),
			uncertaintyMs: new Float32Array(),
			isOpen: new Uint8Array(),
			starter: new Int32Array(),
			run: new Int32Array(),
			behind: new Int32Array(),
			request: new Int32Array(),
		},
		runs: {
			thread: new Uint16Array(),
			line: new Int32Array(),
			startMs: new Float64Array(),
			durationMs: new Float32Array(),
			isMain: new Uint8Array(),
		},
		jobs: {
			thread: new Uint16Array(),
			line: new Int32Array(),
			operation: new Int32Array(),
			startMs: new Float64Array(),
			beganMs: new Float64Array(),
			doneMs: new Float64Array(),
			uncertaintyMs: new Float32Array(),
		},
		collections: { thread: new Uint16Array(), startMs: new Float64Array(), durationMs: new Float32Array() },
		requests: {
			thread: new Uint16Array(),
			line: new Uint32Array(),
			startMs: new Float64Array(),
			durationMs: new Float32Array(),
			isOpen: new Uint8Array(),
		},
	};
}
