// The records of a journal as lines for people: what the tracer wrote, before anything is concluded from it. The names
// of the fields are those of `src/protocol/journal-records.ts`; ids of strings are replaced by the strings.
import {
	BEGIN_FLAG,
	EARLY_TIME,
	FIELDS,
	FLAGS,
	type FrameFacts,
	KIND_BITS,
	KIND_MASK,
	LAYOUTS,
	type RecordName,
	START_FLAG,
	STRING,
	TAG,
	TIME,
} from '../../protocol/journal-records.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import type { JournalVisitor } from './journal-visitor.ts';
import type { ThreadFacts } from './thread-facts.ts';

const NAMES = Object.keys(TAG) as RecordName[];
/** `unrecorded` and two blanks. */
const NAME_WIDTH = 12;
/** Milliseconds with three digits after the point, up to a day. */
const TIME_WIDTH = 14;

/** Flags by the record that has them. */
const FLAG_NAMES: Partial<Record<RecordName, Readonly<Record<string, number>>>> = {
	start: START_FLAG,
	begin: BEGIN_FLAG,
};

/**
 * A visitor that writes a line for each record: its time in ms since the journal began, its name, its fields. The first
 * line describes the thread.
 * @param write receives each line, without a line break or invisible characters
 */
export function recordList(write: (line: string) => void): JournalVisitor {
	const strings = new Map<number, string>();
	let isHeaded = false;
	const line = (name: string, timeUs: number | null, fields: readonly string[]) => {
		const time = timeUs === null ? '' : (timeUs / 1000).toFixed(3);
		write(visibleText(`${time.padStart(TIME_WIDTH)}  ${name.padEnd(NAME_WIDTH)}${fields.join(' ')}`.trimEnd()));
	};
	const show = (name: RecordName, values: readonly unknown[]) => {
		const { fields, kinds } = LAYOUTS[TAG[name]]!;
		const at = kinds.findIndex((kind) => kind === TIME || kind === EARLY_TIME);
		const flags = (values[kinds.indexOf(FLAGS)] as number | undefined) ?? 0;
		const texts = fields.flatMap((field, i) => {
			const value = values[i];
			const kind = kinds[i]!;
			const isAbsent = kind > KIND_MASK && (flags & (kind >> KIND_BITS)) === 0;
			if (i === at || isAbsent) return [];
			if (kind === FLAGS) return value === 0 ? [] : [`${field}=${flagsText(name, value as number)}`];
			// An id that the record introduces is shown as a number; an id that it refers to, as its string.
			const isReference = kind === STRING && name !== 'string';
			return [`${field}=${isReference ? textOf(value as number) : valueText(value)}`];
		});
		line(name, at < 0 ? null : (values[at] as number), texts);
	};
	const textOf = (id: number) => (id === 0 ? '-' : (strings.get(id) ?? `?${id}`));
	const valueText = (value: unknown): string => (Array.isArray(value) ? framesText(value) : String(value));
	const framesText = (frames: readonly FrameFacts[]) =>
		frames
			.map(({ script, name, line, column, lines, isLibrary }) => {
				const ran = lines.length === 0 ? '' : ` ran ${lines.join(',')}`;
				return `[${textOf(name)} ${textOf(script)}:${line}:${column}${ran}${isLibrary ? ' library' : ''}]`;
			})
			.join('');

	const plain = Object.fromEntries(NAMES.map((name) => [name, (...values: unknown[]) => show(name, values)]));
	return {
		...(plain as unknown as JournalVisitor),
		gap() {
			line('…', null, ['records are missing here: they were lost or are damaged']);
		},
		thread(facts) {
			strings.clear();
			if (!isHeaded) write(visibleText(headOf(facts)));
			isHeaded = true;
			line(
				'thread',
				null,
				Object.keys(FIELDS.thread).map((field) => `${field}=${String(facts[field as keyof ThreadFacts])}`),
			);
		},
		string(id, text) {
			strings.set(id, text);
			show('string', [id, text]);
		},
	};
}

function headOf({ pid, threadId, node, platform, entry }: ThreadFacts): string {
	const thread = threadId === 0 ? 'main thread' : `Worker ${threadId}`;
	const program = entry === '' ? '' : ` · ${entry}`;
	return `process ${pid} · ${thread} · Node ${node} on ${platform}${program} · times in ms since its journal began`;
}

function flagsText(record: RecordName, flags: number): string {
	const names = Object.entries(FLAG_NAMES[record] ?? {}).flatMap(([name, bit]) => ((flags & bit) === 0 ? [] : [name]));
	return names.length === 0 ? String(flags) : names.join('+');
}
