// How the timeline of a long recording behaves in a browser: until it is drawn, how many frames a second it has while one zooms and moves, and how large the
// answers are that it asks for (dist/ must be built, and a browser be there). Prints Markdown.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { readInThread } from '../../../src/host/engine-thread/recording-thread.ts';
import { root } from '../../support/paths.ts';
import { saveMadeRecording } from '../engine/made-recording.ts';
import { openPanel } from './panel-page.ts';

const SIZES = [100_000, 1_000_000, 10_000_000];
const TARGET_FRAMES = 50;
const TARGET_KIB = 256;
const WIDTH = 1600;
const HEIGHT = 900;
/** Steps of the wheel, each with a frame. */
const STEPS = 240;

interface Result {
	operations: number;
	/** Until the recording was open, from then until the timeline was drawn, and from then until a stretch was there operation by operation. */
	openMs: number;
	drawnMs: number;
	readMs: number;
	zoomFrames: number;
	moveFrames: number;
	/** CPU time of the page's thread per frame. */
	cpuMs: number;
	/** The longest that one frame took. */
	worstMs: number;
	answerMs: number;
	answerKib: number;
}

const results: Result[] = [];
for (const operations of SIZES) results.push(await measure(operations));
const verdict = (isMet: boolean) => (isMet ? '(met)' : '(**missed**)');
const row = (title: string, figure: (result: Result) => string, target = '') =>
	`| ${title} | ${results.map(figure).join(' | ')} | ${target} |`;
const mostCpuMs = Math.max(...results.map(({ cpuMs }) => cpuMs));
const [least, largest] = [
	Math.min(...results.flatMap((each) => [each.zoomFrames, each.moveFrames])),
	Math.max(...results.map(({ answerKib }) => answerKib)),
];
console.log(
	[
		`A chart of ${WIDTH} × ${HEIGHT} pixels in headless Chromium, drawn by the processor; ${STEPS} steps of the wheel from all of the recording to a few operations and back, then as many to the side. Frames compete with whatever else the machine does: its load average was ${os.loadavg()[0]!.toFixed(1)} in the end.`,
		'',
		`| | ${results.map(({ operations }) => `${operations.toLocaleString('en')} operations`).join(' | ')} | target |`,
		`|---|${results.map(() => '---|').join('')}---|`,
		row('recording open in', ({ openMs }) => `${(openMs / 1000).toFixed(1)} s`),
		row('timeline drawn after', ({ drawnMs }) => `${drawnMs.toFixed(0)} ms`),
		row('its first operations there after', ({ readMs }) => `${(readMs / 1000).toFixed(1)} s`),
		row(
			'frames a second, zooming',
			({ zoomFrames }) => zoomFrames.toFixed(0),
			`≥ ${TARGET_FRAMES} ${verdict(least >= TARGET_FRAMES)}`,
		),
		row('frames a second, moving', ({ moveFrames }) => moveFrames.toFixed(0)),
		row(
			'CPU time of the page per frame',
			({ cpuMs }) => `${cpuMs.toFixed(1)} ms`,
			`≤ ${1000 / TARGET_FRAMES} ms, which is ${TARGET_FRAMES} frames a second on a machine at rest ${verdict(mostCpuMs <= 1000 / TARGET_FRAMES)}`,
		),
		row('longest frame', ({ worstMs }) => `${worstMs.toFixed(0)} ms`),
		row('longest wait for an answer', ({ answerMs }) => `${answerMs.toFixed(0)} ms`),
		row(
			'largest answer',
			({ answerKib }) => `${answerKib.toFixed(0)} KiB`,
			`≤ ${TARGET_KIB} KiB ${verdict(largest <= TARGET_KIB)}`,
		),
	].join('\n'),
);

async function measure(operations: number): Promise<Result> {
	const { file, remove } = await saveMadeRecording(operations);
	const began = performance.now();
	const task = { bytes: readFileSync(file), name: file, folders: [] };
	const read = await readInThread(task, join(root, 'dist/engine-thread.js'), new AbortController().signal);
	const openMs = performance.now() - began;
	const panel = await openPanel(read, WIDTH, HEIGHT);
	const drawnMs = (await panel.page.evaluate(`(${showTimeline})()`)) as number;
	const asked = performance.now();
	await read.timeline({ fromMs: 0, toMs: 1, bins: 1 });
	const readMs = performance.now() - asked;
	const devtools = await panel.page.context().newCDPSession(panel.page);
	await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
	const busySeconds = async () => {
		const { metrics } = await devtools.send('Performance.getMetrics');
		return metrics.find(({ name }) => name === 'TaskDuration')!.value;
	};
	const before = await busySeconds();
	const frames = (await panel.page.evaluate(`(${zoomAndMove})(${STEPS})`)) as Record<'zoom' | 'move' | 'worst', number>;
	const cpuMs = (1000 * ((await busySeconds()) - before)) / (3 * STEPS);
	await panel.close();
	await read.close();
	remove();
	const result: Result = {
		operations,
		openMs,
		drawnMs,
		readMs,
		zoomFrames: frames.zoom,
		moveFrames: frames.move,
		worstMs: frames.worst,
		cpuMs,
		answerMs: Math.max(...panel.answers.map(({ ms }) => ms)),
		answerKib: Math.max(...panel.answers.map(({ bytes }) => bytes)) / 1024,
	};
	console.error(JSON.stringify(result));
	return result;
}

/** Runs in the page: from the click on the tab until lanes are drawn, in ms. */
async function showTimeline(): Promise<number> {
	const from = performance.now();
	document.querySelector<HTMLElement>('vscode-panel-tab#timeline')!.click();
	const isDrawn = () => (document.querySelector<HTMLCanvasElement>('.chart canvas')?.height ?? 0) > 200;
	while (!isDrawn()) await new Promise((resolve) => requestAnimationFrame(resolve));
	return performance.now() - from;
}

/** Runs in the page: frames a second while the wheel zooms in and out again, and while it moves; and the longest frame, in ms. */
async function zoomAndMove(steps: number): Promise<Record<'zoom' | 'move' | 'worst', number>> {
	const chart = document.querySelector<HTMLElement>('.chart')!;
	const { left, top, width } = chart.getBoundingClientRect();
	let worst = 0;
	const turn = async (deltaOf: (step: number) => { deltaY?: number; deltaX?: number }) => {
		const from = performance.now();
		let last = from;
		for (let step = 0; step < steps; step++) {
			const at = { clientX: left + width / 3, clientY: top + 20, bubbles: true, cancelable: true };
			chart.dispatchEvent(new WheelEvent('wheel', { ...at, ...deltaOf(step) }));
			await new Promise((resolve) => requestAnimationFrame(resolve));
			const now = performance.now();
			worst = Math.max(worst, now - last);
			last = now;
		}
		return steps / ((last - from) / 1000);
	};
	// In by some 25 steps, where single operations are, out again, and so on.
	const zoom = await turn((step) => ({ deltaY: Math.floor(step / 25) % 2 === 0 ? -100 : 100 }));
	await turn((step) => ({ deltaY: step < 12 ? -100 : 0, deltaX: 1 }));
	const move = await turn((step) => ({ deltaX: step % 40 < 20 ? 100 : -100 }));
	return { zoom, move, worst };
}
