// Stretches of a recording's timeline, shown by its index: of its journals no more is unpacked than they need.
import { IndexedTimeline } from '../../engine/indexed-timeline.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import type { ReadText } from '../common/read-text.ts';
import { SourcePositions } from '../positions/source-positions.ts';
import type { Recording } from '../recordings/recording-file.ts';
import { indexOf, type RecordingIndex } from '../recordings/recording-index.ts';
import type { RecordingPart } from '../recordings/recording-part.ts';
import { notedModel } from './noted-model.ts';

export class IndexedRecording {
	private readonly journals: ReadonlyMap<string, RecordingPart>;
	private readonly scripts: readonly string[];
	private readonly model: IndexedTimeline;
	private readonly positions: SourcePositions;

	private constructor(recording: Recording, { index, rows }: RecordingIndex, read: ReadText) {
		const { journals, sources, otherPaths } = recording;
		this.journals = new Map(journals.map((part) => [part.name, part]));
		this.scripts = index.scripts;
		this.model = new IndexedTimeline(index, rows, [...this.journals.keys()], notedModel(recording));
		this.positions = new SourcePositions(sources, read, null, otherPaths);
	}

	/**
	 * Null where it has no index, or one that cannot be its own.
	 * @param recording whose summary is taken
	 * @param read how scripts and source maps are read that it does not contain
	 */
	static of(recording: Recording, read: ReadText): IndexedRecording | null {
		const index = indexOf(recording);
		return index === null ? null : new IndexedRecording(recording, index, read);
	}

	/** A stretch of it; where it is short, one by one. Null where the journals are not as the file says. */
	async timeline(query: TimelineQuery): Promise<Timeline | null> {
		const { model, positions } = this;
		const stretches = model.stretches(query);
		const bytes = new Map<string, Uint8Array>();
		for (const [name, { from, to }] of stretches ?? []) {
			const taken = this.journals.get(name)!.seek(from, to);
			if (taken === null) return null;
			bytes.set(name, taken);
		}
		await positions.load(this.scripts);
		const detail = stretches === null ? null : model.readAgain(query, stretches, (name) => bytes.get(name)!);
		return model.timeline(query, detail, positions.resolver);
	}
}
