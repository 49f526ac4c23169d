// What the file system or the system says when something fails, in words instead of codes.

const WORDS: Record<string, string> = {
	ENOENT: 'it does not exist',
	EACCES: 'you may not use it',
	EPERM: 'you may not use it',
	EROFS: 'it is on a read-only disk',
	EISDIR: 'it is a folder',
	ENOTDIR: 'a part of its path is no folder',
	ENAMETOOLONG: 'its name is too long',
	ENOSPC: 'the disk is full',
	EMFILE: 'too many files are open',
	ELOOP: 'its links lead in a circle',
	ENOEXEC: 'it is no program for this system',
};

/** The cause of an error as a part of a sentence: `it does not exist`. */
export function plainCause(error: unknown): string {
	const { code = '', message } = error as NodeJS.ErrnoException;
	return WORDS[code] ?? message;
}
