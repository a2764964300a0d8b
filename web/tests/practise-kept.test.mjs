// What is kept: across a reload, a killed server, two tabs, and in the history.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, drag, fits, launch, newPage, picture, Server } from './harness.mjs';
import { address, begin, gameOf, MATE_IN_SIX, moved, playOut } from './practise-steps.mjs';

let server;
let browser;

before(async () => {
  server = await Server.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function oneMove(page) {
  const { legal } = await gameOf(page, server);
  const before = await page.evaluate(() => document.querySelectorAll('[data-place]').length);
  await drag(page, legal[0].from, legal[0].to);
  await moved(page, before);
}

test('a game is there after a reload', async () => {
  const page = await newPage(browser, server);
  await begin(page, address(MATE_IN_SIX));
  await oneMove(page);
  await page.waitForURL(/\/practise\/[^?]+$/);
  const { fen } = await gameOf(page, server);
  await page.reload();
  await page.locator('[data-place="1"]').waitFor();
  assert.equal((await gameOf(page, server)).fen, fen);
  await page.context().close();
});

test('a game is there after the server was killed, and a move made meanwhile counts', async () => {
  const page = await newPage(browser, server);
  await begin(page, address(MATE_IN_SIX));
  await oneMove(page);
  const game = await gameOf(page, server);
  await server.end('SIGKILL');
  const [best] = game.legal;
  await drag(page, best.from, best.to);
  await page.getByText('The server does not answer.').waitFor();
  await picture(page, 'practise-server-gone');
  await server.again();
  await moved(page, 2);
  await page.getByText('The server does not answer.').waitFor({ state: 'hidden' });
  const now = await gameOf(page, server);
  assert.equal(now.moves[2].uci, best.uci);
  assert.deepEqual(now.moves.slice(0, 2).map(({ uci }) => uci), game.moves.map(({ uci }) => uci));
  await page.context().close();
});

test('two tabs in one game do not tread on each other', async () => {
  const first = await newPage(browser, server);
  await begin(first, address(MATE_IN_SIX));
  await oneMove(first);
  // Tabs of another profile hear nothing of each other: only the server can tell.
  const second = await newPage(browser, server);
  await second.goto(first.url());
  await second.locator('[data-place="1"]').waitFor();
  await oneMove(first);
  const stale = (await gameOf(first, server)).moves.slice(0, 2);
  assert.equal(await second.locator('[data-place]').count(), 2);
  // The second tab makes a move of its own from the position it still shows.
  const { legal } = await server.call('POST', '/play', { fen: MATE_IN_SIX, opponent: 'infallible', moves: stale.map(({ uci }) => uci) });
  const other = legal.at(-1);
  await drag(second, other.from, other.to);
  await second.getByText('This game went on in another tab').waitFor();
  await second.locator('[data-place="3"]').waitFor();
  assert.equal((await gameOf(first, server)).moves.length, 4);
  // A tab of the same profile follows at once.
  const third = await first.context().newPage();
  await third.goto(first.url());
  await third.locator('[data-place="3"]').waitFor();
  await oneMove(first);
  await third.locator('[data-place="4"]').waitFor();
  await first.context().close();
  await second.context().close();
});

test('the history shows games and estimates, and erases them', async () => {
  const page = await newPage(browser, server);
  await begin(page, address(MATE_IN_SIX));
  await playOut(page, server, (move) => drag(page, move.from, move.to));
  await page.getByRole('link', { name: 'Your games' }).click();
  await page.getByRole('heading', { name: 'How you play, by ending' }).waitFor();
  await page.getByRole('heading', { name: 'Queen against rook, winning' }).waitFor();
  await page.locator('.u-wrap canvas').first().waitFor();
  assert.equal(await page.locator('.result.win').count(), 1);
  await accessible(page, 'the history');
  await fits(page, 'the history');
  await picture(page, 'practise-history');
  const [pgn] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download PGN' }).click()]);
  const text = await (await pgn.createReadStream()).toArray();
  assert.match(Buffer.concat(text).toString(), /\[FEN "8\/2r5\/8\/k7\/5Q2\/8\/8\/2K5 w - - 0 1"\]/);
  const count = (await server.call('GET', '/games')).games.length;
  await page.getByRole('button', { name: /^Erase .*/ }).nth(1).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
  assert.equal((await server.call('GET', '/games')).games.length, count);
  await page.getByRole('button', { name: /^Erase .*/ }).nth(1).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForFunction((n) => document.querySelectorAll('.result').length === n - 1, count);
  await page.getByRole('button', { name: 'Erase all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.getByText('There are no games yet').waitFor();
  assert.deepEqual((await server.call('GET', '/beliefs')).beliefs, []);
  await page.context().close();
});
