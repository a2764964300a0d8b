// Moves as people type them.
import type { BoardMove } from '../lib/board';

/** The one move that a text stands for, or a sentence why there is none. */
export function typedMove(text: string, legal: BoardMove[]): BoardMove | string {
  const wanted = plain(text);
  if (wanted === '') return 'Type a move such as Qd4 or d1d4.';
  const exact = legal.filter((move) => plain(move.san) === wanted || move.uci === wanted.toLowerCase());
  const found = exact.length > 0 ? exact : legal.filter((move) => plain(move.san).toLowerCase() === wanted.toLowerCase());
  // `e8` for a pawn that has to become something, `Rd1` for one of two rooks.
  const wider = found.length > 0 ? found : legal.filter((move) => short(move).includes(wanted.toLowerCase()));
  const [move] = wider;
  if (!move) return `“${text.trim()}” is not a legal move here.`;
  if (wider.length > 1) return `“${text.trim()}” could be ${wider.map(({ san }) => san).join(' or ')}: say which.`;
  return move;
}

/** Without what may be left out: checks, captures, the equals sign, annotations. */
function plain(text: string): string {
  return text.trim().replace(/^\d+\.+\s*/, '').replace(/[+#!?x×=:\s-]/g, '').replaceAll('0', 'O');
}

/** The man and its square, without what tells it from its like. */
function short(move: BoardMove): string[] {
  const san = plain(move.san).toLowerCase();
  const man = /^[kqrbn]/.test(san) && /^[KQRBN]/.test(move.san) ? san.slice(0, 1) : '';
  return [`${man}${move.to}`, `${move.from}${move.to}`];
}
