// What a test inside the extension host may ask of the launcher, which has the workbench's page. Messages are JSON, one
// POST each, to a loopback port that the operating system chose; the address and a token come by environment.
export const CONTROL_URL = 'WAITLINE_EDITOR_CONTROL_URL';
export const CONTROL_TOKEN = 'WAITLINE_EDITOR_CONTROL_TOKEN';

/** The workbench itself, or the webview whose document contains an element that matches the selector: the launcher waits for it, unless it need not be there. */
export type Where = 'workbench' | { webviewWith: string; isOptional?: true };

export type ControlRequest =
	/** The suite runs: ends the launcher's wait for the start. */
	| { type: 'hello' }
	/** `source` is a function expression; it is called there with `argument`, and its JSON result comes back. */
	| { type: 'evaluate'; where: Where; source: string; argument: unknown }
	| { type: 'click'; where: Where; selector: string; button: 'left' | 'right' }
	| { type: 'hover'; where: Where; selector: string }
	/** Moves the mouse there, in pixels of the window. */
	| { type: 'pointAt'; x: number; y: number }
	/** A key with modifiers as Playwright writes them: `F5`, `Control+Shift+P`. */
	| { type: 'press'; keys: string }
	| { type: 'type'; text: string }
	/** CPU time that the page's main thread has taken so far, in ms: unlike a latency, it does not grow with what else the machine does. */
	| { type: 'cpuTime' }
	/** Runs axe-core over the document; its findings come back as `AccessibilityFinding[]`. */
	| { type: 'audit'; where: Where }
	/**
	 * Opens a second window of the editor on a folder, a `.code-workspace` file or, where `opened` is missing, neither, with the extension
	 * in a host of its own and without a suite. Until it is closed, all requests are about it. `language` is what its browser asks for, as in `pt-BR`.
	 */
	| { type: 'openWindow'; opened?: string; language?: string }
	/**
	 * Leaves the workbench's page, which is notified as when a tab is closed or reloaded, and goes back to the first
	 * window.
	 */
	| { type: 'closeWindow' }
	/** Gives the window another width; the next one that is opened has that of `wide`. */
	| { type: 'resize'; to: WindowWidth }
	/** Writes `NAME.png` to the suite's screenshots; `now` waits for nothing that moves. */
	| { type: 'screenshot'; name: string; after: 'fade' | 'layout' | 'now' };

/**
 * The whole of a usual screen, half of it, what leaves an editor its least width, and what is legible at the width of a README: in px. Then what a usual and a small window
 * have, and what 200 % zoom leaves of a usual one.
 */
export const WINDOW_SIZES = {
	wide: { width: 1600, height: 1000 },
	narrow: { width: 800, height: 1000 },
	least: { width: 280, height: 1000 },
	picture: { width: 1200, height: 620 },
	usual: { width: 1600, height: 900 },
	small: { width: 1000, height: 700 },
	zoomed: { width: 800, height: 450 },
};
export type WindowWidth = keyof typeof WINDOW_SIZES;

/** What axe-core has against a document. */
export interface AccessibilityFinding {
	rule: string;
	/** `minor`, `moderate`, `serious` or `critical`. */
	impact: string | null;
	/** The elements' markup. */
	elements: string[];
}

export type ControlResponse = { ok: true; value: unknown } | { ok: false; error: string };
