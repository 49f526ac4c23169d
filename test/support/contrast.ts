// How well a text stands out from its background, by the Web Content Accessibility Guidelines (WCAG 2.1).

/** Level AA, for text. */
export const LEAST_CONTRAST = 4.5;

/** WCAG's contrast ratio of two opaque colours, each red, green and blue from 0 to 255. */
export function contrast(first: readonly number[], second: readonly number[]): number {
	const [dark, bright] = [luminance(first), luminance(second)].sort((a, b) => a - b);
	return (bright! + 0.05) / (dark! + 0.05);
}

/** WCAG's relative luminance. */
function luminance(color: readonly number[]): number {
	const [red, green, blue] = color.map((value) => {
		const share = value / 255;
		return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
