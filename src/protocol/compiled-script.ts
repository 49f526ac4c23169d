// Scripts whose text on disk cannot be what V8 ran, unless only types were stripped.
const COMPILED = /\.([cm]?tsx?|jsx)$/;

/** @param script its path or URL */
export function isCompiled(script: string): boolean {
	return COMPILED.test(script);
}
