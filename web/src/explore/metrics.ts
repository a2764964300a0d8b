// The ways to count how far a win is away.
import type { Depth, Outcome } from '../lib/types';

export interface MetricInfo {
  id: string;
  /** A short name for a column. */
  short: string;
  /** What the depth counts to, in words. */
  goal: string;
  about: string;
}

export const METRICS: MetricInfo[] = [
  { id: 'dtm', short: 'to mate', goal: 'to mate', about: 'Depth to mate: moves until checkmate.' },
  {
    id: 'dtc',
    short: 'to conversion',
    goal: 'to mate or a won simpler ending',
    about: 'Depth to conversion: moves until mate, or until a capture or promotion leads to an ending that is won.',
  },
  {
    id: 'dtz',
    short: 'to zeroing',
    goal: 'to a capture, a pawn move or mate',
    about: 'Depth to zeroing: moves until a capture, a pawn move or mate sets the 50-move count back to zero.',
  },
  {
    id: 'dtz50',
    short: '50-move rule',
    goal: 'to a capture, a pawn move or mate, under the 50-move rule',
    about: 'The same under the 50-move rule: wins that take too long count as draws.',
  },
  {
    id: 'dtr',
    short: 'longest phase',
    goal: 'in the longest phase without a capture or a pawn move',
    about: 'Depth by the rule: the shortest move rule (such as the 50-move rule) under which the win can still be had.',
  },
];

/** The metric of a name; the first one if there is none. */
export function metricInfo(id: string): MetricInfo {
  return METRICS.find((metric) => metric.id === id) ?? (METRICS[0] as MetricInfo);
}

/** The metric under which a table is stored: without pawns only captures set the count back, so that DTZ is DTC. */
export function storedAs(metric: string, material: string): string {
  return metric === 'dtz' && !material.includes('P') ? 'dtc' : metric;
}

/** A depth as a cell has room for it: `12`, `=`, `mate`. */
export function cell(depth: Depth | undefined): string {
  if (!depth) return '–';
  if (depth.outcome === 'draw') return '=';
  if (depth.plies === 0) return 'mate';
  const spoilt = depth.outcome === 'cursed-win' || depth.outcome === 'blessed-loss';
  return `${depth.moves ?? ''}${spoilt ? '*' : ''}`;
}

/** A value as a square has room for it: `+12`, `=`, `−3`. */
export function sign(depth: Depth): string {
  if (depth.outcome === 'draw') return '=';
  const mark = isWon(depth.outcome) ? '+' : '−';
  return `${mark}${cell(depth).replace('mate', '0')}`;
}

export function isWon(outcome: Outcome): boolean {
  return outcome === 'win' || outcome === 'cursed-win';
}

/** Whether two outcomes differ by more than the move rule. */
export function sameValue(one: Outcome, other: Outcome): boolean {
  const plain = (outcome: Outcome): string => (outcome === 'cursed-win' ? 'win' : outcome === 'blessed-loss' ? 'loss' : outcome);
  return plain(one) === plain(other);
}
