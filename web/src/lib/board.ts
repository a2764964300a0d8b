// What the board shows, apart from how it is drawn.

/** A move as the lab lists it; any list of legal moves with these fields will do. */
export interface BoardMove {
  uci: string;
  san: string;
  from: string;
  to: string;
  promotion?: string | null;
}

export interface Arrow {
  from: string;
  to: string;
  brush: 'good' | 'bad' | 'hint' | 'plain';
}

/** What lies over a square: a tone behind the man, a short text in front of it, and words for those who cannot see it. */
export interface SquareNote {
  tone: 'good' | 'ok' | 'bad' | 'none';
  text?: string;
  label?: string;
}

export type Side = 'white' | 'black';

const FILES = 'abcdefgh';
const ROLES: Record<string, string> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

/** All squares row by row as a board shows them, from the top left. */
export function rows(orientation: Side): string[][] {
  const ranks = [8, 7, 6, 5, 4, 3, 2, 1];
  const files = [...FILES];
  if (orientation === 'black') {
    ranks.reverse();
    files.reverse();
  }
  return ranks.map((rank) => files.map((file) => `${file}${rank}`));
}

/** The men of a FEN by square, in words: `white queen`. */
export function men(fen: string): Map<string, string> {
  const found = new Map<string, string>();
  const [placement = ''] = fen.trim().split(/\s+/);
  placement.split('/').forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      const skip = Number(letter);
      if (skip > 0) {
        file += skip;
        continue;
      }
      const role = ROLES[letter.toLowerCase()];
      const side = letter === letter.toUpperCase() ? 'white' : 'black';
      if (role) found.set(`${FILES[file] ?? ''}${8 - index}`, `${side} ${role}`);
      file += 1;
    }
  });
  return found;
}

/** The side to move of a FEN. */
export function turn(fen: string): Side {
  return fen.trim().split(/\s+/)[1] === 'b' ? 'black' : 'white';
}

/** The square that an arrow key leads to, as seen on the board; the same square at the edge. */
export function neighbour(square: string, key: string, orientation: Side): string {
  const sign = orientation === 'white' ? 1 : -1;
  const steps: Record<string, [number, number]> = {
    ArrowLeft: [-sign, 0],
    ArrowRight: [sign, 0],
    ArrowUp: [0, sign],
    ArrowDown: [0, -sign],
  };
  const [across, up] = steps[key] ?? [0, 0];
  const file = FILES.indexOf(square.slice(0, 1)) + across;
  const rank = Number(square.slice(1)) + up;
  if (file < 0 || file > 7 || rank < 1 || rank > 8) return square;
  return `${FILES[file] ?? ''}${rank}`;
}

export const PROMOTIONS = [
  { letter: 'q', name: 'queen' },
  { letter: 'r', name: 'rook' },
  { letter: 'b', name: 'bishop' },
  { letter: 'n', name: 'knight' },
] as const;
