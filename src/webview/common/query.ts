// The filter's language: terms separated by spaces, all of which must match.
//
//   class:threadpool  file:src/**  op:fs.*   a text, with * and ? as in shells; without them, what contains it
//   p95>50ms  count>=100  rate<2             a figure; times in µs, ms (also without a unit), s or min
//   during:block                             what a block of the event loop delayed, and what blocked it
//   -op:fs.stat                              what must not match
//   db.ts                                    a file or operation that contains it
//   file:"my file.ts"                        quotation marks around what contains spaces

/** What texts a term can name, and which figures it can compare. */
const TEXT_KEYS = ['class', 'file', 'op', 'during'] as const;
const TIME_KEYS = ['p50', 'p95', 'max', 'wall', 'wait', 'queue', 'execute', 'lag', 'run'] as const;
const COUNT_KEYS = ['count', 'pending', 'rate', 'atonce'] as const;

export type TextKey = (typeof TEXT_KEYS)[number];
export type FigureKey = (typeof TIME_KEYS)[number] | (typeof COUNT_KEYS)[number];

/** What a query is asked about: a line, or a route of requests. */
export interface Subject {
	/** One of them must match: a route waits for several operations. */
	texts: Readonly<Record<TextKey, readonly string[]>>;
	/** Times in ms. What is missing or null is unknown, and every comparison with it is false. */
	figures: Readonly<Partial<Record<FigureKey, number | null>>>;
}

export type Matches = (subject: Subject) => boolean;

/** Why a text is no query: its first term that makes no sense, and what is wrong with it. */
export interface QueryFault {
	term: string;
	wrong: 'key' | 'time' | 'number' | 'quote';
}

const UNITS: Readonly<Record<string, number>> = { us: 0.001, µs: 0.001, μs: 0.001, ms: 1, s: 1000, min: 60_000 };

const COMPARISON = /^([a-z0-9]+)(>=|<=|>|<|=)(.*)$/i;
const NAMED = /^([a-z0-9]+):(.*)$/i;
const TERM = /(?:[^\s"]|"[^"]*"?)+/g;
/** What comes before it, its sign, and itself, which may still lack its closing quotation mark. */
const LAST_TERM = /^((?:(?:[^\s"]|"[^"]*")*\s)*)(-?)((?:[^\s"]|"[^"]*"?)*)$/;
const AMOUNT = /^(\d+(?:\.\d+)?)\s*([a-zµμ]*)$/i;

/** Reads a query; an empty one matches everything. */
export function parseQuery(text: string): Matches | QueryFault {
	const terms: Matches[] = [];
	for (const term of text.match(TERM) ?? []) {
		if (term.split('"').length % 2 === 0) return { term, wrong: 'quote' };
		const parsed = parseTerm(term.replace(/^-/, '').replaceAll('"', ''));
		// Somebody is about to go on typing, and nothing vanishes meanwhile.
		if (parsed === null) continue;
		if (typeof parsed !== 'function') return { term, wrong: parsed };
		terms.push(term.startsWith('-') ? (subject) => !parsed(subject) : parsed);
	}
	return (subject) => terms.every((matches) => matches(subject));
}

/**
 * What the last term of a text may go on with, as whole texts.
 * @param values what occurs, by key
 */
export function completions(text: string, values: Readonly<Record<TextKey, readonly string[]>>): string[] {
	const [, before = '', sign = '', last = ''] = LAST_TERM.exec(text) ?? [];
	const named = NAMED.exec(last);
	const key = TEXT_KEYS.find((each) => each === named?.[1]?.toLowerCase());
	const all =
		key === undefined
			? [...TEXT_KEYS.map((each) => `${each}:`), ...[...TIME_KEYS, ...COUNT_KEYS].map((each) => `${each}>`)]
			: [...new Set(values[key])]
					.filter((value) => !value.includes('"'))
					.map((value) => `${key}:${/\s/.test(value) ? `"${value}"` : value}`);
	const bare = (written: string) => written.replaceAll('"', '').toLowerCase();
	return all
		.filter((each) => each !== last && bare(each).startsWith(bare(last)))
		.map((each) => `${before}${sign}${each}`);
}

/** @returns null for a term that demands nothing yet */
function parseTerm(term: string): Matches | QueryFault['wrong'] | null {
	if (term === '') return null;
	const comparison = COMPARISON.exec(term);
	if (comparison !== null) return parseComparison(comparison[1]!.toLowerCase(), comparison[2]!, comparison[3]!);
	const named = NAMED.exec(term);
	if (named === null) {
		const isIn = pattern(term);
		return ({ texts }) => [...texts.file, ...texts.op].some(isIn);
	}
	const key = TEXT_KEYS.find((each) => each === named[1]!.toLowerCase());
	if (key === undefined) return 'key';
	if (named[2] === '') return null;
	const isIn = pattern(named[2]!);
	return ({ texts }) => texts[key].some(isIn);
}

function parseComparison(name: string, operator: string, amount: string): Matches | QueryFault['wrong'] {
	const isTime = TIME_KEYS.some((each) => each === name);
	if (!isTime && !COUNT_KEYS.some((each) => each === name)) return 'key';
	const [, digits, unit = ''] = AMOUNT.exec(amount) ?? [];
	const factor = unit === '' ? 1 : isTime ? UNITS[unit.toLowerCase()] : undefined;
	if (digits === undefined || factor === undefined) return isTime ? 'time' : 'number';
	const limit = Number(digits) * factor;
	const key = name as FigureKey;
	return ({ figures }) => {
		const figure = figures[key];
		return figure !== undefined && figure !== null && compares(figure, operator, limit);
	};
}

function compares(figure: number, operator: string, limit: number): boolean {
	if (operator === '>') return figure > limit;
	if (operator === '<') return figure < limit;
	if (operator === '>=') return figure >= limit;
	return operator === '<=' ? figure <= limit : figure === limit;
}

/**
 * Whether a text matches what a person wrote: all of it, or what comes after a slash, where that has wildcards; `*` ends at a slash, `**` does not.
 */
function pattern(written: string): (text: string) => boolean {
	const wanted = written.toLowerCase();
	if (!/[*?]/.test(wanted)) return (text) => text.toLowerCase().includes(wanted);
	const source = wanted
		.replace(/[.+^${}()|[\]\\]/g, '\\$&')
		.replace(/\*{2,}\/?|\*|\?/g, (wildcard) => (wildcard === '?' ? '[^/]' : wildcard === '*' ? '[^/]*' : '.*'));
	const expression = new RegExp(`(?:^|/)${source}$`);
	return (text) => expression.test(text.toLowerCase());
}
