// Keeps the tracer at a path that outlives updates and the uninstalling of the product: a `--require` of a missing file would
// end every `node` of every terminal that inherited the variable. (VS Code removes an extension's own storage with it.)
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Matches every copy of the tracer and the sampler, so that a debugger does not stop in them. */
export const TRACER_PATTERN = '**/waitline/tracer-*.cjs';

/** Begins the names of copies; the sampler's begins as the tracer's does, for the pattern above. */
const NAMES = { tracer: 'tracer', sampler: 'tracer-sampler' } as const;
const SAMPLER_COPY = /[\\/]waitline[\\/]tracer-sampler-[0-9a-f]+\.cjs$/;

/** Whether a path is that of a copy of the sampler. */
export function isSampler(file: string): boolean {
	return SAMPLER_COPY.test(file);
}

/** This user's folder for files that programs keep: neither a cache nor a temporary one, which get emptied. */
export function tracerStorage(env = process.env, platform: NodeJS.Platform = process.platform): string {
	const home = os.homedir();
	const xdg = env.XDG_DATA_HOME;
	const data =
		platform === 'win32'
			? (env.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local'))
			: platform === 'darwin'
				? path.join(home, 'Library', 'Application Support')
				: // The XDG base directory specification: a relative path is to be ignored.
					xdg && path.isAbsolute(xdg)
					? xdg
					: path.join(home, '.local', 'share');
	return path.join(data, 'waitline');
}

/**
 * Copies a bundle that programs load into `storage` under a name derived from its content, once, and returns that path.
 * Old copies stay: a terminal may still name them.
 */
export async function installTracer(
	bundle: string,
	storage: string,
	kind: keyof typeof NAMES = 'tracer',
): Promise<string> {
	const digest = await digestOf(bundle);
	const target = path.join(storage, `${NAMES[kind]}-${digest}.cjs`);
	await mkdir(storage, { recursive: true });
	if ((await digestOf(target).catch(() => undefined)) !== digest) {
		// Not there yet, or damaged. A rename never shows a half-written file to a program that starts right now.
		// The name is this call's own: sessions of a compound start at once.
		const draft = `${target}.${randomUUID()}`;
		await copyFile(bundle, draft);
		await rename(draft, target);
	}
	return target;
}

async function digestOf(file: string): Promise<string> {
	return createHash('sha256')
		.update(await readFile(file))
		.digest('hex')
		.slice(0, 16);
}
