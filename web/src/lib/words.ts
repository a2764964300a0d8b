// Numbers of the lab as people say them.
import type { Outcome } from './types';

/** The ends of the dial for c. */
export const MIN_C = -10;
export const MAX_C = 50;

/**
 * Words for a competence: from "helps you" over "club player" to "perfect". They follow what attackers with queen against
 * rook show in real games (`errare scale`): 6 at Elo 1600, 7 at 2000, 8.4 at 2400, 10 at 2800. Other endings are easier or
 * harder, so where an ending is known, the lab's own words for it are better.
 */
export function strengthWords(c: number): string {
  if (c === Infinity) return 'perfect';
  if (c < 0) return 'helps you';
  if (c < 1.5) return 'moves at random';
  if (c < 3) return 'beginner';
  if (c < 5) return 'casual player';
  if (c < 7) return 'club player';
  if (c < 9) return 'expert';
  if (c < 12) return 'master';
  if (c < 20) return 'grandmaster';
  if (c < 48) return 'player who rarely errs';
  return 'nearly perfect';
}

/** A sentence's worth on how someone plays: `like an expert`, `like a club player`, `nearly perfectly`. */
export function playsLike(c: number): string {
  const words = strengthWords(c);
  if (c < 1.5) return 'as if moving at random';
  if (c >= 48) return 'nearly perfectly';
  return `like ${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

/** A competence as a number: `12`, `12.4`, `∞`. */
export function competence(c: number, digits = 0): string {
  if (c === Infinity) return '∞';
  if (c === -Infinity) return '−∞';
  return number(c, digits);
}

/** An estimated competence in words: `about 32 on a scale from 0 to 50, nine times in ten between 11 and 49`. */
export function estimateWords(expected: number, low: number, high: number): string {
  return `about ${competence(expected)} on a scale from 0 to 50, nine times in ten between ${competence(low)} and ${competence(high)}`;
}

/** A number with a true minus sign and at most so many digits after the point. */
export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat('en-GB', { maximumFractionDigits: digits }).format(value).replace('-', '−');
}

/** `one move`, `7 moves`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n === 1 ? 'one' : number(n)} ${n === 1 ? one : many}`;
}

/** A share as a percentage in words that do not claim too much: `about 70%`, `under 1%`, `over 99%`. */
export function chance(share: number): string {
  if (share <= 0) return 'no chance';
  if (share < 0.01) return 'under 1%';
  if (share > 0.99) return share >= 1 ? 'certain' : 'over 99%';
  return `about ${Math.round(share * 100)}%`;
}

const OUTCOMES: Record<Outcome, string> = {
  win: 'won',
  'cursed-win': 'won, but not within the move rule',
  draw: 'drawn',
  'blessed-loss': 'lost, but saved by the move rule',
  loss: 'lost',
};

/** `won`, `drawn` or `lost`, for the side that the outcome is seen from. */
export function outcomeWords(outcome: Outcome): string {
  return OUTCOMES[outcome];
}

/** How good an outcome is to look at. */
export function outcomeTone(outcome: Outcome): 'good' | 'ok' | 'bad' {
  return outcome === 'win' ? 'good' : outcome === 'loss' ? 'bad' : 'ok';
}

/** What a depth counts to, for each metric. */
export function metricWords(metric: string): string {
  const goals: Record<string, string> = {
    dtm: 'to mate',
    dtc: 'to mate or a won simpler ending',
    dtz: 'to a capture, a pawn move or mate',
    dtr: 'by the shortest move rule that allows it',
  };
  return goals[metric.toLowerCase()] ?? (/^dtz\d+$/i.test(metric) ? 'to a capture, a pawn move or mate, under the move rule' : metric.toUpperCase());
}

/** An outcome with its depth: `won in 12`, `lost in 3`, `drawn`. Depths count moves of the winner. */
export function depthWords(outcome: Outcome, depth: number | null | undefined): string {
  if (outcome === 'draw' || depth === null || depth === undefined) return outcomeWords(outcome);
  return `${outcomeWords(outcome)} in ${depth}`;
}

/** The moment of an ISO date as people write it, in their own time zone. */
export function moment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

/** A day such as 2026-01-31 as people write it. */
export function day(iso: string): string {
  const date = new Date(`${iso}T12:00:00`);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(date);
}

const MEN: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };
const NUMERALS = ['', '', 'two ', 'three ', 'four ', 'five '];

/** The men of an ending such as KBBKN: `two bishops against knight`. */
export function endingWords(material: string): string {
  const second = material.indexOf('K', 1);
  if (second < 0) return material;
  const strong = force(material.slice(1, second));
  const weak = force(material.slice(second + 1));
  if (strong === '') return weak === '' ? 'king against king' : `king against ${weak}`;
  return `${strong} against ${weak === '' ? 'king' : weak}`;
}

function force(letters: string): string {
  const counts = new Map<string, number>();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const parts = [...counts].map(([letter, n]) => `${NUMERALS[n] ?? `${n} `}${MEN[letter] ?? letter}${n > 1 ? 's' : ''}`);
  return parts.join(' and ');
}

/** The text with a capital letter at its beginning. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
