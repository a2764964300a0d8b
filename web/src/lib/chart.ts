// What a chart shows, and how that becomes the options of uPlot.
import type uPlot from 'uplot';
import { faded } from './colours';

export interface ChartSeries {
  label: string;
  values: (number | null)[];
  /** A band lies between `values` and `upper`. */
  kind?: 'line' | 'points' | 'band';
  upper?: (number | null)[];
  /** A token (accent, good, ok, bad, warn, muted, text) or a CSS colour. */
  colour?: string;
  dashed?: boolean;
}

export interface ChartMark {
  x: number;
  label: string;
  tone: 'good' | 'ok' | 'bad' | 'none';
}

export interface ChartWish {
  x: number[];
  series: ChartSeries[];
  marks: ChartMark[];
  xLabel: string;
  yLabel: string;
  xFormat: (x: number) => string;
  yRange: [number, number] | undefined;
  width: number;
  height: number;
  /** Gives a token's colour as it is now. */
  colour: (name: string) => string;
}

const PALETTE = ['accent', 'warn', 'good', 'bad', 'muted', 'text'];
const FONT = '12px system-ui, sans-serif';

/** The colour name of a series: its own, or one of the palette in turn. */
export function colourOf(series: ChartSeries, place: number): string {
  return series.colour ?? PALETTE[place % PALETTE.length] ?? 'accent';
}

/** The columns for uPlot: x, then one a series, two a band. */
export function columns(x: number[], series: ChartSeries[]): uPlot.AlignedData {
  return [x, ...series.flatMap((one) => (one.kind === 'band' ? [one.values, one.upper ?? one.values] : [one.values]))];
}

export function options(wish: ChartWish): uPlot.Options {
  const { colour } = wish;
  const bands: uPlot.Band[] = [];
  const series: uPlot.Series[] = [{}];
  wish.series.forEach((one, place) => {
    const stroke = colour(colourOf(one, place));
    if (one.kind === 'band') {
      bands.push({ series: [series.length + 1, series.length], fill: faded(stroke, 0.18) });
      const edge = { stroke: faded(stroke, 0.35), width: 1, points: { show: false } };
      series.push({ label: one.label, ...edge }, { label: one.label, ...edge });
    } else if (one.kind === 'points') {
      series.push({ label: one.label, stroke, width: 0, paths: () => null, points: { show: true, size: 8, fill: stroke, stroke } });
    } else {
      const few = wish.x.length <= 60;
      const dash = one.dashed ? { dash: [6, 5] } : {};
      series.push({ label: one.label, stroke, width: 2, points: { show: few, size: 5, fill: stroke }, ...dash });
    }
  });
  const axis = {
    stroke: colour('muted'),
    font: FONT,
    labelFont: FONT,
    labelSize: 20,
    grid: { stroke: faded(colour('line'), 0.7), width: 1 },
    ticks: { show: false },
  };
  const lone = wish.x.length === 1 ? wish.x[0] : undefined;
  return {
    width: wish.width,
    height: wish.height,
    padding: [wish.marks.length > 0 ? 18 : 10, 24, 0, 0],
    legend: { show: false },
    cursor: { show: true, x: true, y: false, drag: { setScale: false, x: false, y: false }, points: { size: 8 } },
    scales: {
      x: { time: false, ...(lone === undefined ? {} : { range: [lone - 1, lone + 1] as [number, number] }) },
      y: wish.yRange ? { range: wish.yRange } : { range: (_, low, high) => padded(low, high) },
    },
    bands,
    series,
    axes: [
      { ...axis, label: wish.xLabel, size: 30, space: 56, values: (_, ticks) => ticks.map(wish.xFormat), incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] },
      { ...axis, label: wish.yLabel, size: 40 },
    ],
    hooks: { draw: [(plot) => paintMarks(plot, wish), (plot) => paintLoneBands(plot, wish)] },
  };
}

function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = Math.max((high - low) * 0.08, 0.5);
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
}

/** Thin lines down the chart with a dot at the top. */
function paintMarks(plot: uPlot, { marks, colour }: ChartWish): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  for (const mark of marks) {
    const left = Math.round(plot.valToPos(mark.x, 'x', true)) + 0.5;
    if (left < bbox.left - 1 || left > bbox.left + bbox.width + 1) continue;
    const tone = colour(mark.tone === 'none' ? 'muted' : mark.tone);
    ctx.strokeStyle = faded(tone, 0.6);
    ctx.fillStyle = tone;
    ctx.lineWidth = scale;
    ctx.beginPath();
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(left, bbox.top - 5 * scale, 4 * scale, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}

/** A band over a single value of x has no width; it is painted as a bar. */
function paintLoneBands(plot: uPlot, { x, series, colour }: ChartWish): void {
  const [lone] = x;
  if (x.length !== 1 || lone === undefined) return;
  const { ctx } = plot;
  series.forEach((one, place) => {
    const [low] = one.values;
    const [high] = one.upper ?? [];
    if (one.kind !== 'band' || typeof low !== 'number' || typeof high !== 'number') return;
    const width = 14 * devicePixelRatio;
    const top = plot.valToPos(high, 'y', true);
    ctx.save();
    ctx.fillStyle = faded(colour(colourOf(one, place)), 0.25);
    ctx.fillRect(plot.valToPos(lone, 'x', true) - width / 2, top, width, plot.valToPos(low, 'y', true) - top);
    ctx.restore();
  });
}
