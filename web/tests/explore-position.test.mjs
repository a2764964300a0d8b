// A position explored: moves, the overlay, lines, setting up, addresses, what is wrong with bad ones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, drag, fits, launch, menInPlace, newPage, picture, Server, tabToBoard } from './harness.mjs';

const LONGEST = '8/8/8/8/2r5/8/2k5/K6Q w - - 0 1';
const DEFENCE = '8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1';
const METRICS = ['dtm', 'dtc', 'dtz', 'dtz50', 'dtr'];
const address = (fen) => `/explore?fen=${fen.replaceAll(' ', '_')}`;

let server;
let browser;

before(async () => {
  server = await Server.start();
  browser = await launch();
  // Building is tested below; here it only has to be over.
  await server.call('POST', '/build', { materials: ['KQKR'], metrics: METRICS });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The cells of a move's row: san, result, share, expectation, then depths. */
const row = (page, uci) => page.locator(`tr[data-uci="${uci}"] > *`).allInnerTexts();
const squareLabel = (page, square) => page.locator(`[data-square="${square}"]`).first().getAttribute('aria-label');

async function open(page, fen, extra = '') {
  await page.goto(address(fen) + extra);
  await page.locator('tr[data-uci]').first().waitFor();
  await page.waitForLoadState('networkidle');
  await menInPlace(page, fen);
}

test('men that were placed while the board had no width are placed anew with the next position', async () => {
  const page = await newPage(browser, server);
  await page.addInitScript(() => {
    const measured = Element.prototype.getBoundingClientRect;
    Element.prototype.getBoundingClientRect = function () {
      const { x, y, width, height } = measured.call(this);
      return new DOMRect(x, y, this.tagName === 'CG-BOARD' && !window.hasWidth ? 0 : width, height);
    };
  });
  await page.goto(address(LONGEST));
  await page.locator('tr[data-uci]').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => (window.hasWidth = true));
  await assert.rejects(menInPlace(page, LONGEST), 'men are on the a-file');
  await page.getByRole('button', { name: 'What if' }).click();
  await page.locator('[data-square="h1"]').click();
  await page.locator('[data-square="a8"][aria-label*="won in"]').waitFor();
  await menInPlace(page, LONGEST);
  await page.context().close();
});

test('the table of moves has the numbers of the API', async () => {
  const page = await newPage(browser, server);
  await open(page, LONGEST, '&c=20');
  const probe = await server.call('POST', '/probe', { fen: LONGEST, metric: 'dtm', also: METRICS.slice(1) });
  const model = { hold: 'nothing', kappa: 1 };
  const player = await server.call('POST', '/choose', { fen: LONGEST, agent: 'player:20', model });
  const reply = await server.call('POST', '/choose', { fen: LONGEST, agent: 'predator:20,scope=keeping', model });
  assert.equal(await page.locator('tr[data-uci]').count(), probe.successors.length);
  const words = { win: 'won', draw: 'drawn', loss: 'lost' };
  for (const move of probe.successors) {
    const [san, result, share, expectation, ...depths] = await row(page, move.uci);
    assert.equal(san.trim(), move.san);
    assert.equal(result, words[move.outcome]);
    const played = player.candidates.find(({ uci }) => uci === move.uci).probability;
    if (played >= 0.1) assert.equal(share.trim(), `${Math.round(100 * played)}%`);
    else assert.ok(share.includes('%') && Number(share.replace(/[<%]/g, '')) <= 10, `${san}: ${share}`);
    const expected = reply.candidates.find(({ uci }) => uci === move.uci).expectation;
    assert.equal(expectation.trim(), expected === null ? '–' : expected.toFixed(2), san);
    const shown = METRICS.map((metric) => (metric === 'dtm' ? move : move.also[metric]));
    assert.deepEqual(depths, shown.map((depth) => (depth.outcome === 'draw' ? '=' : String(depth.moves))), san);
  }
  await page.getByText('White wins: mate in 35 moves.').waitFor();
  await page.getByText('5 of 21 moves keep the win.').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('the overlay has the value of every square, by mouse and by keyboard', async () => {
  const page = await newPage(browser, server);
  await open(page, LONGEST);
  await page.getByRole('button', { name: 'What if' }).click();
  await page.locator('[data-square="h1"]').click();
  await page.locator('[data-square="a8"][aria-label*="won in"]').waitFor();
  const found = await server.call('POST', '/squares', { fen: LONGEST, square: 'h1' });
  for (const { square, value } of found.squares) {
    const label = await squareLabel(page, square);
    if (value === null) assert.doesNotMatch(label, /won|drawn|lost/, square);
    else assert.match(label, new RegExp(`, won in ${value.moves}$`), square);
  }
  const shown = found.squares.filter(({ value }) => value !== null).map(({ value }) => `+${value.moves}`);
  assert.deepEqual((await page.locator('.board .note').allInnerTexts()).sort(), shown.sort());
  await picture(page, 'explore-overlay');
  await accessible(page, 'overlay');
  // A square of the overlay leads to the position with the man there, still lifted.
  await page.locator('[data-square="c8"]').click();
  await page.getByText('White wins: mate in 6 moves.').waitFor();
  await page.locator('[data-square="h1"][aria-label*="won in 35"]').waitFor();
  assert.match(page.url(), /fen=2Q5\//);
  // By keys alone: the rook is lifted.
  await open(page, LONGEST);
  await tabToBoard(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  const from = await page.evaluate(() => document.activeElement.dataset.square);
  for (let n = from.charCodeAt(0); n > 'c'.charCodeAt(0); n -= 1) await page.keyboard.press('ArrowLeft');
  for (let n = from.charCodeAt(0); n < 'c'.charCodeAt(0); n += 1) await page.keyboard.press('ArrowRight');
  for (let n = Number(from[1]); n > 4; n -= 1) await page.keyboard.press('ArrowDown');
  for (let n = Number(from[1]); n < 4; n += 1) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByText('If the black rook stood elsewhere').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('moves change places where the README says', async () => {
  const page = await newPage(browser, server);
  await open(page, DEFENCE);
  // As the README has it: players keep the value, and kappa is 0+.
  await page.getByText('How players choose').click();
  await page.getByLabel('Never gives up').selectOption('value');
  await page.getByLabel('Kappa').fill('0+');
  await page.getByLabel('Kappa').press('Tab');
  const whom = page.getByRole('region', { name: 'Which move against whom' });
  await whom.getByText('Against weaker opponents, up to c 5.97: Ra4').waitFor();
  await whom.getByText('Against stronger ones, from c 5.97: Re4').waitFor();
  assert.match(page.url(), /hold=value&kappa=0%2B/);
  await page.reload();
  await whom.getByText('Against stronger ones, from c 5.97: Re4').waitFor();
  await whom.getByText('Where moves change places').click();
  await whom.getByText('Ra4 gives way to Re4 at c = 5.97').waitFor();
  await picture(page, 'explore-crossovers', { fullPage: true });
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('moves are made, taken back, and best play is stepped through to mate', async () => {
  const page = await newPage(browser, server);
  await open(page, LONGEST);
  await drag(page, 'h1', 'h7');
  await page.getByText('Black to move.').waitFor();
  assert.match(page.url(), /fen=8\/7Q\//);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByText('5 of 21 moves keep the win.').waitFor();
  await page.getByRole('button', { name: 'Forward', exact: true }).click();
  await page.getByText('Black to move.').waitFor();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByText('5 of 21 moves keep the win.').waitFor();
  await page.getByRole('button', { name: 'Play it out' }).click();
  await page.getByRole('list', { name: 'Moves' }).getByRole('listitem').nth(68).waitFor();
  assert.equal(await page.getByRole('list', { name: 'Moves' }).getByRole('listitem').count(), 69);
  await page.getByRole('button', { name: 'To the end' }).click();
  await page.getByText('Checkmate: White has won.').waitFor();
  await picture(page, 'explore-line');
  await page.getByRole('button', { name: 'To the beginning' }).click();
  await page.getByText('White wins: mate in 35 moves.').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a position is set up on the board, by an ending, and by the browser’s way back', async () => {
  const page = await newPage(browser, server);
  await open(page, LONGEST);
  await page.getByRole('button', { name: 'Set up on the board' }).click();
  const square = (name) => page.locator(`[data-square="${name}"]`).first();
  // The queen goes to g2, the rook is taken away, a black pawn is put there.
  await square('h1').click();
  await square('g2').click();
  await page.getByRole('button', { name: 'Take away' }).click();
  await square('c4').click();
  await page.getByRole('button', { name: 'white pawn' }).click();
  await square('h4').click();
  await square('h4').click();
  await page.getByRole('radio', { name: 'Black' }).check();
  await picture(page, 'explore-editor');
  await accessible(page, 'editor');
  await page.getByRole('button', { name: 'Explore this position' }).click();
  await page.getByRole('heading', { name: 'Queen against king' }).waitFor();
  await page.getByText('Black to move.').waitFor();
  assert.match(page.url(), /fen=8\/8\/8\/8\/8\/8\/2k3Q1\/K7_b_/);
  await page.goBack();
  await page.getByText('White wins: mate in 35 moves.').waitFor();
  await page.getByRole('button', { name: 'Random position' }).click();
  await page.waitForURL((url) => !url.search.includes('K6Q_w'));
  await page.getByRole('heading', { name: 'Queen against rook' }).waitFor();
  await page.locator('tr[data-uci]').first().waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('what cannot be explored is said in a sentence', async () => {
  const page = await newPage(browser, server);
  for (const [fen, words] of [
    ['hello', 'The board of a FEN has eight rows'],
    ['8/8/8/8/2r5/8/2k5/K6X w - - 0 1', 'Row 1 has the sign “X”'],
    ['k6Q/8/8/8/8/8/8/K7 w - - 0 1', 'could capture the king'],
    ['kK6/8/8/8/8/8/8/7Q w - - 0 1', 'the kings touch'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1', 'too many men'],
    ['8/8/8/8/2r5/8/2k5/7Q w - - 0 1', 'White needs one king'],
  ]) {
    await page.goto(address(fen));
    const said = await page.getByRole('alert').first().innerText();
    assert.ok(said.toLowerCase().includes(words.toLowerCase()), `${fen}: ${said}`);
    assert.equal(await page.locator('tr[data-uci]').count(), 0);
  }
  // A FEN that is typed: the sentence is beside the field, and the position stays.
  await open(page, LONGEST);
  await page.getByLabel('Paste a FEN').fill('8/8/8/8 w');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('this has 4').waitFor();
  await page.getByText('White wins: mate in 35 moves.').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('missing tables are built with progress, and five men only when asked', async () => {
  const page = await newPage(browser, server);
  await page.goto(address('8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'));
  await page.locator('tr[data-uci="e1f2"]').waitFor({ timeout: 60_000 });
  await page.goto(address('8/8/8/8/2r5/8/2k2P2/K6Q w - - 0 1'));
  await page.getByText('With five men this takes a few minutes').waitFor();
  await page.getByRole('button', { name: 'Work it out' }).click();
  await page.getByRole('progressbar').first().waitFor();
  // Found again after a reload, and stopped.
  await page.reload();
  await page.getByRole('progressbar').first().waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Work it out' }).waitFor();
  const { jobs = [] } = { jobs: await server.call('GET', '/jobs') };
  assert.ok(!JSON.stringify(jobs).includes('"running"'), JSON.stringify(jobs));
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

for (const phone of [false, true]) {
  for (const dark of [false, true]) {
    const how = `${phone ? 'phone' : 'desktop'}-${dark ? 'dark' : 'light'}`;
    test(`a position is accessible and fits: ${how}`, async () => {
      const page = await newPage(browser, server, { phone, dark });
      await open(page, DEFENCE);
      await page.getByText('How players choose').click();
      await page.getByText('What the columns mean').click();
      await page.getByRole('heading', { name: 'Which move against whom?' }).waitFor();
      await accessible(page, `position, ${how}`);
      await fits(page, `position, ${how}`);
      await picture(page, `explore-position-${how}`, { fullPage: true });
      if (phone) {
        await page.getByRole('button', { name: 'What if' }).tap();
        await page.locator('[data-square="f4"]').tap();
        await page.locator('[data-square="a4"][aria-label*="lost in"]').waitFor();
        await fits(page, `overlay, ${how}`);
        await picture(page, `explore-overlay-${how}`);
      }
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }
}
