// What a move cost, in words.
import type { PlayedMove } from '../lib/types';
import { count, outcomeWords } from '../lib/words';

export type Tone = 'none' | 'ok' | 'bad';

/** Bad for a move that gave up the result, ok for one that only took longer. */
export function costTone(move: PlayedMove): Tone {
  if (move.conceded === null || move.conceded === undefined) return 'bad';
  return move.conceded > 0 ? 'ok' : 'none';
}

const NOUNS: Record<string, string> = { win: 'win', 'cursed-win': 'win', draw: 'draw', 'blessed-loss': 'draw', loss: 'defence' };

/** `gave up the win: Qd4 was best`, `cost 3 moves: Qd4 was best`, `the best there was`. */
export function costWords(move: PlayedMove): string {
  const best = move.best.slice(0, 3).join(' or ');
  switch (costTone(move)) {
    case 'bad':
      return `gave up the ${NOUNS[move.best_outcome] ?? 'result'} (now ${outcomeWords(move.outcome)}): ${best} was best`;
    case 'ok':
      return `cost ${count(move.conceded ?? 0, 'move')}: ${best} was best`;
    default:
      return 'the best there was';
  }
}
