// UV_THREADPOOL_SIZE was set when libuv had already read it: at the first use of the pool, or, on Windows before libuv 1.52, when the program started.
import { counted } from '../../protocol/units.ts';
import { sum } from '../common/sums.ts';
import { known, type Rule } from './rule.ts';

export const poolSizeTooLate: Rule = ({ poolSize, poolWanted, poolAssignment, lines }) => {
	if (poolWanted === null) return [];
	return [
		{
			code: 'pool-size-too-late',
			file: poolAssignment?.file ?? null,
			line: poolAssignment?.line ?? null,
			op: null,
			evidence: { effective: poolSize, wanted: poolWanted },
			basis: 'measured',
			victim: null,
			cause: null,
			message: `UV_THREADPOOL_SIZE was set to ${poolWanted} too late: the pool keeps its ${counted(poolSize, 'thread')}. Set it in the environment that starts the program.`,
			lostMs: poolWanted > poolSize ? sum(lines, ({ queue }) => known(queue)) : 0,
			savesMs: null,
		},
	];
};
