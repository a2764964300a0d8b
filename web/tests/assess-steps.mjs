// What the tests of Assess share: games, and the way to their assessment.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Tables are built first, on a machine that may be busy. */
export const LONG = 120_000;

export const BROWNE_BELLE = readFileSync(
  fileURLToPath(new URL('../../crates/errare-games/tests/data/browne_belle.pgn', import.meta.url)),
  'utf8',
);

/** A game that ends before any ending. */
export const NO_ENDING = '[White "C"]\n[Black "D"]\n\n1. e4 e5 *\n\n';

/** Five men: two bishops against a knight. */
export const FIVE_MEN = '[White "E"]\n[Black "F"]\n[SetUp "1"]\n[FEN "8/8/8/3k4/8/1n1K4/8/2B2B2 w - - 0 1"]\n\n1. Be3 Na5 2. Bg2+ Ke5 *\n\n';

/** A queen is thrown away: White has won and loses. */
export const THROWN_AWAY = '[White "A"]\n[Black "B"]\n[SetUp "1"]\n[FEN "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1"]\n\n1. Qd8+ Rxd8+ 0-1\n\n';

/** So many different games, all of them long endings. */
export function manyGames(count) {
  const games = [];
  for (let n = 0; n < count; n += 2) games.push(BROWNE_BELLE.replaceAll('Browne, Walter', `Browne ${n}`));
  return games.join('\n');
}

/** The example, assessed; ends on the list of games. */
export async function example(page) {
  await page.goto('/assess');
  await page.getByRole('button', { name: /example/ }).click();
  await page.getByRole('tab', { name: 'Games' }).waitFor({ timeout: LONG });
  return /\/assess\/([0-9a-f]+)/.exec(page.url())[1];
}

/** Pastes games and has them assessed. */
export async function paste(page, pgn) {
  await page.goto('/assess');
  await page.getByLabel('Or paste games').fill(pgn);
  await page.getByRole('button', { name: 'Assess the pasted games' }).click();
}
