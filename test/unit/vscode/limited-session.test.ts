// The stretch of time to which a session is limited.
import assert from 'node:assert/strict';
import test from 'node:test';
import { EMPTY_REPORT, type Report } from '../../../src/protocol/report.ts';
import { LimitedSession } from '../../../src/vscode/sessions/limited-session.ts';

const RANGE = { fromMs: 10, toMs: 20 };

function limited() {
	let now = 0;
	let changes = 0;
	const made: Report[] = [];
	const session = new LimitedSession(
		async () => {
			made.push({ ...EMPTY_REPORT });
			return made.at(-1)!;
		},
		() => changes++,
		() => now,
	);
	return {
		session,
		made,
		changes: () => changes,
		at: (ms: number) => {
			now = ms;
		},
	};
}

test('what is still on its way when a stretch of a running session is chosen comes into its report', async () => {
	const { session, made, changes, at } = limited();
	await session.set(RANGE);
	at(1000);
	await session.goOn(false);
	assert.equal(made.length, 2);
	assert.equal(session.report, made[1]);
	assert.equal(changes(), 2);
	at(60_000);
	await session.goOn(false);
	assert.equal(made.length, 2, 'after a while, nothing of it is missing');
	await session.goOn(true);
	assert.equal(session.report, made[2], 'its processes have ended with the session');
});

test('a session that is not limited, or no longer, is not read again', async () => {
	const { session, made } = limited();
	await session.goOn(true);
	assert.equal(made.length, 0);
	await session.set(RANGE);
	const reading = session.goOn(false);
	await session.set(null);
	await reading;
	assert.equal(session.report, undefined);
});

test('a stretch is not asked for again while it is read', async () => {
	const { session, made } = limited();
	await session.set(RANGE);
	await Promise.all([session.goOn(false), session.goOn(false), session.goOn(false)]);
	assert.equal(made.length, 2);
});
