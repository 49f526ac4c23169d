// What threads are called where there are several.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotatedReport } from '../../../src/cli/annotated-report.ts';
import { threadName } from '../../../src/protocol/thread-name.ts';
import { Story } from '../../support/story.ts';

test('a thread has its id and the name of its main script, on any system', () => {
	assert.equal(threadName({ pid: 7, threadId: 0, entry: '/app/server.cjs' }), '7 (server.cjs)');
	assert.equal(threadName({ pid: 7, threadId: 2, entry: 'C:\\app\\main.cjs' }), '2 (main.cjs)');
	assert.equal(threadName({ pid: 7, threadId: 2, entry: '' }), '2');
});

test('a Worker, which knows its file only once it runs, is called by it', () => {
	const story = new Story();
	const { facts } = story.model;
	story.model.facts = { ...facts!, threadId: 2, entry: '' };
	story.model.thread({ ...facts!, threadId: 2, entry: '/app/resize.js' });
	const [process] = story.report().processes;
	assert.equal(process!.entry, '/app/resize.js');
	const text = annotatedReport(story.report(), { columns: 100, hasColours: false, isWhole: true });
	assert.match(text, /^ {2}Worker 2 \(resize\.js\) of process 7 · Node 24/m);
});
