// Positions that the page opens with, so that the board is there before the server has said anything. White is to move, not in
// check, and wins the rook or mates in 14 to 19 moves.
const OPENERS = [
  '8/8/1Q6/8/2k2K2/8/8/4r3 w - - 0 1',
  '1rk3K1/5Q2/8/8/8/8/8/8 w - - 0 1',
  '8/8/r7/k7/8/1Q2K3/8/8 w - - 0 1',
  '8/8/2KQ4/5k1r/8/8/8/8 w - - 0 1',
] as const;

export function opener(): string {
  return OPENERS[Math.floor(Math.random() * OPENERS.length)] ?? OPENERS[0];
}
