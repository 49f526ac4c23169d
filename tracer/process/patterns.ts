// Regular expressions without the methods of `RegExp.prototype`, which a program may replace or watch: `test` and `replace` ask for `exec` there each
// time. Node's own `exec`, taken while the tracer is loaded, asks for nothing.
const { exec } = /./;

/** As `pattern.exec(text)`. */
export function match(pattern: RegExp, text: string): RegExpExecArray | null {
	return Reflect.apply(exec, pattern, [text]) as RegExpExecArray | null;
}

/** As `pattern.test(text)`, of a pattern that begins anew each time. */
export function matches(pattern: RegExp, text: string): boolean {
	return match(pattern, text) !== null;
}
