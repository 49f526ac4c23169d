// A recording of such a journal, saved as the editor saves one (dist/ must be built).
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SessionThread } from '../../../src/host/engine-thread/session-thread.ts';
import { parseRecording } from '../../../src/host/recordings/recording-file.ts';
import { root } from '../../support/paths.ts';
import { random } from '../../support/random.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { writeMadeJournal } from './made-journal.ts';

export interface MadeRecording {
	file: string;
	journalMib: number;
	fileMib: number;
	/** Of its index, unpacked; null where it has none. */
	indexMib: number | null;
	saveSeconds: number;
	remove(): void;
}

export async function saveMadeRecording(operations: number): Promise<MadeRecording> {
	const session = scratchFolder('made-session');
	const folder = scratchFolder('made-recording');
	const journalMib = statSync(writeMadeJournal(session, operations, random(operations))).size / 2 ** 20;
	const thread = await SessionThread.start({ folder: session, program: join(root, 'dist/engine-thread.js') });
	await thread.stop();
	const file = join(folder, 'long.waitline');
	const from = performance.now();
	await thread.save(file);
	const saveSeconds = (performance.now() - from) / 1000;
	await thread.remove();
	const remove = () => rmSync(folder, { recursive: true });
	const { index } = parseRecording(readFileSync(file), file);
	const indexMib = index === null ? null : index.length / 2 ** 20;
	return { file, journalMib, fileMib: statSync(file).size / 2 ** 20, indexMib, saveSeconds, remove };
}
