// Opens a recording as the editor does, in a thread, and prints what that took as JSON. A process of its own, so that its memory is its own.
import { readFile } from 'node:fs/promises';
import { readInThread } from '../../../src/host/recording-thread.ts';
import { root } from '../../support/paths.ts';

const [, , file = ''] = process.argv;
const from = performance.now();
const bytes = await readFile(file);
const program = `${root}/dist/engine-thread.js`;
const { report } = await readInThread({ bytes, name: file, folders: [] }, program, new AbortController().signal);
const seconds = (performance.now() - from) / 1000;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const count = report.lines.reduce((sum, line) => sum + line.count, 0);
const { accounting } = report;
console.log(
	JSON.stringify({ seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, mib: maxRSS / 1024, count, accounting }),
);
