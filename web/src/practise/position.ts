// What can be read from a FEN without asking anyone.
import { men } from '../lib/board';

const ORDER = 'KQRBNP';
const LETTERS: Record<string, string> = { king: 'K', queen: 'Q', rook: 'R', bishop: 'B', knight: 'N', pawn: 'P' };

/** The ending of a position with White's men first, as in KQKR. */
export function materialOf(fen: string): string {
  const sides = { white: '', black: '' };
  for (const man of men(fen).values()) {
    const [side = '', role = ''] = man.split(' ');
    if (side === 'white' || side === 'black') sides[side] += LETTERS[role] ?? '';
  }
  const sorted = (letters: string): string => [...letters].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).join('');
  return sorted(sides.white) + sorted(sides.black);
}

/** The two names that an ending may be listed by: KQKR and KRKQ. */
export function namesOf(material: string): string[] {
  const second = material.indexOf('K', 1);
  return [material, material.slice(second) + material.slice(0, second)];
}

/** Number of men. */
export function menCount(fen: string): number {
  return men(fen).size;
}
