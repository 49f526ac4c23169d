// The records of a stretch of time: for the figures of what ended in it. What came before is read too, since only that shows what was under way when the
// stretch began; its figures are then forgotten. What came after it is left out.
import { EARLY_TIME, KIND_MASK, LAYOUTS, type RecordName, TAG, TIME } from '../../protocol/journal-records.ts';
import type { JournalVisitor } from '../journal/journal-visitor.ts';
import type { ThreadModel } from './thread-model.ts';

/** Without a time, and needed by what has one. */
const TABLES: readonly RecordName[] = ['thread', 'string', 'position', 'site', 'called', 'pool', 'ancestor'];
/** Where the idle time is in a `begin`. */
const IDLE = 3;

/** A stretch, in µs of the process: hrtime without the pauses of a debugger. */
export interface Limits {
	readonly from: number;
	readonly to: number;
}

/** Passes on to a thread's model what the figures of the stretch need. */
export function limitedRecords(model: ThreadModel, { from, to }: Limits): JournalVisitor {
	let state: 'before' | 'within' | 'over' = 'before';
	/** A record of that time comes next; `idle`: how long the loop slept before it. */
	const goTo = (at: number, idle: number) => {
		const time = model.inProcess(at);
		if (state === 'before' && time >= from) {
			state = 'within';
			model.beginPart(from - model.originUs);
		}
		if (state === 'within' && time > to) {
			state = 'over';
			model.endPart(to - model.originUs, Math.max(0, idle - (time - to)));
		}
	};
	const entries = (Object.keys(TAG) as RecordName[]).map((name) => {
		const at = LAYOUTS[TAG[name]]!.kinds.findIndex((kind) => [TIME, EARLY_TIME].includes(kind & KIND_MASK));
		const isTable = TABLES.includes(name);
		const pass = (model[name] as (...values: unknown[]) => void).bind(model);
		const take = (...values: unknown[]) => {
			if (at >= 0) goTo(values[at] as number, name === 'begin' ? (values[IDLE] as number) : 0);
			if (state !== 'over' || isTable) pass(...values);
		};
		return [name, take] as const;
	});
	return { ...(Object.fromEntries(entries) as unknown as JournalVisitor), gap: () => model.gap() };
}
