// Scripts whose text on disk cannot be what V8 ran, but for types that were left out.
const COMPILED = /\.([cm]?tsx?|jsx)$/;

/** @param script its path or URL */
export function isCompiled(script: string): boolean {
	return COMPILED.test(script);
}
