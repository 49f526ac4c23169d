// The operation that a person has selected on the timeline. Each answer numbers its operations anew, so it is kept by its thread, line and start, and found again in
// the answer that is drawn.
import type { Timeline } from '../../protocol/timeline.ts';
import { type Causes, causesOf } from './timeline-causes.ts';
import type { TimelineData } from './timeline-data.ts';
import type { CauseText, TimelineTexts } from './timeline-texts.ts';

/** An operation in any answer of the session. */
interface Selected {
	thread: number;
	line: number;
	/** In ms of the recording. */
	startMs: number;
	/** What was said of it when it was there last. */
	text: string;
}

/** Answers write the same time in different ways: two starts that are closer than this are one. In ms. */
const SAME_MS = 1e-6;

export class Selection {
	readonly #data: TimelineData;
	readonly #texts: TimelineTexts;
	#selected: Selected | null = null;
	/** Its index in the answer that is drawn; -1 where it is not in it. */
	at = -1;
	/** Why it waited; null where nothing is selected. */
	causes: Causes | null = null;
	causeTexts: CauseText[] = [];

	constructor(data: TimelineData, texts: TimelineTexts) {
		this.#data = data;
		this.#texts = texts;
	}

	/** What is said of it; null for nothing. */
	get text(): string | null {
		return this.#selected?.text ?? null;
	}

	/** When it started, in ms; undefined for nothing. */
	get startMs(): number | undefined {
		return this.#selected?.startMs;
	}

	/** The index of its line among those of the session; undefined for nothing. */
	get line(): number | undefined {
		return this.#selected?.line;
	}

	clear(): void {
		this.#selected = null;
	}

	/** @param index in the answer that is drawn; `find` says what is known of it */
	select(shown: Timeline, index: number): void {
		const { thread, line, startMs } = shown.detail!.operations;
		this.#selected = { thread: thread[index]!, line: line[index]!, startMs: startMs[index]!, text: '' };
	}

	/** Finds it in an answer. */
	find(shown: Timeline | null): void {
		const [selected, operations] = [this.#selected, shown?.detail?.operations];
		this.at = -1;
		this.causes = null;
		this.causeTexts = [];
		if (selected === null || operations === undefined) return;
		this.at = operations.startMs.findIndex(
			(ms, index) =>
				Math.abs(ms - selected.startMs) < SAME_MS &&
				operations.line[index] === selected.line &&
				operations.thread[index] === selected.thread,
		);
		if (this.at < 0) return;
		selected.text = this.#texts.operation(shown!, this.at);
		this.causes = causesOf(shown!.detail!, this.#data.threads, this.at);
		this.causeTexts = this.#texts.causes(shown!, this.at, this.causes);
	}
}
