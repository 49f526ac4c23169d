// The model of a recording that knows what the recording says beside its journals.
import { SessionModel } from '../../engine/session-model.ts';
import type { SessionNotes } from '../recordings/session-notes.ts';

/** @param model one that has read nothing */
export function notedModel(
	{ pauses, asyncStacks, kills }: Pick<SessionNotes, 'pauses' | 'asyncStacks' | 'kills'>,
	model = new SessionModel(),
): SessionModel {
	for (const { pid, from, to } of pauses) {
		model.pause(pid, from);
		model.resume(pid, to);
	}
	for (const { pid, from, to } of asyncStacks) {
		model.stacksOn(pid, from);
		model.stacksOff(pid, to);
	}
	for (const [pid, by] of kills) model.kill(pid, by);
	return model;
}
