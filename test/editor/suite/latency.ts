// How long the window takes from a key to the frame that shows what came of it.
import { until } from './editor.ts';
import { inWindow, press } from './window.ts';

/** A page that records how long its frames take. */
interface Noting {
	waitlineLatencies?: number[];
}

/** Presses these keys one after the other in the focused editor. @returns for each, ms until the next frame was drawn */
export async function latencies(keys: readonly string[]): Promise<number[]> {
	await inWindow(note, undefined);
	for (const key of keys) await press(key);
	return until('a frame after every key', async () => {
		const noted = await inWindow(() => (globalThis as Noting).waitlineLatencies!, undefined);
		return noted.length === keys.length ? noted : undefined;
	});
}

/** From the key to the task after the first frame that follows a change in the editor: of its lines, or of the cursor alone. */
function note(): void {
	const page = globalThis as Noting;
	const isNoting = page.waitlineLatencies !== undefined;
	page.waitlineLatencies = [];
	if (isNoting) return;
	document.addEventListener(
		'keydown',
		() => {
			const start = performance.now();
			const editor = document.querySelector('.editor-instance .monaco-editor')!;
			const observer = new MutationObserver(() => {
				observer.disconnect();
				requestAnimationFrame(() => {
					const { port1, port2 } = new MessageChannel();
					port1.onmessage = () => page.waitlineLatencies!.push(performance.now() - start);
					port2.postMessage(undefined);
				});
			});
			observer.observe(editor, { attributes: true, characterData: true, childList: true, subtree: true });
		},
		true,
	);
}

/** The value that so large a share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
