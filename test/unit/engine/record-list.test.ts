// A journal's records as lines for people.
import assert from 'node:assert/strict';
import test from 'node:test';
import { JournalReader } from '../../../src/engine/journal/journal-reader.ts';
import { recordList } from '../../../src/engine/journal/record-list.ts';
import { visibleText } from '../../../src/protocol/visible-text.ts';
import { ThreadJournal } from '../../support/thread-journal.ts';

function linesOf(bytes: Uint8Array): { lines: string[]; reader: JournalReader } {
	const lines: string[] = [];
	const reader = new JournalReader(recordList((line) => lines.push(line)));
	reader.push(bytes);
	reader.finish();
	return { lines, reader };
}

test('each record is a line with its time, its name and its fields, under a line about the thread', () => {
	const { bytes } = new ThreadJournal({ pid: 7, pool: 3 }).start(12, 5, 1500).callback(12, 2750).exit(3000);
	const { lines, reader } = linesOf(bytes);
	assert.match(lines[0]!, /^process 7 · main thread · Node 24\.0\.0 on linux · \/app\/main\.js/);
	assert.equal(lines.length, 1 + reader.decoded);
	const without = lines.map((line) => line.trim().replace(/ +/g, ' '));
	for (const expected of [
		'pool effective=3 wanted=3',
		'position id=5 script=/app/main.js line=5 column=1 functionName=-',
		'site id=5 user=5 library=0 apiName=- apiScript=-',
		'1.500 start op=12 type=PBKDF2REQUEST site=5',
		'2.750 begin op=12 idle=1',
		'3.000 exit idle=3000',
	]) {
		assert.ok(without.includes(expected), `${expected}\n${without.join('\n')}`);
	}
});

test('no invisible character in a name reaches the terminal', () => {
	const script = '/app/\u001b[2Jmain\u202e.js';
	const { lines } = linesOf(new ThreadJournal({ script }).start(12, 5, 1500).flush().bytes);
	assert.ok(lines.some((line) => line.includes('\\x1b[2Jmain\\u202e.js')));
	assert.equal(lines.join(''), visibleText(lines.join('')));
});

test('records before damage are listed', () => {
	const { bytes } = new ThreadJournal().start(12, 5, 1500).flush().start(13, 6, 2500).flush();
	const damaged = Buffer.from(bytes);
	damaged[damaged.length - 3]! ^= 0x55;
	const { lines, reader } = linesOf(damaged);
	assert.ok(reader.lost > 0);
	assert.equal(lines.length, 1 + reader.decoded);
});
