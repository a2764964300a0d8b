// What an assessment says, in sentences.
import { capital, count, number, outcomeWords } from '../lib/words';
import type { AssessedMove, GameTotals, GivenUp, LeftOutEndgames, Outcome, PeopleLike } from '../lib/types';
import type { Summary } from './assessment';

/** What is known of somebody's play: an estimate with its band. */
export interface Estimate {
  expected_c: number;
  interval: number[];
  too_little_to_say: boolean;
  /** Who typically plays the ending so, as far as games of people tell. */
  like?: PeopleLike | null;
}

/** As the lab says it. */
export const TOO_LITTLE = 'too little to say';

/**
 * How exact somebody's moves were, or that there is too little to say. These words are about the moves and not about who
 * made them: in games of strong tournament players half of the attackers with queen against rook show no more than 10,
 * half of the defenders no more than 5.
 */
export function exactness(play: Estimate): string {
  if (play.too_little_to_say) return TOO_LITTLE;
  const c = play.expected_c;
  if (c < 3) return 'far from best play';
  if (c < 8) return 'often inexact';
  if (c < 14) return 'fairly exact';
  if (c < 24) return 'exact';
  if (c < 36) return 'very exact';
  return 'nearly perfect';
}

export function band({ interval }: Estimate): string {
  return `${number(interval[0] ?? 0, 2)} to ${number(interval[1] ?? 0, 2)}`;
}

const GIVEN_UP: Record<GivenUp, string> = {
  'win-to-draw': 'win to draw',
  'win-to-loss': 'win to loss',
  'draw-to-loss': 'draw to loss',
};

interface Loss {
  given_up?: GivenUp | null;
  conceded?: number | null;
}

/** What a move gave away, in few words: `win to draw`, `3 moves`. */
export function lossWords({ given_up, conceded }: Loss): string {
  if (given_up) return GIVEN_UP[given_up];
  return conceded ? count(conceded, 'move').replace('one', '1') : '';
}

/** How much a move gave away, for sorting: whole results before moves of depth. */
export function lossRank({ given_up, conceded }: Loss): number {
  if (given_up === 'win-to-loss') return 2e5;
  if (given_up) return 1e5;
  return conceded ?? 0;
}

/** `17. Qc6`, `26...Ke7`. */
export function numbered(move: { move_number: string; san: string }): string {
  return move.move_number.endsWith('...') ? `${move.move_number}${move.san}` : `${move.move_number} ${move.san}`;
}

/** `won in 16`, `drawn`; depths are moves of the winner. */
export function valueWords(outcome: Outcome, depth: number | null | undefined): string {
  return depth === null || depth === undefined ? outcomeWords(outcome) : `${outcomeWords(outcome)} in ${depth}`;
}

/** A move in sentences: what it did to the position, what was better, what stood out. */
export function moveSentences(move: AssessedMove, mover: string): string[] {
  const { outcome_before: before, depth_before: depth, outcome_after: after, depth_after: now, conceded } = move;
  const had = before === 'draw' ? `${mover} could hold a draw` : `The position was ${valueWords(before, depth)} for ${mover}`;
  const sentences: string[] = [];
  if (move.given_up) {
    sentences.push(`${had}; now it is ${valueWords(after, now)}.`);
    sentences.push(move.given_up === 'draw-to-loss' ? 'The draw was given up.' : 'The win was given up.');
  } else if (before === 'draw') {
    sentences.push(`${had}, and still can.`);
  } else {
    sentences.push(`${had}; after this move in ${now ?? 0}.`);
    if (conceded) {
      const all = move.conceded_total > conceded ? `, ${number(move.conceded_total)} so far` : '';
      sentences.push(before === 'win' ? `${capital(count(conceded, 'move'))} given away${all}.` : `It could have been held ${count(conceded, 'move')} longer${all}.`);
    }
  }
  const only = onlyWords(move);
  if (only) sentences.push(only);
  if (move.impossible) sentences.push('The model calls this move impossible, so nothing was learned from it.');
  return sentences;
}

function onlyWords({ mark, outcome_before: before }: AssessedMove): string | null {
  if (mark === '°') return 'It was the only legal move.';
  if (mark === '"') return `It was the only move that keeps the ${before === 'win' ? 'win' : before === 'draw' ? 'draw' : 'value'}.`;
  if (mark === "'") return 'It was the only best move.';
  return null;
}

const MEN = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** A number of men in words. */
export function menWords(men: number): string {
  return `${MEN[men] ?? men} men`;
}

/** How much was read and assessed. */
export function totalsSentence({ totals, games, men }: Pick<Summary, 'totals' | 'games' | 'men'>): string {
  const { games: read, assessed } = totals;
  if (assessed === 0) {
    const none = read === 1 ? 'The only game has no move' : `None of the ${number(read)} games has a move`;
    return `${none} in an ending of up to ${menWords(men)}, so there is nothing to assess.`;
  }
  const moves = games.reduce((sum, row) => sum + row.moves, 0);
  const share = assessed === read ? (read === 1 ? 'The game reaches' : read === 2 ? 'Both games reach' : `All ${number(read)} games reach`) : `${capital(count(assessed, 'game'))} of ${number(read)} ${assessed === 1 ? 'reaches' : 'reach'}`;
  return `${share} an ending with tables: ${count(moves, 'move')} assessed.`;
}

/** What was passed over while reading. */
export function passedOver({ broken, duplicates }: GameTotals): string[] {
  const sentences: string[] = [];
  if (broken > 0) {
    sentences.push(`${capital(count(broken, 'game'))} could not be played through and ${broken === 1 ? 'was' : 'were'} skipped.`);
  }
  if (duplicates > 0) {
    const copies = capital(count(duplicates, 'copy', 'copies'));
    sentences.push(`${copies} of games that came before ${duplicates === 1 ? 'was' : 'were'} left out (same players, date and moves).`);
  }
  return sentences;
}

/** Endings that were left out, and why. */
export function leftOutSentence(left: LeftOutEndgames): string {
  const named = left.endgames.slice(0, 4).map((one) => one.material).join(', ');
  const more = left.endgames.length > 4 ? ` and ${number(left.endgames.length - 4)} more` : '';
  const pawns = left.reason === 'pawns' ? ' with pawns' : '';
  const what = `${capital(count(left.moves, 'move'))} in ${count(left.games, 'game')}: endings of ${menWords(left.men)}${pawns} (${named}${more}).`;
  if (canBeBuilt(left)) return `${what} Their tables can be built, which takes a while.`;
  if (left.reason === 'men') return `${what} The command line builds their tables (errare assess ${left.remedy ?? ''}); the page does not.`;
  if (left.reason === 'pawns') return `${what} Such tables are not built here; the command line reads those that you have (errare assess ${left.remedy ?? ''}).`;
  return `${what} There are no such tables.`;
}

/** The most men for which the page offers to build tables. */
export const MOST_MEN = 5;

export function canBeBuilt(left: LeftOutEndgames): boolean {
  return left.reason === 'men' && left.men <= MOST_MEN;
}

/** A warning about a game; where it came from needs no saying. */
export function warningWords(warning: string): string {
  return capital(warning.replace(/^the text of games in the request: /, ''));
}
