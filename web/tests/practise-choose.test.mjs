// Choosing what to practise and against whom: lessons, positions that are drawn, tables that are built first.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, drag, launch, newPage, picture, Server } from './harness.mjs';
import { address, gameOf, MATE_IN_SIX, begin, moved, playOut } from './practise-steps.mjs';

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

async function ready(page) {
  await page.getByText(/Your move|You are in check/).waitFor();
}

test('a lesson prepares its tables, says what to do and how likely it is, and has a next one', async () => {
  const page = await newPage(browser, server);
  await page.goto('/');
  await page.getByRole('button', { name: /The rook alone/ }).click();
  await page.getByRole('heading', { level: 1, name: 'The rook alone' }).waitFor();
  await ready(page);
  assert.equal(new URL(page.url()).searchParams.get('lesson'), 'rook');
  await page.getByText('Mate with king and rook.').first().waitFor();
  await page.getByText(/A player who rarely errs (nearly always )?wins inside 50 moves/).first().waitFor();
  await page.getByRole('button', { name: /King against pawn: hold the draw/ }).click();
  await page.getByRole('heading', { level: 1, name: 'King against pawn: hold the draw' }).waitFor();
  await ready(page);
  // The person is Black here, and sees the board from Black's side.
  const top = await page.locator('[data-square]').first().getAttribute('data-square');
  assert.equal(top, 'h1');
  await page.context().close();
});

test('long preparation shows its progress and can be cancelled', async () => {
  const page = await newPage(browser, server);
  await page.goto('/');
  await ready(page);
  await page.getByRole('button', { name: /Lucena: build the bridge/ }).click();
  await page.getByText('Preparing Lucena').waitFor();
  await page.getByRole('progressbar').waitFor();
  await picture(page, 'practise-preparing');
  await accessible(page, 'preparing tables');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled.').waitFor();
  await page.waitForFunction(async () => {
    const response = await fetch('/api/v1/jobs');
    const { jobs } = await response.json();
    return jobs.every(({ state }) => state !== 'running' && state !== 'waiting');
  });
  // The game that was on the board still is.
  await ready(page);
  await page.context().close();
});

test('a position is drawn for a chance, and by depth', async () => {
  const page = await newPage(browser, server);
  await page.goto('/');
  await page.getByRole('tab', { name: 'Draw a position' }).click();
  const draw = page.getByRole('button', { name: 'Draw a position' });
  await page.getByLabel('Ending').fill('KXK');
  await draw.click();
  await page.getByText('“KXK” is not an ending.').waitFor();
  await page.getByLabel('Ending').fill('KQKR');
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/v1/draw') && response.status() === 200),
    draw.click(),
  ]);
  const drawn = await answer.json();
  assert.equal(answer.request().postDataJSON().chance, 0.7);
  await page.waitForURL((url) => url.searchParams.get('fen') === drawn.fen);
  await ready(page);
  await page.getByText('By the number of moves it takes').click();
  await page.getByLabel('At least').fill('3');
  await page.getByLabel('At most').fill('5');
  const [second] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/v1/draw') && response.status() === 200),
    draw.click(),
  ]);
  const { depth, fen } = await second.json();
  assert.ok(depth >= 3 && depth <= 5, `depth ${depth}`);
  await page.waitForURL((url) => url.searchParams.get('fen') === fen);
  await ready(page);
  await page.context().close();
});

test('the opponent is chosen with words and a dial, down to one that helps', async () => {
  const page = await newPage(browser, server);
  await begin(page, address(MATE_IN_SIX));
  await page.getByText('Change the opponent').click();
  await page.getByText('Natural', { exact: true }).click();
  const dial = page.getByLabel('Strength');
  await dial.fill('-6');
  await page.getByText('Natural, helps you').waitFor();
  await accessible(page, 'the opponent');
  const { legal } = await gameOf(page, server);
  await drag(page, legal[0].from, legal[0].to);
  await moved(page, 0);
  assert.equal((await gameOf(page, server)).opponent, 'player:-6');
  await page.getByText('Tricky', { exact: true }).click();
  await page.getByRole('button', { name: 'Start this position anew' }).click();
  await ready(page);
  await page.getByText('Tricky, learns how you play').waitFor();
  await drag(page, legal[0].from, legal[0].to);
  await moved(page, 0);
  assert.equal((await gameOf(page, server)).opponent, 'predator');
  await page.context().close();
});

test('after a game comes the same ending from a fresh position', async () => {
  const page = await newPage(browser, server);
  await begin(page, address(MATE_IN_SIX));
  await playOut(page, server, (move) => drag(page, move.from, move.to));
  await page.getByRole('button', { name: 'Same ending, fresh position' }).click();
  await page.waitForURL(/fen=/);
  await ready(page);
  const { start, theory, human } = await gameOf(page, server);
  assert.notEqual(start, MATE_IN_SIX);
  assert.deepEqual([theory, human], ['win', 'white']);
  assert.match(start, /Q/);
  await page.context().close();
});
