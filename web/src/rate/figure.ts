// Where the points of a chart go, and the round numbers beside its axes.
import type { PlottedChart } from '../lib/types';

export interface Tick {
  value: number;
  label: string;
}

export interface Axis {
  low: number;
  high: number;
  log: boolean;
  ticks: Tick[];
}

export const COLOURS = ['accent', 'warn', 'good', 'bad', 'muted', 'text'];

/** All points of a chart, ends of whiskers among them. */
export function points(chart: PlottedChart): [number, number][] {
  return chart.series.flatMap(({ lines, dots, whiskers }) => [...lines.flat(), ...dots, ...whiskers.flat()]) as [number, number][];
}

/** The axis that holds all values, with a little room at both ends. */
export function axis(values: number[], log: boolean): Axis {
  const usable = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
  if (usable.length === 0) return { low: 0, high: 1, log: false, ticks: [] };
  let low = Math.min(...usable);
  let high = Math.max(...usable);
  if (log) {
    if (low === high) high = low * 10;
    return { low, high, log, ticks: powers(low, high) };
  }
  if (low === high) {
    low -= 1;
    high += 1;
  }
  const room = 0.04 * (high - low);
  [low, high] = [low - room, high + room];
  const step = round((high - low) / 5);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks: Tick[] = [];
  for (let n = Math.ceil(low / step); n * step <= high; n += 1) {
    const value = n * step;
    ticks.push({ value, label: value.toFixed(digits).replace(/^-(0(\.0+)?)$/, '$1').replace('-', '−') });
  }
  return { low, high, log, ticks };
}

/** The place of a value on an axis, from 0 to 1; none if it has no place. */
export function share({ low, high, log }: Axis, value: number): number | null {
  if (!Number.isFinite(value) || (log && value <= 0)) return null;
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/** The next of 1, 2 and 5 times a power of ten. */
function round(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = step / power;
  return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

function powers(low: number, high: number): Tick[] {
  const ticks: Tick[] = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high * 1.001; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const value = factor * power;
      if (value >= low * 0.999 && value <= high * 1.001) ticks.push({ value, label: String(value) });
    }
  }
  return ticks;
}
