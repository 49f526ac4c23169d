// Canvases keep the colours that they were drawn in: those of another theme come only when they are drawn again.

/** Calls `draw` when the editor has given the page other colours. */
export function onThemeChange(draw: () => void): void {
	// VS Code writes the colours into the style of the root, then the kind of theme into the body's classes.
	const observer = new MutationObserver(draw);
	observer.observe(document.documentElement, { attributeFilter: ['style'] });
	observer.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
}
