// What the panel is sent while a program runs: messages a second and their sizes, at several rates of operations and numbers of lines. Runs a suite of the editor's
// tests, in which the panel's own page counts what it receives, and prints Markdown.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageLoad, MessageView } from '../../editor/suite/messages.bench.ts';
import { root } from '../../support/paths.ts';
import { median } from '../cost/median.ts';

const SUITE = 'messages-bench';
const TARGET_PER_SECOND = 10;
const TARGET_KIB = 256;

const out = join(root, 'test', 'out', 'bench-messages');
const { status } = spawnSync(
	process.execPath,
	[join(root, 'test/editor/run.ts'), '--no-build', '--out', out, '--suite', SUITE],
	{ stdio: ['ignore', 2, 2] },
);
if (status !== 0) process.exit(status ?? 1);
const loads = JSON.parse(readFileSync(join(out, SUITE, 'messages.json'), 'utf8')) as MessageLoad[];

const VIEWS: Record<MessageView, string> = {
	lines: 'lines',
	timeline: 'timeline, all of it',
	following: 'timeline, its end, which moves',
};

function row(load: MessageLoad, view: MessageView): string {
	const { rate, lines, operationsPerSecond, lookMs } = load;
	const received = load.views[view];
	const seconds = lookMs / 1000;
	const sizes = received.map(({ bytes }) => bytes / 1024);
	const kinds = [...new Set(received.map(({ type }) => type))].map((type) => {
		const own = received.filter((each) => each.type === type);
		return `${type} ${(own.length / seconds).toFixed(1)}/s ≤ ${(Math.max(...own.map(({ bytes }) => bytes)) / 1024).toFixed(0)} KiB`;
	});
	const cells = [
		`${rate === null ? 'as many as it can' : rate.toLocaleString('en')}`,
		Math.round(operationsPerSecond).toLocaleString('en'),
		lines.toLocaleString('en'),
		VIEWS[view],
		(received.length / seconds).toFixed(1),
		mostPerSecond(received.map(({ at }) => at)),
		`${median(sizes).toFixed(0)} KiB`,
		`${Math.max(...sizes).toFixed(0)} KiB`,
		`${(sizes.reduce((sum, size) => sum + size, 0) / seconds).toFixed(0)} KiB`,
		kinds.join(', '),
	];
	return `| ${cells.join(' | ')} |`;
}

/** The most in any second. @param times in ms, in order */
function mostPerSecond(times: readonly number[]): number {
	return Math.max(
		0,
		...times.map((from, first) => times.filter((at, index) => index >= first && at < from + 1000).length),
	);
}

const all = loads.flatMap(({ views }) => Object.values(views));
const { lookMs } = loads[0]!;
const most = Math.max(...all.map(({ length }) => (1000 * length) / lookMs));
const largest = Math.max(...all.flatMap((received) => received.map(({ bytes }) => bytes))) / 1024;
const verdict = (isMet: boolean) => (isMet ? 'met' : '**missed**');
console.log(
	[
		`The panel in a real editor, beside a debugged program that starts operations from as many lines as are named; each view for ${lookMs / 1000} s. Sizes: the text and the bytes of columns that the editor hands over. What had to wait for a busy machine arrives together, so that one second may have more than others. \`piece\`: a part of a \`state\` that is too large for one message.`,
		'',
		`Targets: at most ${TARGET_PER_SECOND} messages a second (${verdict(most <= TARGET_PER_SECOND)}), each of at most ${TARGET_KIB} KiB (${verdict(largest <= TARGET_KIB)}).`,
		'',
		'| operations a second, wanted | got | lines | view | messages a second | most in one second | median size | largest | in all, a second | of which |',
		'|---|---|---|---|---|---|---|---|---|---|',
		...loads.flatMap((load) => (Object.keys(VIEWS) as MessageView[]).map((view) => row(load, view))),
	].join('\n'),
);
