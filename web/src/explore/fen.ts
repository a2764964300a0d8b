// Positions as lists of men, and what can be worked out from a FEN without asking the server.
import { turn } from '../lib/board';
import type { Side } from '../lib/board';

/** Men by square, as FENs write them: KQRBNP for White, kqrbnp for Black. */
export type Men = Map<string, string>;

const FILES = 'abcdefgh';
const ORDER = 'KQRBNP';

export const START = '8/8/8/8/2r5/8/2k5/K6Q w - - 0 1';

/** The men of a FEN. */
export function menOf(fen: string): Men {
  const found: Men = new Map();
  const [placement = ''] = fen.trim().split(/\s+/);
  placement.split('/').forEach((row, index) => {
    let file = 0;
    for (const sign of row) {
      const skip = Number(sign);
      if (skip > 0) file += skip;
      else found.set(`${FILES[file++] ?? ''}${8 - index}`, sign);
    }
  });
  return found;
}

/** The first field of a FEN. */
export function placementOf(men: Men): string {
  const rows: string[] = [];
  for (let rank = 8; rank >= 1; rank -= 1) {
    let row = '';
    let empty = 0;
    for (const file of FILES) {
      const man = men.get(`${file}${rank}`);
      if (man === undefined) {
        empty += 1;
        continue;
      }
      row += (empty > 0 ? String(empty) : '') + man;
      empty = 0;
    }
    rows.push(row + (empty > 0 ? String(empty) : ''));
  }
  return rows.join('/');
}

/** A fresh position with these men. */
export function fenOf(men: Men, side: Side): string {
  return `${placementOf(men)} ${side === 'white' ? 'w' : 'b'} - - 0 1`;
}

/** The same position with the other side to move. */
export function withTurn(fen: string, side: Side): string {
  return fenOf(menOf(fen), side);
}

/** The position after a legal move, which endgame positions have without castling. */
export function after(fen: string, uci: string): string {
  const men = menOf(fen);
  const [, , , passant = '-', half = '0', full = '1'] = fen.trim().split(/\s+/);
  const [from, to, promotion] = [uci.slice(0, 2), uci.slice(2, 4), uci.slice(4)];
  const man = men.get(from) ?? '';
  const side = turn(fen);
  const isPawn = man.toLowerCase() === 'p';
  let isCapture = men.has(to);
  if (isPawn && to === passant) {
    men.delete(`${to.slice(0, 1)}${from.slice(1)}`);
    isCapture = true;
  }
  men.delete(from);
  men.set(to, promotion === '' ? man : side === 'white' ? promotion.toUpperCase() : promotion);
  const isDouble = isPawn && Math.abs(Number(from.slice(1)) - Number(to.slice(1))) === 2;
  const skipped = `${from.slice(0, 1)}${(Number(from.slice(1)) + Number(to.slice(1))) / 2}`;
  const clock = isPawn || isCapture ? 0 : (Number(half) || 0) + 1;
  const number = (Number(full) || 1) + (side === 'black' ? 1 : 0);
  return `${placementOf(men)} ${side === 'white' ? 'b' : 'w'} - ${isDouble ? skipped : '-'} ${clock} ${number}`;
}

/** The ending with White's men first, as in KQKR. */
export function materialOf(fen: string): string {
  const letters = [...menOf(fen).values()];
  const sorted = (wanted: string[]): string =>
    wanted.map((man) => man.toUpperCase()).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).join('');
  return sorted(letters.filter((man) => man < 'a')) + sorted(letters.filter((man) => man >= 'a'));
}

/** The two names that an ending may be listed by: KQKR and KRKQ. */
export function namesOf(material: string): string[] {
  const second = material.indexOf('K', 1);
  return second < 0 ? [material] : [material, material.slice(second) + material.slice(0, second)];
}

/** Whether the side to move is in check. */
export function inCheck(fen: string): boolean {
  const men = menOf(fen);
  const side = turn(fen);
  const king = [...men].find(([, man]) => man === (side === 'white' ? 'K' : 'k'))?.[0];
  return king !== undefined && [...men].some(([square, man]) => man < 'a' !== (side === 'white') && attacks(men, man, square, king));
}

/** Whether a man on a square attacks another square. */
function attacks(men: Men, man: string, from: string, to: string): boolean {
  const across = FILES.indexOf(to.slice(0, 1)) - FILES.indexOf(from.slice(0, 1));
  const up = Number(to.slice(1)) - Number(from.slice(1));
  const [wide, high] = [Math.abs(across), Math.abs(up)];
  switch (man.toLowerCase()) {
    case 'p':
      return wide === 1 && up === (man === 'P' ? 1 : -1);
    case 'n':
      return wide * high === 2;
    case 'k':
      return Math.max(wide, high) === 1;
    default: {
      const isStraight = across === 0 || up === 0;
      if (!isStraight && wide !== high) return false;
      if (man.toLowerCase() === 'r' && !isStraight) return false;
      if (man.toLowerCase() === 'b' && isStraight) return false;
      const steps = Math.max(wide, high);
      for (let step = 1; step < steps; step += 1) {
        const file = FILES[FILES.indexOf(from.slice(0, 1)) + Math.sign(across) * step] ?? '';
        if (men.has(`${file}${Number(from.slice(1)) + Math.sign(up) * step}`)) return false;
      }
      return steps > 0;
    }
  }
}

/** The address of a position in Explore. */
export function addressOf(fen: string): string {
  return `/explore?fen=${encodeURIComponent(fen).replaceAll('%2F', '/').replaceAll('%20', '_')}`;
}

/** The FEN of an address, whose blanks may be underscores. */
export function fenFrom(text: string): string {
  return text.replaceAll('_', ' ').trim();
}
