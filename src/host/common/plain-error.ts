// Errors in words for a person: our own sentences, and causes that the system gives as codes.
import { visibleText } from '../../protocol/visible-text.ts';

/**
 * An error that the person can fix; `message` is a sentence for them, and may name files: it contains no control
 * character.
 */
export class PlainError extends Error {
	constructor(message: string) {
		super(visibleText(message));
	}
}

const WORDS: Record<string, string> = {
	ENOENT: 'it does not exist',
	EACCES: 'you do not have permission to use it',
	EPERM: 'you do not have permission to use it',
	EROFS: 'it is on a read-only disk',
	EISDIR: 'it is a folder',
	ENOTDIR: 'a part of its path is not a folder',
	ENAMETOOLONG: 'its name is too long',
	ENOSPC: 'the disk is full',
	EMFILE: 'too many files are open',
	ELOOP: 'its links lead in a circle',
	ENOEXEC: 'it is not a program for this system',
};

/** The cause of an error as a part of a sentence: `it does not exist`. */
export function plainCause(error: unknown): string {
	const { code = '', message } = error as NodeJS.ErrnoException;
	return WORDS[code] ?? message.replace(/\.$/, '');
}
