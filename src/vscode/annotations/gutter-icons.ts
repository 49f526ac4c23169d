// The icons in the gutter: one per class of wait, one for a line that blocked the loop, and bars for heat. Each differs
// by its shape, not by its colour alone. They are drawn here as data URIs, because a decoration's icon cannot use a
// theme's colour: VS Code only distinguishes one for dark and one for light backgrounds.
import * as vscode from 'vscode';
import type { HeatLevel } from '../../protocol/heat.ts';
import type { OperationClass } from '../../protocol/report.ts';

export type GutterIcon = OperationClass | 'block' | `heat${HeatLevel}`;

/** At least 4.5:1 on the backgrounds of the built-in themes. */
const COLORS = { wait: { dark: '#7fb4dd', light: '#2f6399' }, block: { dark: '#f0a868', light: '#a3480c' } };

/** Opacity. On those backgrounds at least 3:1 is left, which WCAG asks of graphics. */
const DIMMED = 0.7;

const line = (path: string) =>
	`<path d="${path}" fill="none" stroke="COLOR" stroke-width="1.4" stroke-linecap="round"/>`;
const solid = (path: string) => `<path d="${path}" fill="COLOR"/>`;
const ring = (x: number, y: number, r: number) =>
	`<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="COLOR" stroke-width="1.4"/>`;
/** A bar as high as the line, the wider the hotter. */
const bar = (width: number) => solid(`M${15 - width} 0h${width}v16h-${width}z`);

/** In a square of 16. */
const SHAPES: Record<GutterIcon, string> = {
	// Threads side by side.
	threadpool: line('M4 3v10M8 3v10M12 3v10'),
	// To the network and back.
	kernel: line('M3 5.5h9M9.5 3l2.5 2.5L9.5 8M13 10.5H4M6.5 8L4 10.5 6.5 13'),
	io_uring: ring(8, 8, 5) + ring(8, 8, 2),
	timer: ring(8, 8, 5.3) + line('M8 4.8V8l2.3 1.6'),
	loop: line('M12.6 6.2A5 5 0 1 0 13 8.6M13 3.2v3.2H9.8'),
	process: line('M2.7 3.2h10.6v9.6H2.7zM5 6.2L7 8 5 9.8M8.4 10h2.4'),
	worker: line('M3 3h7v7H3zM6 12.8h6.8V6'),
	other: solid('M8 5.6a2.4 2.4 0 1 0 .01 0z'),
	block: solid('M3.5 3.5h9v9h-9z'),
	heat1: bar(2),
	heat2: bar(4),
	heat3: bar(7),
	heat4: bar(11),
};

/** The options of a decoration type that shows the icon, dimmed on a line that is not the one that ran. */
export function gutterOptions(icon: GutterIcon, dimmed: boolean): vscode.DecorationRenderOptions {
	const { dark, light } = icon === 'block' ? COLORS.block : COLORS.wait;
	const opacity = dimmed ? DIMMED : 1;
	return {
		dark: { gutterIconPath: picture(icon, dark, opacity) },
		light: { gutterIconPath: picture(icon, light, opacity) },
		gutterIconSize: 'contain',
	};
}

function picture(icon: GutterIcon, color: string, opacity: number): vscode.Uri {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" opacity="${opacity}">${SHAPES[icon].replaceAll('COLOR', color)}</svg>`;
	return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}
