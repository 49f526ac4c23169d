// Keeps the tracer at a path that outlives updates of the product: a `--require` of a missing file would end every
// `node` of every terminal that inherited the variable.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';

/**
 * Copies the tracer bundle into `storage` under a name made of its content, once, and returns that path.
 * Old copies stay: a terminal may still name them.
 */
export async function installTracer(bundle: string, storage: string): Promise<string> {
	const digest = createHash('sha256')
		.update(await readFile(bundle))
		.digest('hex')
		.slice(0, 16);
	const target = path.join(storage, `tracer-${digest}.cjs`);
	await mkdir(storage, { recursive: true });
	try {
		await readFile(target);
	} catch {
		// Not there yet. A rename never shows a half-written file to a program that starts right now.
		const draft = `${target}.${process.pid}`;
		await copyFile(bundle, draft);
		await rename(draft, target);
	}
	return target;
}
