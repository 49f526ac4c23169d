// Programs that people use every day, with a small project for them to work on (test/whole).
import { cpSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { hasPackages, installPackages } from './packages.ts';
import { root } from './paths.ts';
import { scratchFolder } from './scratch.ts';

const folder = join(root, 'test', 'whole');

/** Sets of packages can only be installed as a whole. */
export function installWholePrograms(): void {
	if (hasPackages(folder)) return;
	console.log('Installing the programs to run whole (test/whole)…');
	installPackages(folder);
}

/** The script of a program, by its path in node_modules. */
export function wholeProgram(path: string): string {
	return join(folder, 'node_modules', path);
}

/** A fresh copy of the project, in which the programs find one another. */
export function projectCopy(): string {
	const copy = realpathSync(scratchFolder('project'));
	cpSync(join(folder, 'project'), copy, { recursive: true });
	symlinkSync(join(folder, 'node_modules'), join(copy, 'node_modules'));
	return copy;
}
