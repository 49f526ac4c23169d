// What a running session has the panel be sent comes in pieces that are small enough, at their pace, and is the same once they are put together.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { HostToView } from '../../../src/protocol/webview.ts';
import { PANEL_UPDATE_MS, UpdateMessages } from '../../../src/vscode/panel/update-messages.ts';

/** As the editor hands it over, in bytes. */
const MOST_BYTES = 256 * 1024;

describe('messages about a running session', () => {
	let posted: HostToView[] = [];
	let sent = 0;
	let messages: UpdateMessages;

	beforeEach(() => {
		mock.timers.enable({ apis: ['setTimeout'] });
		posted = [];
		sent = 0;
		messages = new UpdateMessages(
			(message) => posted.push(message),
			() => sent++,
		);
	});
	afterEach(() => {
		messages.dispose();
		mock.timers.reset();
	});

	/** As many characters in texts of their own, as reports have them. */
	const large = (characters: number): HostToView => {
		const lines = Array.from({ length: Math.ceil(characters / 10) }, (_, line) => String(line).padStart(7, '"é'));
		return { type: 'source', source: { fileId: 1, lines, error: null, note: null } };
	};

	/** The messages that the pieces are of. */
	function joined(): HostToView[] {
		const whole: HostToView[] = [];
		let text = '';
		for (const message of posted) {
			if (message.type !== 'piece') {
				whole.push(message);
				continue;
			}
			text += message.text;
			if (!message.isLast) continue;
			whole.push(JSON.parse(text) as HostToView);
			text = '';
		}
		assert.equal(text, '');
		return whole;
	}

	it('are sent whole where they are small, or where a person waits for them', () => {
		messages.send(large(1000), true);
		messages.send(large(1_000_000), false);
		assert.deepEqual(posted, [large(1000), large(1_000_000)]);
		assert.equal(messages.isSending, false);
	});

	it('come in small pieces, one each time that there is an update', () => {
		messages.send(large(1_000_000), true);
		for (let piece = 1; messages.isSending; piece++) {
			assert.equal(posted.length, piece);
			assert.equal(sent, 0);
			mock.timers.tick(PANEL_UPDATE_MS - 1);
			assert.equal(posted.length, piece);
			mock.timers.tick(1);
		}
		assert.equal(sent, 1);
		assert.ok(posted.length > 4, `${posted.length} pieces`);
		for (const each of posted) assert.ok(Buffer.byteLength(JSON.stringify(each)) < MOST_BYTES);
		assert.deepEqual(joined(), [large(1_000_000)]);
	});

	it('stay in their order when one comes that does not wait', () => {
		messages.send(large(1_000_000), true);
		messages.send({ type: 'failure', text: 'no' }, false);
		assert.deepEqual(joined(), [large(1_000_000), { type: 'failure', text: 'no' }]);
		const before = posted.length;
		mock.timers.tick(10 * PANEL_UPDATE_MS);
		assert.equal(posted.length, before);
	});
});
