// What stands behind a line after which the loop was blocked. The program's one block may have company: on a busy machine its start blocks the loop
// too, on the same line.
import type { Block } from '../../../src/protocol/report.ts';
import { formatMs } from '../../../src/protocol/units.ts';

/** `205 ms`, or `2× · 270 ms`. @param blocks of one line */
export function blockedFor(blocks: readonly Block[]): string {
	const total = formatMs(blocks.reduce((sum, { durationMs }) => sum + durationMs, 0));
	return blocks.length > 1 ? `${blocks.length}× · ${total}` : total;
}
