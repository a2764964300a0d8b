// A game as charts: how far the win is, and how strong each side looks, half-move by half-move.
import type { ChartMark, ChartSeries } from '../lib/chart';
import type { AssessedMove, GameBoard } from '../lib/types';
import { lossWords, numbered } from './phrases';

type Side = 'white' | 'black';

export const COLOURS: Record<Side, string> = { white: 'accent', black: 'warn' };

export interface GameChart {
  /** Half-moves from 0, the position before the first move. */
  x: number[];
  series: ChartSeries[];
  summary: string;
}

const other = (side: Side): Side => (side === 'white' ? 'black' : 'white');
const names: Record<Side, string> = { white: 'White', black: 'Black' };

/** Who wins a position and in how many moves; null for a draw. */
function winner(mover: Side, outcome: string, depth: number | null | undefined): { side: Side; depth: number } | null {
  if (outcome === 'draw' || depth === null || depth === undefined) return null;
  return { side: outcome === 'win' || outcome === 'cursed-win' ? mover : other(mover), depth };
}

/** The depth of every position of the assessed endings. Depths count moves of the winner. */
export function depthChart(moves: AssessedMove[]): GameChart {
  const values = new Map<number, { side: Side; depth: number } | null>();
  for (const move of moves) {
    values.set(move.ply - 1, winner(move.side, move.outcome_before, move.depth_before));
    // The next move says it better: after the loser's move a move of the winner's begins.
    values.set(move.ply, winner(move.side, move.outcome_after, move.depth_after));
  }
  const x = [...values.keys()].sort((a, b) => a - b);
  const of = (side: Side) => x.map((ply) => (values.get(ply)?.side === side ? (values.get(ply)?.depth ?? null) : null));
  const sides = (['white', 'black'] as const).filter((side) => of(side).some((value) => value !== null));
  const series: ChartSeries[] = sides.map((side) => ({ label: `${names[side]} wins in`, values: of(side), colour: COLOURS[side] }));
  const drawn = x.map((ply) => (values.get(ply) === null ? 0 : null));
  if (drawn.includes(0)) series.push({ label: 'Drawn', values: drawn, kind: 'points', colour: 'muted' });
  const [from, to] = [values.get(x[0] ?? 0), values.get(x.at(-1) ?? 0)];
  const say = (value: typeof from) => (value ? `${names[value.side]} wins in ${value.depth}` : 'drawn');
  return { x, series, summary: `How far the win is. At first: ${say(from)}; at the end: ${say(to)}.` };
}

/** Marks where something was given away: at the position that the move led to. */
export function concessions(moves: AssessedMove[]): ChartMark[] {
  return moves
    .filter((move) => move.glyph)
    .map((move) => ({
      x: move.ply,
      label: `${numbered(move)}${move.glyph ?? ''} (${lossWords(move)})`,
      tone: move.glyph === '?!' ? 'ok' : 'bad',
    }));
}

/** The estimates of both sides with their bands, from the moment there is enough to say. */
export function strengthChart(moves: AssessedMove[], players: Record<Side, string>): GameChart {
  const x = moves.map((move) => move.ply);
  const series: ChartSeries[] = [];
  const said: string[] = [];
  for (const side of ['white', 'black'] as const) {
    let last: AssessedMove | null = null;
    const held = moves.map((move) => {
      if (move.side === side && !move.too_little_to_say) last = move;
      return last;
    });
    const final = held.at(-1);
    if (!final) continue;
    const name = players[side];
    const colour = COLOURS[side];
    series.push({
      label: `${name}, 90% band`,
      kind: 'band',
      values: held.map((move) => move?.interval[0] ?? null),
      upper: held.map((move) => move?.interval[1] ?? null),
      colour,
    });
    series.push({ label: name, values: held.map((move) => move?.expected_c ?? null), colour });
    said.push(`${name} ends at ${final.expected_c.toFixed(1)}, between ${final.interval[0] ?? 0} and ${final.interval[1] ?? 0}`);
  }
  return { x, series, summary: `How exact the moves are (c), move by move. ${said.join('; ')}.` };
}

/** The number of the move that a half-move belongs to. */
export function plyLabel(board: GameBoard, ply: number): string {
  const move = board.moves[Math.max(0, Math.round(ply) - 1)];
  return move ? move.move_number.replace(/\.+$/, '') : '';
}
