// Browne-BELLE assessed: the numbers on the page, the games move by move, the annotated games, and all of it found again.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { example, LONG } from './assess-steps.mjs';
import { accessible, fits, launch, newPage, picture, Server } from './harness.mjs';

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

/** The cells of the row that begins with a text. */
async function cells(page, first) {
  const row = page.locator('tbody tr', { hasText: first }).first();
  return (await row.locator('td').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
}

test('the example gives the numbers that the command line gives', async () => {
  const page = await newPage(browser, server);
  await example(page);
  await page.getByText('Both games reach an ending with tables: 189 moves assessed.').waitFor();
  assert.equal(await page.locator('tbody tr').count(), 2);
  const game = (await cells(page, 'exhibition game 1')).join(' | ');
  assert.match(game, /Browne, Walter – BELLE.*½–½.*KQKR.*c 19\.18 \(15 to 24\).*32\. Qc4\?! 4 moves/);
  // The figures of README and of crates/errare/tests/assess.rs, with values held.
  await page.getByRole('tab', { name: 'Players' }).click();
  await page.getByText('c 45.60').waitFor();
  const browne = await cells(page, 'Browne, Walter');
  assert.deepEqual(browne, ['Browne, Walter', 'KQKR', 'to win', '2', '95', '0', '0', '0', '46', 'exact c 19.26 (16 to 23)']);
  assert.match((await cells(page, 'BELLE')).at(-1), /^nearly perfect c 45\.60/);
  await page.getByRole('tab', { name: 'Worst moves' }).click();
  assert.match((await cells(page, '32. Qc4')).join(' | '), /Browne, Walter.*won in 14 \| won in 17 \| 4 moves \| Qd5\+/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a game is stepped through by keys, and every move says what it did', async () => {
  const page = await newPage(browser, server);
  await example(page);
  await page.getByRole('link', { name: /Browne, Walter – BELLE/ }).first().click();
  const board = page.getByRole('grid');
  const shows = async (what) => page.waitForFunction((name) => document.querySelector('[role=grid]')?.getAttribute('aria-label') === name, what);
  await board.waitFor();
  await shows('Position before the first move');
  await page.keyboard.press('ArrowRight');
  await shows('Position after 1. Kb7');
  await page.keyboard.press('ArrowRight');
  await shows('Position after 1...Re7+');
  await page.keyboard.press('ArrowLeft');
  await shows('Position after 1. Kb7');
  await page.getByRole('button', { name: 'Next mistake' }).click();
  await shows('Position after 17. Qc6');
  const verdict = page.getByRole('region', { name: '17. Qc6?!' });
  await verdict.getByText('The position was won in 16 for Browne, Walter; after this move in 18.').waitFor();
  await verdict.getByText('3 moves given away, 4 so far.').waitFor();
  // What else there was: both best moves, and the one that was played, below them.
  const table = verdict.locator('tbody tr');
  await table.filter({ hasText: 'Qd2+' }).filter({ hasText: 'won in 15' }).waitFor();
  await table.filter({ hasText: 'Qe4+' }).filter({ hasText: 'won in 15' }).waitFor();
  await table.filter({ hasText: 'played' }).filter({ hasText: 'Qc6' }).filter({ hasText: 'won in 18' }).waitFor();
  assert.equal(await table.filter({ hasText: 'model’s choice' }).count(), 1);
  await page.getByLabel(/Show the position before/).check();
  await shows('Position before 17. Qc6');
  await page.locator('.cg-shapes line, .cg-shapes path').first().waitFor({ state: 'attached' });
  await page.getByLabel(/Show the position before/).uncheck();
  await page.locator('h1').click();
  await page.keyboard.press('End');
  await shows('Position after 45...Rb7');
  await page.locator('.side', { hasText: 'Browne' }).getByText('c 19.18').waitFor();
  await page.waitForURL(/ply=90/);
  await page.reload();
  await shows('Position after 45...Rb7');
  // The charts say in words what they show.
  await page.getByRole('img', { name: /White wins in 31; at the end: White wins in 13/ }).waitFor();
  await page.getByRole('img', { name: /Browne, Walter ends at 19\.2, between 15 and 24; BELLE ends at 43\.0/ }).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('the annotated games are downloaded, and are the same games', async () => {
  const page = await newPage(browser, server);
  const id = await example(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /Download the 2 annotated games/ }).click()]);
  assert.equal(download.suggestedFilename(), 'Browne-BELLE-annotated.pgn');
  const pgn = await readFile(await download.path(), 'utf8');
  assert.equal(pgn.match(/^\[Event /gm).length, 2);
  assert.match(pgn.replace(/\n/g, ' '), /17\. Qc6 \$6 \{win in 16, now in 18; 3 moves conceded, 4 so far; better: Qd2\+, Qe4\+; E\[c\] /);
  // The lab reads them again, and thinks the same of the players.
  const model = { hold: 'value' };
  const again = await server.call('POST', '/jobs/assess', { pgn, detail: 'rows', model });
  let status = again;
  while (status.state === 'waiting' || status.state === 'running') status = await server.call('GET', `/jobs/${again.id}`);
  const players = (job) => server.call('GET', `/jobs/${job}/response?at=/players`);
  assert.deepEqual(await players(again.id), await players(id));
  // One game by itself.
  await page.getByRole('link', { name: /Browne, Walter – BELLE/ }).nth(1).click();
  const [one] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download (PGN)' }).click()]);
  const single = await readFile(await one.path(), 'utf8');
  assert.equal(single.match(/^\[Event /gm).length, 1);
  assert.match(single, /game 2/);
  await page.context().close();
});

test('an assessment is found again after a reload and after the server was killed', async () => {
  const page = await newPage(browser, server);
  const id = await example(page);
  await page.reload();
  await page.getByText('189 moves assessed').waitFor();
  await server.end('SIGKILL');
  await server.again();
  await page.goto(`/assess/${id}?tab=players`);
  await page.getByText('c 19.26 (16 to 23)').waitFor({ timeout: LONG });
  await page.goto('/assess');
  await page.getByRole('link', { name: 'Browne–BELLE' }).first().waitFor();
  await page.context().close();
});

for (const phone of [false, true]) {
  for (const dark of [false, true]) {
    const how = `${phone ? 'phone' : 'desktop'}-${dark ? 'dark' : 'light'}`;
    test(`lists and games are accessible and fit: ${how}`, async () => {
      const page = await newPage(browser, server, { phone, dark });
      const id = await example(page);
      const look = async (name) => {
        await page.waitForLoadState('networkidle');
        await accessible(page, `assess ${name}, ${how}`);
        await fits(page, `assess ${name}, ${how}`);
        await picture(page, `assess-${name}-${how}`, { fullPage: true });
      };
      await look('games');
      for (const tab of ['players', 'worst']) {
        await page.goto(`/assess/${id}?tab=${tab}`);
        await page.getByRole('tab', { selected: true }).waitFor();
        await look(tab);
      }
      await page.goto(`/assess/${id}?game=1&ply=63`);
      await page.getByText('What else there was').waitFor();
      await page.locator('.u-over').first().waitFor();
      await look('game');
      if (phone) {
        await page.getByRole('button', { name: 'Back' }).tap();
        await page.getByRole('heading', { name: '31...Ra6' }).waitFor();
      }
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }
}

test('everything works without a mouse', async () => {
  const page = await newPage(browser, server);
  await page.goto('/assess');
  const focusOn = async (name) => {
    for (let n = 0; n < 40; n += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((wanted) => document.activeElement?.textContent?.includes(wanted), name)) return;
    }
    assert.fail(`${name} cannot be reached by Tab`);
  };
  await page.locator('main h1').waitFor();
  await focusOn('Try an example');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Games' }).waitFor({ timeout: LONG });
  await focusOn('Games');
  // The page's own link comes first; the tab is the one that is selected.
  await page.getByRole('tab', { name: 'Games' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('c 45.60').waitFor();
  await page.keyboard.press('ArrowRight');
  await focusOn('32. Qc4');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: '32. Qc4?!' }).waitFor();
  await page.context().close();
});
