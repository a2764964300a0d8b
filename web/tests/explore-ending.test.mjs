// An ending explored: how it ends, its depths and positions, zugzwangs, Markov curves, strategies.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, fits, launch, newPage, picture, Server } from './harness.mjs';

let server;
let browser;

before(async () => {
  server = await Server.start();
  browser = await launch();
  await server.call('POST', '/build', { materials: ['KQKR', 'KPK', 'KRK'], metrics: ['dtm', 'dtc'] });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const LONG = { timeout: 60_000 };
const section = (page, name) => page.getByRole('region', { name });

test('KQKR is counted as the API counts it, and its deepest positions can be opened', async () => {
  const page = await newPage(browser, server);
  await page.goto('/explore/ending/KQKR');
  await page.getByRole('heading', { name: 'Queen against rook' }).waitFor();
  const ends = section(page, 'How it ends');
  await ends.getByRole('heading', { name: 'The deepest positions' }).waitFor(LONG);
  const [stats] = await server.call('POST', '/stats', { materials: ['KQKR'], metric: 'dtm' });
  const { wins, draws, losses } = stats.white_to_move;
  const share = ((100 * wins) / (wins + draws + losses)).toFixed(1).replace('.0', '');
  await ends.getByText(`${share}% won`).waitFor();
  // The deepest: 35 moves to mate, ten positions.
  await ends.getByText('10 positions').waitFor();
  await ends.getByText('Values').click();
  const bin = stats.white_to_move.histogram.find(({ outcome, plies }) => outcome === 'win' && plies === 59);
  assert.equal(await ends.getByRole('row', { name: /^30 / }).getByRole('cell').innerText(), bin.count.toLocaleString('en-GB'));
  await ends.getByLabel('Depth').fill('34');
  await ends.getByLabel('Depth').press('Tab');
  await ends.getByRole('heading', { name: 'Positions of depth 34' }).waitFor();
  await ends.getByRole('button', { name: 'Deepest' }).click();
  await ends.getByText('10 positions').waitFor();
  await ends.getByRole('listitem').first().getByRole('link').click();
  await page.getByText('White wins: mate in 35 moves.').waitFor(LONG);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('the curves are those of the API, worked out as a job that a reload finds again', async () => {
  const page = await newPage(browser, server);
  await page.goto('/explore/ending/KQKR');
  const fare = section(page, 'How players fare');
  await fare.getByRole('img').waitFor(LONG);
  const request = { material: 'KQKR', side: 'white', competence: [12, 20, 28, 35], within: [50], passage: 150 };
  const found = await server.call('POST', '/markov', request);
  await fare.getByText('Values').click();
  const cells = await fare.getByRole('row', { name: /^100 / }).getByRole('cell').allInnerTexts();
  const wanted = found.results.map(({ passage }) => (100 * passage.at_most[100]).toFixed(2));
  assert.deepEqual(cells.slice(0, 4).map((cell) => Number(cell).toFixed(2)), wanted);
  await picture(page, 'explore-markov', { fullPage: true });
  const jobs = async () => (await server.call('GET', '/jobs'));
  const count = JSON.stringify(await jobs()).split('"markov"').length;
  await page.reload();
  await fare.getByRole('img').waitFor(LONG);
  assert.equal(JSON.stringify(await jobs()).split('"markov"').length, count, 'a reload asked again');
  // From a lesser depth the win is quicker.
  await fare.getByRole('slider', { name: 'Depth to start from' }).fill('10');
  await fare.getByText('Starting from a win in 10 of at most 31').waitFor(LONG);
  await fare.getByRole('button', { name: 'How long it takes' }).click();
  await fare.getByText('Curves end where more than 200 moves are to be expected.').waitFor();
  await fare.getByRole('button', { name: 'Chance by depth' }).click();
  await fare.getByRole('button', { name: 'Where moves lead' }).click();
  await fare.getByLabel('Read the row').waitFor(LONG);
  await fare.getByLabel('Read the row').selectOption('win 1');
  await fare.getByText('From a win in 1 the next move makes progress with').waitFor();
  await accessible(page, 'heat map');
  await picture(page, 'explore-heat-map', { fullPage: true });
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('zugzwangs are stepped through and opened', async () => {
  const page = await newPage(browser, server);
  await page.goto('/explore/ending/KPK');
  const zugzwangs = section(page, 'Mutual zugzwangs');
  const found = await server.call('POST', '/zugzwangs', { material: 'KPK' });
  await zugzwangs.getByText(`1 of ${found.list.length}`, { exact: true }).waitFor(LONG);
  await zugzwangs.getByText(`Black to move: White wins in ${found.list[0].black_to_move.moves} moves`).waitFor();
  await zugzwangs.getByRole('button', { name: 'Next' }).click();
  await zugzwangs.getByText(`2 of ${found.list.length}`, { exact: true }).waitFor();
  await zugzwangs.getByRole('link', { name: 'Explore, White to move' }).click();
  await page.getByText('A draw with best play.').waitFor(LONG);
  await page.context().close();
});

test('strategies are compared as a job, which can be cancelled', async () => {
  const page = await newPage(browser, server);
  await page.goto('/explore/ending/KRK');
  const part = section(page, 'Strategies under the move rule');
  await part.getByLabel('Positions to try').selectOption({ label: '50 drawn at random' });
  await part.getByRole('button', { name: 'Compare' }).click();
  await part.getByText('All of these keep every win that was tried.').waitFor(LONG);
  const request = { material: 'KRK', strategies: ['SM', 'SC', 'SZ', 'SRP'], rule: 50, sample: 50 };
  const found = await server.call('POST', '/strategy-compare', request);
  await part.getByText(`${found.wins} positions won under a rule of 50 moves`).waitFor();
  const cells = await part.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
  assert.deepEqual(cells.slice(0, 2), [`${found.strategies[0].kept} 100%`, '0']);
  // All of a small ending is gone through at once; tables of a larger one take a while.
  await page.goto('/explore/ending/KBNK');
  await part.getByLabel('Positions to try').selectOption({ label: 'all of them (may take long)' });
  await part.getByRole('button', { name: 'Compare' }).click();
  await part.getByRole('progressbar').waitFor();
  await part.getByRole('button', { name: 'Cancel' }).click();
  await part.getByRole('progressbar').waitFor({ state: 'detached' });
  // The page does not wait for the work to hear of it.
  const isRunning = async () => JSON.stringify(await server.call('GET', '/jobs')).includes('"running"');
  for (const asked = Date.now(); await isRunning(); ) assert.ok(Date.now() - asked < 5_000, 'still running');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('an unknown ending is said in a sentence', async () => {
  const page = await newPage(browser, server);
  for (const [name, words] of [
    ['KXK', '“X” is no man'],
    ['QK', 'An ending has two kings'],
    ['KK', 'Two bare kings are drawn'],
    ['KQRBKR', 'up to five men'],
  ]) {
    await page.goto(`/explore/ending/${name}`);
    assert.ok((await page.getByRole('alert').first().innerText()).includes(words), name);
  }
  await page.context().close();
});

for (const phone of [false, true]) {
  for (const dark of [false, true]) {
    const how = `${phone ? 'phone' : 'desktop'}-${dark ? 'dark' : 'light'}`;
    test(`an ending is accessible and fits: ${how}`, async () => {
      const page = await newPage(browser, server, { phone, dark });
      await page.goto('/explore/ending/KQKR');
      await section(page, 'How it ends').getByRole('listitem').first().waitFor(LONG);
      await section(page, 'How players fare').getByRole('img').waitFor(LONG);
      await accessible(page, `ending, ${how}`);
      await fits(page, `ending, ${how}`);
      await picture(page, `explore-ending-${how}`, { fullPage: true });
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }
}
