// Practise: whole games by drag and by keys, what is shown meanwhile, and what is kept.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, drag, keyMove, launch, middle, newPage, PATIENCE, picture, Server, tabToBoard } from './harness.mjs';
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

test('the first page is queen against rook, ready to play', async () => {
  const page = await newPage(browser, server);
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Queen against rook' }).waitFor();
  await page.getByText('Your move.').waitFor();
  assert.equal(await page.locator('piece.white.queen').count(), 1);
  assert.equal(await page.locator('piece.black.rook').count(), 1);
  await page.getByText('A human of Elo 1800').waitFor();
  assert.deepEqual((await server.call('GET', '/games')).games, [], 'a position nobody moved in is not a game');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a whole game is won by dragging, and the gauge moves', async () => {
  const page = await newPage(browser, server);
  await begin(page, address(MATE_IN_SIX));
  const gauge = page.locator('[data-expected]');
  const seen = new Set([await gauge.getAttribute('data-expected')]);
  await playOut(page, server, async (move) => {
    await drag(page, move.from, move.to);
  }, async () => seen.add(await gauge.getAttribute('data-expected')));
  assert.ok(seen.size >= 3, `the gauge showed ${[...seen].join(', ')}`);
  await page.getByRole('heading', { name: 'You won' }).waitFor();
  await page.getByText('by checkmate').first().waitFor();
  await page.getByRole('button', { name: 'Same ending, fresh position' }).waitFor();
  await picture(page, 'practise-won-desktop');
  await accessible(page, 'the end of a game');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('tapping a man and then a square moves it on a phone', async () => {
  const page = await newPage(browser, server, { phone: true, dark: true });
  await begin(page, address(MATE_IN_SIX));
  const { legal } = await gameOf(page, server);
  const [best] = legal;
  const tap = async (square) => {
    const { x, y } = await middle(page, square);
    await page.touchscreen.tap(x, y);
  };
  await tap(best.from);
  await page.locator('square.move-dest').first().waitFor({ state: 'attached' });
  const dots = await page.locator('square.move-dest').count();
  assert.equal(dots, new Set(legal.filter(({ from }) => from === best.from).map(({ to }) => to)).size, 'a dot for each square');
  await tap(best.to);
  await moved(page, 0);
  assert.equal((await gameOf(page, server)).moves[0].uci, best.uci);
  await page.context().close();
});

test('a whole game is won by the keyboard alone', async () => {
  const page = await newPage(browser, server);
  await begin(page, address(MATE_IN_SIX));
  await tabToBoard(page);
  await playOut(page, server, (move) => keyMove(page, move.from, move.to));
  await page.getByRole('heading', { name: 'You won' }).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a move that costs the game is shown with what was better', async () => {
  const page = await newPage(browser, server);
  await begin(page, address(MATE_IN_SIX));
  // The first move keeps the win but takes longer; the second gives it up if it can; then the person resigns.
  for (const poor of [(legal) => legal.filter((move) => move.keeps).at(-1), (legal) => legal.at(-1)]) {
    const { legal } = await gameOf(page, server);
    const before = await page.evaluate(() => document.querySelectorAll('[data-place]').length);
    await page.getByLabel('Type a move').fill(poor(legal).san);
    await page.keyboard.press('Enter');
    await moved(page, before);
  }
  if (await page.getByRole('button', { name: 'Resign' }).count()) {
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  }
  await page.getByRole('heading', { name: 'The move that cost most' }).waitFor();
  const game = await gameOf(page, server);
  const point = game.review.turning_point;
  await page.getByText(point.why).waitFor();
  await page.getByRole('button', { name: 'Show it on the board' }).click();
  await page.locator('.left .cg-shapes line[stroke="#d64536"]').first().waitFor({ state: 'attached' });
  await page.locator('.left .cg-shapes line[stroke="#1f9d61"]').first().waitFor({ state: 'attached' });
  await picture(page, 'practise-turning-point');
  await page.getByRole('button', { name: 'Again from here' }).click();
  await page.waitForURL(/fen=/);
  assert.equal(new URL(page.url()).searchParams.get('fen'), point.fen);
  await page.getByText(/Your move|You are in check/).waitFor();
  await page.context().close();
});

test('hint, take back, flip, typed moves and what keeps the win', async () => {
  const page = await newPage(browser, server);
  await begin(page, address(MATE_IN_SIX));
  await page.getByText('Show how many moves keep the result').click();
  await page.getByText(/moves? keeps? it won/).waitFor();
  await page.getByText('Show all moves and where they lead').click();
  assert.ok((await page.getByRole('list', { name: 'All moves, best first' }).getByRole('button').count()) > 5);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.getByText(/ is best here/).waitFor();
  await page.getByLabel('Type a move').fill('Qz9');
  await page.keyboard.press('Enter');
  await page.getByText('“Qz9” is not a legal move here.').waitFor();
  const best = (await page.locator('.status').textContent()).split(' ')[0];
  await page.getByLabel('Type a move').fill(best.replace(/[+#x]/g, ''));
  await page.keyboard.press('Enter');
  await moved(page, 0);
  const { start } = await gameOf(page, server);
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.locator('[data-place="0"]').waitFor({ state: 'detached' });
  assert.equal((await gameOf(page, server)).fen, start);
  const low = async () => (await middle(page, 'a1')).y > (await middle(page, 'a8')).y;
  assert.equal(await low(), true);
  await page.getByRole('button', { name: 'Flip' }).click();
  assert.equal(await low(), false);
  await page.context().close();
});

test('a pawn becomes what is chosen', async () => {
  const page = await newPage(browser, server);
  await begin(page, address('8/4P1k1/8/8/8/8/8/4K3 w - - 0 1'));
  await drag(page, 'e7', 'e8');
  await page.getByRole('dialog', { name: 'Promote the pawn to' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.left cg-board piece.white.pawn').count(), 1, 'the pawn is put back');
  await drag(page, 'e7', 'e8');
  await page.getByRole('dialog').getByRole('button', { name: 'rook' }).click();
  await moved(page, 0);
  const game = await gameOf(page, server);
  assert.equal(game.moves[0].uci, 'e7e8r');
  await page.context().close();
});

test('the server’s refusals are sentences', async () => {
  const page = await newPage(browser, server);
  await page.goto('/');
  await page.getByRole('tab', { name: 'Paste a position' }).click();
  const field = page.getByLabel('Position as a FEN');
  await field.fill('8/8/8/8 w');
  await page.getByRole('button', { name: 'Play it' }).click();
  await page.getByText('eight rows').waitFor();
  // Black is in check and White to move.
  await field.fill('4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1');
  await page.getByRole('button', { name: 'Play it' }).click();
  await page.locator('.left [role=alert]').waitFor({ timeout: PATIENCE });
  await page.goto('/practise/nosuchgame');
  await page.locator('.left [role=alert]').waitFor();
  await page.context().close();
});
