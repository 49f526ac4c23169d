// The template of the text behind a line: which figures it shows, in which order. Groups are set apart by two or more
// spaces, the segments of a group by ` · `. A segment whose placeholders are all empty is left out, and so is a group
// without segments; text before a group's first placeholder belongs to the group.

/** The figures of a line. Labels are part of them, in the user's language: `p50 44 ms`. */
export const PLACEHOLDERS = [
	'warnings',
	'blocks',
	'latency',
	'p50',
	'p95',
	'max',
	'rate',
	'wall',
	'atOnce',
	'bar',
	'wait',
	'split',
	'run',
	'count',
	'class',
	'counts',
	'percent',
	'pending',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

const SEPARATOR = ' · ';
const PLACEHOLDER = /\{(\w+)\}/g;

interface TemplateGroup {
	head: string;
	segments: string[];
}

export class AnnotationTemplate {
	/** Names in braces that are not placeholders, each once. They are left out of the text. */
	readonly unknown: readonly string[];
	private readonly groups: readonly TemplateGroup[];

	constructor(text: string) {
		const names = [...text.matchAll(PLACEHOLDER)].map((match) => match[1]!);
		this.unknown = [...new Set(names.filter((name) => !isPlaceholder(name)))];
		this.groups = text
			// The text must fit behind one line.
			.replace(/[\r\n\t]+/g, ' ')
			.split(/ {2,}/)
			.map(groupOf);
	}

	/** @param say returns the text of a placeholder; empty when it has none */
	render(say: (placeholder: Placeholder) => string): string {
		return this.groups
			.map(({ head, segments }) => {
				const said = segments.map((segment) => fillSegment(segment, say)).filter((text) => text !== '');
				return said.length === 0 && segments.length > 0 ? '' : head + said.join(SEPARATOR);
			})
			.filter((text) => text !== '')
			.join('  ');
	}
}

function groupOf(text: string): TemplateGroup {
	const start = text.search(/\{\w+\}/);
	if (start < 0) return { head: text, segments: [] };
	return { head: text.slice(0, start), segments: text.slice(start).split(SEPARATOR) };
}

/** Empty when the segment has placeholders and all of them are empty. */
function fillSegment(segment: string, say: (placeholder: Placeholder) => string): string {
	let asked = false;
	let answered = false;
	const text = segment.replace(PLACEHOLDER, (_whole, name: string) => {
		asked = true;
		const value = isPlaceholder(name) ? say(name) : '';
		answered ||= value !== '';
		return value;
	});
	// Figures may be filled up with other spaces, which stay.
	return asked && !answered ? '' : text.replace(/ +/g, ' ').replace(/^ | $/g, '');
}

function isPlaceholder(name: string): name is Placeholder {
	return (PLACEHOLDERS as readonly string[]).includes(name);
}
