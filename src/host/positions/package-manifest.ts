// What a package.json says about where names lead: its program, and the names with `#` that its own scripts import.

/** Conditions that hold for an import in Node. */
const CONDITIONS = new Set(['node', 'import', 'module-sync', 'node-addons', 'default']);

/** The script that a folder stands for, relative to it. @param manifest the text of its package.json; null where it has none */
export function mainIn(manifest: string | null): string {
	const { main } = manifest === null ? {} : objectIn(manifest);
	return typeof main === 'string' && main !== '' ? main : 'index.js';
}

/** What an own name such as `#db` stands for: a path relative to the package, or the name of another package; null where nothing does. */
export function ownImportIn(manifest: string, named: string): string | null {
	const { imports } = objectIn(manifest);
	if (imports === null || typeof imports !== 'object') return null;
	const exact = (imports as Record<string, unknown>)[named];
	if (exact !== undefined) return targetOf(exact);
	for (const [pattern, target] of Object.entries(imports)) {
		const [before = '', after, ...others] = pattern.split('*');
		if (after === undefined || others.length > 0 || named.length < pattern.length - 1) continue;
		if (!named.startsWith(before) || !named.endsWith(after)) continue;
		return targetOf(target)?.replaceAll('*', () => named.slice(before.length, named.length - after.length)) ?? null;
	}
	return null;
}

function targetOf(target: unknown): string | null {
	if (typeof target === 'string') return target;
	if (target === null || typeof target !== 'object') return null;
	for (const [condition, value] of Object.entries(target)) {
		const found = CONDITIONS.has(condition) ? targetOf(value) : null;
		if (found !== null) return found;
	}
	return null;
}

function objectIn(text: string): Record<string, unknown> {
	try {
		const value = JSON.parse(text) as unknown;
		return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
	} catch {
		return {};
	}
}
