// What a person chose and will want again. It is kept in the browser; games are kept by the server.
import { MAX_C, MIN_C } from '../lib/words';
import { DEFAULT, KINDS, MAX_ELO, MIN_ELO } from './opponents';
import type { Kind, Opponent } from './opponents';

const KEY = 'errare.practise';

interface Stored {
  kind: Kind;
  c: number;
  elo: number;
  showKeeping: boolean;
  showMoves: boolean;
}

class Preferences {
  opponent = $state<Opponent>({ ...DEFAULT });
  /** Whether the number of moves that keep the result is shown. */
  showKeeping = $state(false);
  /** Whether all moves are shown with what they are worth. */
  showMoves = $state(false);

  constructor() {
    const stored = read();
    if (KINDS.some(({ kind }) => kind === stored.kind)) this.opponent.kind = stored.kind ?? DEFAULT.kind;
    if (typeof stored.c === 'number' && stored.c >= MIN_C && stored.c <= MAX_C) this.opponent.c = stored.c;
    if (typeof stored.elo === 'number' && stored.elo >= MIN_ELO && stored.elo <= MAX_ELO) this.opponent.elo = stored.elo;
    this.showKeeping = stored.showKeeping === true;
    this.showMoves = stored.showMoves === true;
  }

  keep(): void {
    const { opponent, showKeeping, showMoves } = this;
    const stored: Stored = { kind: opponent.kind, c: opponent.c, elo: opponent.elo, showKeeping, showMoves };
    try {
      localStorage.setItem(KEY, JSON.stringify(stored));
    } catch {
      // It then lasts as long as the page.
    }
  }
}

function read(): Partial<Stored> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return value !== null && typeof value === 'object' ? value : {};
  } catch {
    return {};
  }
}

export const preferences = new Preferences();
