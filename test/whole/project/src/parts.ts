/** The same items in parts of that size. */
export function inParts<T>(items: readonly T[], size: number): T[][] {
	const parts: T[][] = [];
	for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
	return parts;
}
