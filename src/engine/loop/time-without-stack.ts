// Time of a block for which samples show no function of the program, though its functions caused it: V8 gives no stack while it collects garbage, and between
// the ticks of a callback Node's own loop over them runs.
import type { StackTime } from './loop-block.ts';
import type { SampledStack } from './stack-samples.ts';

/** Node's function that calls one tick after another, and lets V8 run microtasks. */
const TICKS = 'processTicksAndRejections';
/** Functions that took a smaller share of the block need not have caused the rest. */
const LEAST_SHARE = 0.1;

/**
 * The same stacks with that time given to those which show functions of the program, in proportion to their own.
 * @param stacks of one block
 */
export function withCauses(stacks: ReadonlyMap<SampledStack, StackTime>): ReadonlyMap<SampledStack, StackTime> {
	let all = 0;
	let shown = 0;
	const lost = { us: 0, collectionUs: 0 };
	for (const [stack, time] of stacks) {
		all += time.us;
		if (stack.frames.length > 0) shown += time.us;
		else {
			const { us, collectionUs } = causedBy(stack, time);
			lost.us += us;
			lost.collectionUs += collectionUs;
		}
	}
	if (lost.us === 0 || shown < LEAST_SHARE * all) return stacks;
	return new Map(
		[...stacks].map(([stack, time]) => {
			const isShown = stack.frames.length > 0;
			const share = isShown ? time.us / shown : -1;
			const { us, collectionUs } = isShown ? lost : causedBy(stack, time);
			return [stack, { us: time.us + share * us, collectionUs: time.collectionUs + share * collectionUs }];
		}),
	);
}

/** How much of the time of a stack without functions of the program they caused. */
function causedBy({ api }: SampledStack, time: StackTime): StackTime {
	return api === TICKS ? time : { us: time.collectionUs, collectionUs: time.collectionUs };
}
