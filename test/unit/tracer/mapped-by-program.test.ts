// How the tracer uses the function that a program's own tool installs for stacks.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { scratchFolder } from '../../support/scratch.ts';

// In the bundle, the program is in another realm than the tracer.
Object.assign(globalThis, { program: globalThis });
const { mappedByProgram } = await import('../../../tracer/sites/mapped-by-program.ts');

const { prepareStackTrace } = Error;

afterEach(() => {
	Error.prepareStackTrace = prepareStackTrace;
});

/** A frame of V8's own, of this file. */
function frame(): NodeJS.CallSite {
	let frames: NodeJS.CallSite[] = [];
	Error.prepareStackTrace = (_error, stack) => {
		frames = stack;
	};
	void new Error().stack;
	return frames[0]!;
}

/** The position found for line 20, column 5 of a script where the tool formats a frame like this. */
function mapped(script: string, wrapCallSite: (call: NodeJS.CallSite) => unknown) {
	const call = frame();
	Error.prepareStackTrace = (error, stack) => `${error}\n    at ${wrapCallSite(stack[0]!)}`;
	return mappedByProgram(call, script, 20, 5);
}

const moved = (script: string) => (call: NodeJS.CallSite) =>
	`${call.getFunctionName()} (${script}:${call.getLineNumber()! + 2}:${call.getColumnNumber()! + 1})`;

test('the position that the tool writes, whatever the script is called', () => {
	for (const script of ['/app/work.ts', '/my app/some work.tsx', 'C:\\app\\work.mts']) {
		assert.deepEqual(mapped(script, moved(script)), { line: 22, column: 6 }, script);
	}
	const path = '/my app/some work.ts';
	const url = pathToFileURL(path).href;
	assert.deepEqual(mapped(url, moved(path)), { line: 22, column: 6 }, 'a module by its URL, given by path');
	assert.deepEqual(mapped(url, moved(url)), { line: 22, column: 6 }, 'and by URL');
});

test('a position in another file is not one in the script', () => {
	assert.equal(mapped('/app/work.ts', moved('/app/src/other.ts')), null);
});

test('a tool that throws, or that formats differently, leaves the position as it is', () => {
	assert.equal(
		mapped('/app/work.ts', () => {
			throw new Error('out of order');
		}),
		null,
	);
	assert.equal(
		mapped('/app/work.ts', () => 'work'),
		null,
	);
});

test('a function that follows no maps, as far as is known, is not called', () => {
	const call = frame();
	let calls = 0;
	Error.prepareStackTrace = () => `    at work (/app/work.ts:${++calls}:1)`;
	assert.equal(mappedByProgram(call, '/app/work.ts', 20, 5), null);
	assert.equal(calls, 0);
});

test('JavaScript with a map of its own on disk is left to the host', () => {
	const folder = scratchFolder('scripts');
	for (const [name, text, at] of [
		['built.js', 'f();\n//# sourceMappingURL=built.js.map\n', null],
		['plain.js', 'f();\n', { line: 22, column: 6 }],
		['not-there.js', null, { line: 22, column: 6 }],
	] as const) {
		const script = join(folder, name);
		if (text !== null) writeFileSync(script, text);
		assert.deepEqual(mapped(script, moved(script)), at, name);
	}
});
