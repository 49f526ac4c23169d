// The strip over every tab: the session's busiest loop above, the jobs in its pools' queues below, and its findings as flags. A stretch that is dragged over
// it limits what the tabs show to that time. By keyboard: arrows move the stretch, with Shift they move its end, Enter begins one, Escape ends it.
import type { Overview } from '../../protocol/overview.ts';
import { formatMs } from '../../protocol/units.ts';
import { fill, type ViewFinding, type ViewStrings } from '../../protocol/webview.ts';
import { element, setLabel, setText, setTitle } from '../common/dom.ts';
import { busiestLoop, onClock, queuedJobs, wholeSession } from '../common/session-rows.ts';
import { onThemeChange } from '../common/theme.ts';
import { move, type TimeRange } from '../common/time-range.ts';
import { button } from '../common/toolkit.ts';

/** In CSS pixels: the height of the strip, and where the loop ends and the queues begin. */
const HEIGHT = 40;
const LOOP_BOTTOM = 26;
const FLAG = 5;
/** A shorter drag is a click, in CSS pixels. */
const LEAST_DRAG = 3;
/** What a key moves by, and what Enter begins with, as a share of the session. */
const MOVE_SHARE = 0.02;
const FIRST_SHARE = 0.2;

export class OverviewStrip {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #onBrush: (range: TimeRange | null) => void;
	readonly #canvas = element('canvas');
	readonly #strip = element('div', { className: 'strip' }, this.#canvas);
	readonly #text = element('span');
	readonly #bar: HTMLElement;
	#overview: Overview | null = null;
	#flags: TimeRange[] = [];
	#brush: TimeRange | null = null;
	#dragFrom: number | null = null;

