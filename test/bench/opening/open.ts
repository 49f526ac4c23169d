// Opens a recording as the editor does, in a thread, and prints what that took as JSON; then what it takes until a short stretch of it is there, operation by
// operation. A process of its own, so that its memory is its own.
import { readFile } from 'node:fs/promises';
import { readInThread } from '../../../src/host/engine-thread/recording-thread.ts';
import { ALL_OF_IT } from '../../../src/protocol/timeline.ts';
import { root } from '../../support/paths.ts';

const [, , file = ''] = process.argv;
const from = performance.now();
const bytes = await readFile(file);
const program = `${root}/dist/engine-thread.js`;
const read = await readInThread({ bytes, name: file, folders: [] }, program, new AbortController().signal);
const whole = await read.timeline(ALL_OF_IT);
const opened = { seconds: (performance.now() - from) / 1000, ...taken() };
const short = whole.endMs / 2;
const { detail } = await read.timeline({ fromMs: short, toMs: short + 5, bins: 100 });
const detailed = { seconds: (performance.now() - from) / 1000, ...taken() };
await read.close();
const { lines, accounting } = read.report;
const count = lines.reduce((sum, line) => sum + line.count, 0);
const singles = detail?.operations.line.length ?? 0;
console.log(JSON.stringify({ opened, detailed, count, singles, accounting }));

/** CPU time, and the most memory, Node itself included. */
function taken() {
	const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
	return { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, mib: maxRSS / 1024 };
}
