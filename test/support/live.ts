// A live session as in the extension and the CLI, followed while a program runs.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { tracedEnvironment } from '../../src/host/injection/environment.ts';
import { LiveSession } from '../../src/host/sessions/live-session.ts';
import type { NodeBuild } from './nodes.ts';
import { root } from './paths.ts';
import { plainEnvironment } from './process.ts';
import { scratchFolder } from './scratch.ts';

export interface Followed {
	session: LiveSession;
	stdout: string;
	code: number | null;
}

export interface FollowOptions {
	/** Is called with what the program writes there. */
	onStderr?: (text: string) => void;
	/** Variables for the program, beside the machine's own. */
	env?: Record<string, string>;
}

/**
 * Runs a program under a session of this process and waits for its end; the session continues.
 * @param follow is called with the session before the program starts
 */
export async function follow(
	node: NodeBuild,
	args: string[],
	follow: (session: LiveSession) => void,
	{ onStderr, env }: FollowOptions = {},
): Promise<Followed> {
	const folder = scratchFolder('live');
	const session = await LiveSession.start({ folder });
	follow(session);
	const injection = { tracer: join(root, 'dist', 'tracer.cjs'), folder };
	const traced = plainEnvironment({ ...env, ...tracedEnvironment({}, injection) });
	const child = spawn(node.path, args, { env: traced, stdio: ['ignore', 'pipe', 'pipe'] });
	let stdout = '';
	child.stdout.on('data', (piece) => {
		stdout += piece;
	});
	child.stderr.on('data', (piece) => onStderr?.(String(piece)));
	const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
	return { session, stdout, code };
}
