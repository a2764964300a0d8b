// What the board shows: the position now, an earlier one, or the move that cost most.
import type { Arrow } from '../lib/board';
import type { PlayResponse } from '../lib/types';

/** `now`, a place in the moves (-1 for the start), or the turning point of a game that is over. */
export type View = 'now' | 'turning-point' | number;

export interface Shown {
  fen: string;
  lastMove: string | null;
  check: boolean;
  arrows: Arrow[];
}

/** The arrow of a move in UCI notation. */
export function arrow(uci: string, brush: Arrow['brush']): Arrow {
  return { from: uci.slice(0, 2), to: uci.slice(2, 4), brush };
}

export function shownBy(game: PlayResponse, view: View): Shown {
  const { moves } = game;
  const point = game.review?.turning_point;
  if (view === 'turning-point' && point) {
    const before = moves[point.place - 1];
    return { fen: point.fen, lastMove: before?.uci ?? null, check: false, arrows: turningArrows(game) };
  }
  if (typeof view === 'number') {
    const move = moves[view];
    return { fen: move?.fen ?? game.start, lastMove: move?.uci ?? null, check: /[+#]$/.test(move?.san ?? ''), arrows: [] };
  }
  return { fen: game.fen, lastMove: moves.at(-1)?.uci ?? null, check: game.check, arrows: [] };
}

/** The costliest move and what was better. */
export function turningArrows(game: PlayResponse): Arrow[] {
  const point = game.review?.turning_point;
  if (!point) return [];
  return [arrow(point.move.uci, 'bad'), ...point.best.slice(0, 3).map(({ uci }) => arrow(uci, 'good'))];
}

/** What happens on the board now, in a sentence. */
export function statusWords(game: PlayResponse): string {
  if (game.end) return '';
  const last = game.moves.at(-1);
  const played = last && last.side !== game.human ? `${last.san} was played. ` : '';
  if (game.turn !== game.human) return 'Your opponent is to move.';
  return `${played}${game.check ? 'You are in check.' : 'Your move.'}`;
}
