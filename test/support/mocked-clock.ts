// A clock that a test moves: of `performance.now` and `setTimeout`.
import { mock } from 'node:test';

export class MockedClock {
	nowMs: number;

	/** Both are the test's until `restore`. */
	constructor(nowMs = 0) {
		this.nowMs = nowMs;
		mock.timers.enable({ apis: ['setTimeout'] });
		mock.method(performance, 'now', () => this.nowMs);
	}

	/** That many ms pass, one by one. */
	pass(ms: number): void {
		for (let each = 0; each < ms; each++) {
			this.nowMs++;
			mock.timers.tick(1);
		}
	}

	restore(): void {
		mock.restoreAll();
		mock.timers.reset();
	}
}
