// Regular expressions without the methods of `RegExp.prototype`, which a program may replace or watch: `test` and
// `replace` read `exec` there each time. Node's own `exec`, taken while the tracer is loaded, reads nothing.
const { exec } = /./;

/** As `pattern.exec(text)`. */
export function match(pattern: RegExp, text: string): RegExpExecArray | null {
	return Reflect.apply(exec, pattern, [text]) as RegExpExecArray | null;
}

/** As `pattern.test(text)`, for a pattern without the flags `g` and `y`. */
export function matches(pattern: RegExp, text: string): boolean {
	return match(pattern, text) !== null;
}