	/** @param onBrush is called with the stretch that was chosen; null for all of the session */
	constructor(words: ViewStrings, onBrush: (range: TimeRange | null) => void) {
		this.#words = words;
		this.#onBrush = onBrush;
		this.#strip.tabIndex = 0;
		this.#strip.setAttribute('role', 'application');
		setLabel(this.#strip, words.overviewHelp);
		setTitle(this.#strip, words.overviewHint);
		this.#text.setAttribute('role', 'status');
		this.#bar = element(
			'p',
			{ className: 'brushed' },
			this.#text,
			button(words.showAll, () => this.#choose(null)),
		);
		this.#bar.hidden = true;
		this.root = element('div', { className: 'overview' }, this.#strip, this.#bar);
		this.root.hidden = true;
		this.#listen();
	}

	/** The stretch that was chosen; null for all of the session. */
	get brush(): TimeRange | null {
		return this.#brush;
	}

	/** @param findings those of the session, with their effects */
	show(overview: Overview | null, findings: readonly ViewFinding[]): void {
		this.#overview = overview;
		const times = findings.flatMap(({ when }) => when ?? []);
		this.#flags = overview === null ? [] : times.flatMap((when) => onClock(overview, when) ?? []);
		this.root.hidden = overview === null || overview.length === 0;
		this.#draw();
	}

	/** The session is limited to that stretch, from here or elsewhere; nothing happens while a person drags. */
	follow(range: TimeRange | null): void {
		const isSame = range?.fromMs === this.#brush?.fromMs && range?.toMs === this.#brush?.toMs;
		if (this.#dragFrom === null && !isSame) this.#mark(range);
	}

	#listen(): void {
		const strip = this.#strip;
		new ResizeObserver(() => this.#draw()).observe(strip);
		onThemeChange(() => this.#draw());
		strip.addEventListener('pointerdown', ({ pointerId, offsetX }) => {
			strip.setPointerCapture(pointerId);
			this.#dragFrom = offsetX;
		});
		strip.addEventListener('pointermove', ({ offsetX }) => {
			if (this.#dragFrom === null || Math.abs(offsetX - this.#dragFrom) < LEAST_DRAG) return;
			const [from, to] = [this.#timeAt(this.#dragFrom), this.#timeAt(offsetX)].sort((a, b) => a - b);
			this.#brush = { fromMs: from!, toMs: to! };
			this.#draw();
		});
		strip.addEventListener('pointerup', ({ offsetX }) => {
			if (this.#dragFrom === null) return;
			const isClick = Math.abs(offsetX - this.#dragFrom) < LEAST_DRAG;
			this.#dragFrom = null;
			this.#choose(isClick ? null : this.#brush);
		});
		strip.addEventListener('keydown', (event) => this.#key(event));
	}

	#key(event: KeyboardEvent): void {
		const whole = this.#whole();
		const length = whole.toMs - whole.fromMs;
		const first = { fromMs: whole.fromMs, toMs: whole.fromMs + FIRST_SHARE * length };
		const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
		if (event.key === 'Escape') this.#choose(null);
		else if (event.key === 'Enter') this.#choose(this.#brush ?? first);
		else if (by === 0 || this.#brush === null) return;
		else if (!event.shiftKey) this.#choose(move(this.#brush, by * MOVE_SHARE * length, whole));
		else {
			const { fromMs, toMs } = this.#brush;
			const least = fromMs + MOVE_SHARE * length;
			this.#choose({ fromMs, toMs: Math.min(whole.toMs, Math.max(least, toMs + by * MOVE_SHARE * length)) });
		}
		event.preventDefault();
	}

	#choose(range: TimeRange | null): void {
		this.#mark(range);
		this.#onBrush(range);
	}

	#mark(range: TimeRange | null): void {
		this.#brush = range;
		this.#bar.hidden = range === null;
		if (range !== null) setText(this.#text, fill(this.#words.brushed, formatMs(range.fromMs), formatMs(range.toMs)));
		this.#draw();
	}

	#whole(): TimeRange {
		return this.#overview === null ? { fromMs: 0, toMs: 1 } : wholeSession(this.#overview);
	}

	/** @param x in CSS pixels of the strip */
	#timeAt(x: number): number {
		const { fromMs, toMs } = this.#whole();
		const share = Math.max(0, Math.min(1, x / this.#strip.clientWidth));
		return fromMs + share * (toMs - fromMs);
	}

	#draw(): void {
		const width = this.#strip.clientWidth;
		const context = this.#canvas.getContext('2d');
		if (this.#overview === null || width === 0 || context === null) return;
		this.#canvas.width = Math.round(width * devicePixelRatio);
		this.#canvas.height = HEIGHT * devicePixelRatio;
		context.scale(devicePixelRatio, devicePixelRatio);
		const style = getComputedStyle(this.#strip);
		const colour = (name: string) => style.getPropertyValue(name).trim();
		const { fromMs, binMs } = this.#overview;
		const whole = this.#whole();
		const at = (ms: number) => ((ms - whole.fromMs) / (whole.toMs - whole.fromMs)) * width;
		const area = (values: readonly number[], bottom: number, height: number) => {
			values.forEach((value, bin) => {
				// Whole pixels: bins that share one would leave a stripe.
				const left = Math.floor(at(fromMs + bin * binMs));
				const right = Math.ceil(at(fromMs + (bin + 1) * binMs));
				const part = value > 0 ? Math.max(1, value * height) : 0;
				context.fillRect(left, bottom - part, right - left, part);
			});
		};
		context.fillStyle = colour('--wl-execute');
		area(busiestLoop(this.#overview), LOOP_BOTTOM, LOOP_BOTTOM - FLAG - 1);
		const queued = queuedJobs(this.#overview);
		const most = queued.reduce((peak, jobs) => Math.max(peak, jobs), 0);
		context.fillStyle = colour('--wl-queue');
		if (most > 0) {
			const shares = queued.map((jobs) => jobs / most);
			area(shares, HEIGHT, HEIGHT - LOOP_BOTTOM - 2);
		}
		context.fillStyle = colour('--wl-grid');
		context.fillRect(0, LOOP_BOTTOM, width, 1);
		context.fillStyle = colour('--wl-lag');
		for (const flag of this.#flags) {
			const x = at((flag.fromMs + flag.toMs) / 2);
			context.beginPath();
			context.moveTo(x - FLAG, 0);
			context.lineTo(x + FLAG, 0);
			context.lineTo(x, FLAG + 1);
			context.fill();
			context.fillRect(x - 0.5, 0, 1, HEIGHT);
		}
		if (this.#brush === null) return;
		const [left, right] = [at(this.#brush.fromMs), at(this.#brush.toMs)];
		context.fillStyle = colour('--vscode-editor-background');
		context.globalAlpha = 0.65;
		context.fillRect(0, 0, left, HEIGHT);
		context.fillRect(right, 0, width - right, HEIGHT);
		context.globalAlpha = 1;
		context.strokeStyle = colour('--vscode-focusBorder');
		context.lineWidth = 2;
		context.strokeRect(left, 1, Math.max(2, right - left), HEIGHT - 2);
	}
}
