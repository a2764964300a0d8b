// Ratings as people say them.
import { number } from '../lib/words';

/** Whom a rating is like. */
export function strengthOf(elo: number): string {
  if (elo < 1000) return 'a beginner';
  if (elo < 1400) return 'a casual player';
  if (elo < 1800) return 'a club player';
  if (elo < 2000) return 'a strong club player';
  if (elo < 2200) return 'an expert';
  if (elo < 2400) return 'a master';
  if (elo < 2500) return 'an international master';
  if (elo < 2700) return 'a grandmaster';
  return 'one of the best grandmasters';
}

/** Between whom an interval lies: `between an expert and a grandmaster`. */
export function spanOf(low: number, high: number): string {
  const [weak, strong] = [strengthOf(low), strengthOf(high)];
  return weak === strong ? weak : `anything from ${weak} to ${strong}`;
}

/** A whole number, as ratings are. */
export function rating(elo: number | null | undefined): string {
  return elo === null || elo === undefined ? '–' : String(Math.round(elo)).replace('-', '−');
}

/** A rating, with an asterisk if it is outside the range of the calibration. */
export function markedRating(elo: number, outside: boolean | undefined): string {
  return rating(elo) + (outside ? '*' : '');
}

/** A score with its sign. */
export function signed(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined) return '–';
  return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(digits)}`;
}

/** An evaluation in pawns; what stands for a mate is called one. */
export function evaluation(pawns: number): string {
  if (Math.abs(pawns) < 90) return signed(pawns);
  return pawns > 0 ? 'mate' : 'mated';
}

/** A share in per cent. */
export function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)}%`;
}

/** A probability: small ones are not shown as none. */
export function probability(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (value < 0.0005) return 'under 0.1%';
  return percent(value, value < 0.1 ? 1 : 0);
}

/** How long engine work takes, roughly. */
export function minutes(seconds: number): string {
  if (seconds < 60) return 'less than a minute';
  const whole = Math.round(seconds / 60);
  if (whole < 90) return whole === 1 ? 'about a minute' : `about ${whole} minutes`;
  return `about ${number(seconds / 3600, 1)} hours`;
}
