// Which sessions are kept, and which are forgotten.
import assert from 'node:assert/strict';
import test from 'node:test';
import { SessionHistory } from '../../../src/vscode/sessions/session-history.ts';
import type { ShownSession } from '../../../src/vscode/sessions/shown-session.ts';

function session(name: string, parts: Partial<ShownSession> = {}): ShownSession {
	return { name, live: false, ...parts } as ShownSession;
}

function history(...sessions: ShownSession[]): SessionHistory {
	const made = new SessionHistory();
	for (const each of sessions) made.add(each);
	return made;
}

const names = (sessions: readonly ShownSession[]) => sessions.map(({ name }) => name);

test('the newest comes first, and the oldest past the limit are forgotten', () => {
	const kept = history(session('a'), session('b'), session('c'));
	assert.deepEqual(names(kept.all), ['c', 'b', 'a']);
	assert.deepEqual(names(kept.trim(2, undefined)), ['a']);
	assert.deepEqual(names(kept.all), ['c', 'b']);
	assert.deepEqual(kept.trim(2, undefined), []);
});

test('what runs, what is shown and what is open in an editor is never forgotten', () => {
	const [shown, running] = [session('shown'), session('running', { live: true })];
	const opened = session('opened', { file: {} as NonNullable<ShownSession['file']> });
	const kept = history(shown, running, opened, session('old'), session('new'));
	assert.deepEqual(names(kept.trim(1, shown)), ['old']);
	assert.deepEqual(names(kept.all), ['new', 'opened', 'running', 'shown']);
});

test('a session that was removed is no longer listed', () => {
	const [one, two] = [session('one'), session('two')];
	const kept = history(one, two);
	kept.remove(two);
	assert.deepEqual(kept.all, [one]);
});
