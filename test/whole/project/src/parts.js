/** The same items in parts of that size. */
export function inParts(items, size) {
	const parts = [];
	for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
	return parts;
}
