// Steps of the Practise page that several tests take.
import assert from 'node:assert/strict';

/** Queen against rook, won by mate in six moves against best play. */
export const MATE_IN_SIX = '8/2r5/8/k7/5Q2/8/8/2K5 w - - 0 1';

/** The address of a position to play against the perfect opponent. */
export function address(fen, opponent = 'infallible') {
  return `/practise?${new URLSearchParams({ fen, human: 'white', opponent })}`;
}

/** Opens a position and waits until a move can be made. */
export async function begin(page, where) {
  await page.goto(where);
  await page.getByText(/Your move|You are in check/).waitFor();
}

/** The game of the page as the server has it; before the first move as `play` sees it. */
export async function gameOf(page, server) {
  const url = new URL(page.url());
  const [, id] = /^\/practise\/([^/]+)$/.exec(url.pathname) ?? [];
  if (id) return (await server.call('GET', `/games/${id}`)).game;
  return server.call('POST', '/play', { fen: url.searchParams.get('fen'), human: url.searchParams.get('human') ?? 'white' });
}

/** Waits until the list has more moves than before, or the game is over. */
export async function moved(page, before) {
  await page.waitForFunction((count) => document.querySelectorAll('[data-place]').length > count, before);
}

/** Makes best moves until the game is over. `make` makes one on the page, `each` is called after it. */
export async function playOut(page, server, make, each = async () => undefined) {
  for (let n = 0; n < 30; n += 1) {
    const game = await gameOf(page, server);
    if (game.end) return;
    const before = await page.evaluate(() => document.querySelectorAll('[data-place]').length);
    await make(game.legal[0]);
    await moved(page, before);
    await each();
  }
  assert.fail('the game did not end');
}
