// What the processes of a recording would have been like under other conditions: reads its journals again, for a replay.
import os from 'node:os';
import { SessionModel } from '../../engine/session-model.ts';
import { LoggedThread, type ProgramLogs } from '../../engine/what-if/logged-thread.ts';
import { WhatIf } from '../../engine/what-if/what-if.ts';
import { SIZES, type WhatIfProcess, type WhatIfQuestion, type WhatIfReport } from '../../protocol/what-if.ts';
import type { ReadText } from '../common/read-text.ts';
import type { Recording } from '../recordings/recording-file.ts';
import { reportSourceOf } from './report-source.ts';

export class WhatIfSource {
	/** Those that used their pools. */
	readonly processes: readonly WhatIf[];
	private readonly areCoresKnown: boolean;

	private constructor(processes: readonly WhatIf[], areCoresKnown: boolean) {
		this.processes = processes;
		this.areCoresKnown = areCoresKnown;
	}

	/**
	 * @param read how scripts and source maps are read that the recording does not contain; by default they are not
	 * @param cores processors that its programs could use; null: as it says
	 */
	static async of(recording: Recording, read?: ReadText, cores: number | null = null): Promise<WhatIfSource> {
		const logs: ProgramLogs = new Map();
		const model = new SessionModel((debuggerOf) => new LoggedThread(debuggerOf, logs));
		const resolve = await reportSourceOf(recording, read, model).resolver();
		const known = cores ?? recording.cores;
		const recorded = known ?? os.availableParallelism();
		const all = [...logs].map(([{ size }, log]) => new WhatIf(log, { threads: size, cores: recorded }, resolve));
		return new WhatIfSource(
			all.filter(({ isEmpty }) => !isEmpty),
			known !== null,
		);
	}

	predict(question: WhatIfQuestion): WhatIfReport {
		const predictions = this.processes.flatMap((process) => predictionsOf(process, question));
		return { schema: 'waitline/what-if@1', predictions, areCoresKnown: this.areCoresKnown };
	}
}

function predictionsOf(process: WhatIf, { threads, cores, changed }: WhatIfQuestion): WhatIfProcess[] {
	const { recorded } = process;
	const sizes = threads === null ? [...new Set([...SIZES, recorded.threads])] : [threads];
	return sizes
		.sort((a, b) => a - b)
		.map((size) => process.predict({ threads: size, cores: cores ?? recorded.cores, changed }));
}
