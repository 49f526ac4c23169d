// The host's side of a session, on Windows: follows a program while it runs, stops before the program does, and prints what it saw. Arguments: the
// tracer, the session's folder, the program.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { tracedEnvironment } from '../../../src/host/injection/environment.ts';
import { LiveSession } from '../../../src/host/sessions/live-session.ts';
import { JOURNAL_SUFFIX, LEASE_FILE } from '../../../src/protocol/journal.ts';

/** What this program prints for the test. */
export interface Followed {
	/** Operations that the report counted, in order, while the program ran. */
	counts: number[];
	/** How the session saw the program at its stop. */
	end: string | undefined;
	/** The program's exit code, and why its tracer stopped recording. */
	code: number | null;
	reason: string;
	isFolderGone: boolean;
}

/** So often must the report have grown. */
const GROWN = 4;

async function main(): Promise<void> {
	const [tracer = '', folder = '', program = ''] = process.argv.slice(2);
	const session = await LiveSession.start({ folder });
	const env = { ...process.env, ...tracedEnvironment(process.env, { tracer, folder }) };
	const child = spawn(process.execPath, [program, LEASE_FILE], { env, stdio: 'ignore' });
	const exit = once(child, 'exit');
	const counts: number[] = [];
	await new Promise<void>((resolve) => {
		session.onUpdate(() => {
			const count = session.report().lines.reduce((sum, line) => sum + line.count, 0);
			if (child.exitCode === null && count > (counts.at(-1) ?? 0)) counts.push(count);
			if (counts.length >= GROWN || child.exitCode !== null) resolve();
		});
	});
	const report = await session.stop();
	const [code] = (await exit) as [number | null];
	const journal = readdirSync(folder).find((name) => name.endsWith(JOURNAL_SUFFIX)) ?? '';
	const reason = readFileSync(path.join(folder, journal), 'latin1').slice(-'lease'.length);
	await session.remove();
	const followed: Followed = {
		counts,
		end: report.processes[0]?.end,
		code,
		reason,
		isFolderGone: !existsSync(folder),
	};
	console.log(JSON.stringify(followed));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
