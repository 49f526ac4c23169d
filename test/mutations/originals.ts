// The recordings that are mutated: real ones, of three kinds of programs, made by the command line tool when a run begins. They are kept
// until the next run, so that a mutation that failed can be made again, byte for byte.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { DebuggerStretch } from '../../src/engine/clocks/debugger-stretch.ts';
import { parseRecording } from '../../src/host/recordings/recording-file.ts';
import { bytesOfPart } from '../../src/host/recordings/recording-part.ts';
import { LiveSession } from '../../src/host/sessions/live-session.ts';
import { writeMadeJournal } from '../bench/engine/made-journal.ts';
import { root } from '../support/paths.ts';
import { scratchFolder } from '../support/scratch.ts';
import { waitline } from '../support/waitline.ts';
import type { Original } from './mutate.ts';
import { recordingOf } from './parts.ts';

const programs = join(import.meta.dirname, 'programs');
/** Where they are kept, unless somebody names another folder. */
export const keptFolder = join(root, 'test', 'out', 'mutations');

interface Program {
	name: string;
	/** How it ends: a recording of one that is killed is cut in the midst of its work. */
	signal: NodeJS.Signals | null;
	/** It is compiled, with its map inside, a debugger has stopped it in places, and the recording brings the compiled script along. */
	isCompiled: boolean;
}

const PROGRAMS: readonly Program[] = [
	{ name: 'uses-files-and-the-pool', signal: null, isCompiled: false },
	{ name: 'serves-with-children', signal: null, isCompiled: false },
	{ name: 'blocks-its-loop-and-is-killed', signal: 'SIGKILL', isCompiled: true },
];

/** A recording with enough operations for its summary to carry all of its timeline, of so few lines that it has an index. */
const LONG = 'has-many-operations';
const MANY = 3200;
const FEW_LINES = 8;

/** Records the programs anew. @param folder loses what is in it */
export async function makeOriginals(folder: string): Promise<Original[]> {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	for (const { name, signal, isCompiled } of PROGRAMS) {
		const file = fileOf(folder, name);
		const program = isCompiled ? await compiled(folder, name) : join(programs, `${name}.cjs`);
		const outcome = await waitline(['run', '--no-report', '--out', file, '--', process.execPath, program]);
		assert.deepEqual([outcome.code, outcome.signal], [signal === null ? 0 : null, signal], outcome.stderr.toString());
		if (isCompiled) writeFileSync(file, debugged(readFileSync(file), program));
	}
	await saveMany(fileOf(folder, LONG));
	return keptOriginals(folder);
}

/** Those of the last run. @throws when there are none */
export function keptOriginals(folder: string): Original[] {
	return [...PROGRAMS.map(({ name }) => name), LONG].map((name) => ({
		name,
		bytes: readFileSync(fileOf(folder, name)),
	}));
}

function fileOf(folder: string, name: string): string {
	return join(folder, `${name}.waitline`);
}

async function saveMany(file: string): Promise<void> {
	const folder = scratchFolder();
	writeMadeJournal(folder, MANY, undefined, FEW_LINES);
	const session = await LiveSession.start({ folder });
	await session.stop();
	await session.save(file);
	await session.remove();
	assert.notEqual(parseRecording(readFileSync(file), file).index, null);
}

/** Compiles a program to a file that has its map inside. */
async function compiled(folder: string, name: string): Promise<string> {
	const outfile = join(folder, `${name}.cjs`);
	const entryPoints = [join(programs, `${name}.ts`)];
	await build({ entryPoints, outfile, sourcemap: 'inline', format: 'cjs', platform: 'node' });
	return outfile;
}

/** The recording with a debugger's stops in it, the last of which lasts, and the text of the script that has the map. */
function debugged(bytes: Buffer, script: string): Buffer {
	const { journals, sources } = parseRecording(bytes, 'recording');
	const [pid, , began] = journals[0]!.name.split('.').map(Number) as [number, number, number];
	const stops = [40, 90, 150, 1000].map((ms) => began + ms * 1000);
	const pauses: DebuggerStretch[] = stops.map((from, i) => ({
		pid,
		from,
		to: i === stops.length - 1 ? Infinity : from + 5000,
	}));
	const texts = { ...Object.fromEntries(sources), [script]: readFileSync(script, 'utf8') };
	const part = (name: string, content: Uint8Array) => ({ name: Buffer.from(name), bytes: Buffer.from(content) });
	return recordingOf([
		part('pauses.json', Buffer.from(JSON.stringify(pauses))),
		part('async-stacks.json', Buffer.from(JSON.stringify(pauses))),
		part('sources.json', Buffer.from(JSON.stringify(texts))),
		...journals.map((journal) => part(journal.name, bytesOfPart(journal))),
	]);
}
