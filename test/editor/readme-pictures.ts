// `npm run readme:pictures`: takes the README's pictures in the real editor (suite/readme-pictures.ts) and writes them to `media/`: one that moves,
// as an animated PNG, and stills.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/paths.ts';
import { cropped, readPng, writeApng, writePng } from '../support/png.ts';

const SUITE = 'readme-pictures';
/** The most that a Marketplace page may load over a slow line. */
const MOST_BYTES = 2 * 1024 * 1024;
/** How much of the window each still shows, in px from above. */
const HEIGHTS: Record<string, number> = { editor: 500, lines: 420, tree: 330, panel: 320, timeline: 440 };

const run = spawnSync(process.execPath, [path.join(import.meta.dirname, 'run.ts'), '--suite', SUITE], {
	cwd: root,
	stdio: 'inherit',
});
if (run.status !== 0) process.exit(run.status ?? 1);

const taken = path.join(root, 'test/out/editor', SUITE, 'screenshots');
const names = readdirSync(taken).sort();
const pictureOf = (name: string) => readPng(readFileSync(path.join(taken, name)));

const frames = names.flatMap((name) => {
	const ms = /^moving-\d+-(\d+)\.png$/.exec(name)?.[1];
	return ms === undefined ? [] : [{ picture: pictureOf(name), ms: Number(ms) }];
});
const moving = writeApng(frames);
if (moving.length > MOST_BYTES)
	throw new Error(`The moving picture has ${moving.length} bytes, more than ${MOST_BYTES}.`);
write('moving.png', moving);
for (const [still, height] of Object.entries(HEIGHTS)) {
	write(`screenshot-${still}.png`, writePng(cropped(pictureOf(`still-${still}.png`), height)));
}

function write(name: string, bytes: Buffer): void {
	writeFileSync(path.join(root, 'media', name), bytes);
	console.log(`media/${name}: ${Math.ceil(bytes.length / 1024)} KiB`);
}
