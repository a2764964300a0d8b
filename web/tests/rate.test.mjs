// Rate: games in, an engine at work, ratings out; and the pages on turns that the server was started with.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { accessible, fits, launch, newPage, picture, Server } from './harness.mjs';

const DATA = fileURLToPath(new URL('../../crates/errare-ratings/tests/data/', import.meta.url));
const ENGINE = fileURLToPath(new URL('./rate-engine.mjs', import.meta.url));
/** Fourteen games in which one player had White each time. */
const GAMES = readFileSync(join(DATA, 'mileposts.pgn'), 'utf8').replace(/\[White ".*"\]/g, '[White "Doe, Jane"]');
const HOW = [false, true].flatMap((phone) => [false, true].map((dark) => ({ phone, dark, how: `${phone ? 'phone' : 'desktop'}-${dark ? 'dark' : 'light'}` })));

let folder;
let engine;
let server;
let browser;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'errare-engine-'));
  engine = join(folder, 'stockfish');
  writeFileSync(engine, `#!/bin/sh\nexec '${process.execPath}' '${ENGINE}' '${folder}'\n`);
  chmodSync(engine, 0o755);
  server = await Server.start({ args: ['--engine', engine] });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const file = (text = GAMES) => ({ name: 'jane.pgn', mimeType: 'application/x-chess-pgn', buffer: Buffer.from(text) });
const slow = (milliseconds) => writeFileSync(join(folder, 'delay'), String(milliseconds));

async function open(page, text) {
  await page.goto('/rate');
  await page.locator('input[type=file]').setInputFiles(file(text));
}

test('a player is rated: progress, cancel, resume, and the result after a reload', async () => {
  const page = await newPage(browser, server);
  slow(40);
  await open(page);
  await page.getByText('14 games').first().waitFor();
  await page.getByLabel('Player').selectOption('Doe, Jane');
  await picture(page, 'rate-chosen');
  await page.getByRole('button', { name: 'Rate Doe, Jane' }).click();
  await page.waitForURL(/\/rate\/\w+$/);
  await page.getByText('Evaluating with Stockfish 15.1 at depth 10').waitFor();
  const counted = page.getByText(/^\d+ of 4\d\d turns/);
  await counted.waitFor();
  await page.waitForFunction(() => /^(?:[3-9]\d|\d{3}) of/.test([...document.querySelectorAll('.job .muted')].at(-1)?.textContent ?? ''));
  await picture(page, 'rate-progress');
  // A reload finds the work again.
  await page.reload();
  await counted.waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  const stopped = page.getByText(/Stopped at \d+ of 4\d\d moves/);
  await stopped.waitFor();
  const before = Number(/at (\d+) of/.exec(await stopped.textContent())[1]);
  assert.ok(before >= 30, `${before}`);
  await picture(page, 'rate-stopped');
  // Even after a reload it can go on, and begins where it was.
  await page.reload();
  await page.getByRole('button', { name: 'Resume' }).click();
  await counted.waitFor();
  const resumed = Number(/^(\d+) of/.exec(await counted.textContent())[1]);
  assert.ok(resumed >= before, `${resumed} after ${before}`);
  slow(0);
  await page.getByRole('heading', { name: 'Doe, Jane' }).waitFor();
  await page.getByText('plays like').waitFor();
  const shown = parseInt(await page.locator('.big b').textContent(), 10);
  assert.ok(shown > 1500 && shown < 2800, `${shown}`);
  await page.reload();
  await page.getByText('plays like').waitFor();
  assert.equal(parseInt(await page.locator('.big b').textContent(), 10), shown);
  // The same as the server says.
  const job = page.url().split('/').at(-1);
  const found = await server.call('GET', `/jobs/${job}/response`);
  assert.equal(Math.round(found.rows[0].ipr), shown);
  assert.equal(found.rows.length, 1);
  for (const words of ['not how strong a player is', 'This is a screening, not a verdict', 'leave the rating uncertain']) {
    await page.getByText(words).first().waitFor();
  }
  // The moves.
  const costliest = [...found.player.trace].sort((a, b) => b.loss - a.loss)[0];
  await page.getByText(`better ${costliest.best_san}`).waitFor();
  await page.getByRole('button', { name: 'In the order played' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.locator('tr.current', { hasText: found.player.trace[1].san }).waitFor();
  await picture(page, 'rate-player', { fullPage: true });
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('all players in one table, sorted by any column, each leading to the moves', async () => {
  const page = await newPage(browser, server);
  slow(0);
  await open(page);
  await page.getByText('More settings').click();
  await page.getByLabel('Fewest moves for a rating').fill('20');
  await page.getByRole('button', { name: 'Rate all players' }).click();
  await page.getByRole('columnheader', { name: 'Rating by the moves' }).waitFor();
  const column = (name) => page.locator(`td[data-label="${name}"]`).allTextContents();
  assert.equal((await page.locator('tbody tr').count()), 15);
  const ratings = (await column('Rating by the moves')).map((text) => parseInt(text, 10)).filter(Number.isFinite);
  assert.deepEqual(ratings, [...ratings].sort((a, b) => b - a));
  await page.getByRole('button', { name: /^Moves/ }).click();
  const moves = (await column('Moves')).map(Number);
  assert.deepEqual(moves, [...moves].sort((a, b) => b - a));
  await page.getByText('by chance alone').waitFor();
  await picture(page, 'rate-table', { fullPage: true });
  // What lies beyond the calibration has a mark, ratings and ends of intervals alike.
  const all = await server.call('GET', `/jobs/${page.url().split('/').at(-1)}/response`);
  const [lowest, highest] = all.calibration.range;
  const marked = (elo) => `${Math.round(elo)}${elo < lowest || elo > highest ? '*' : ''}`;
  const expected = all.rows.filter((row) => row.ipr !== null).map((row) => `${marked(row.ipr)} ${marked(row.low)} to ${marked(row.high)}`);
  assert.ok(expected.some((text) => / .*\*/.test(text)), 'so few moves say little');
  const written = (await column('Rating by the moves')).map((text) => text.replace(/\s+/g, ' ').trim());
  assert.deepEqual(written.filter((text) => / to /.test(text)).sort(), expected.sort());
  await page.getByText('* outside the ratings that the calibration was made from').waitFor();
  // The same players compared with their ratings, the most unusual first.
  await page.getByLabel('Compared with their Elo').check();
  const compared = all.rows.filter((row) => row.z !== null).sort((a, b) => b.z - a.z);
  assert.ok(compared.length > 3);
  const shown = await column('z');
  assert.deepEqual(shown, compared.map(({ z }) => `${z >= 0 ? '+' : '−'}${Math.abs(z).toFixed(2)}`));
  assert.equal((await column('Rating'))[0], String(Math.round(compared[0].claimed)));
  assert.equal((await column('By chance'))[0], compared[0].by_chance.toFixed(1));
  assert.equal(parseInt((await column('Adjusted'))[0], 10), Math.round(100 * compared[0].adjusted));
  await picture(page, 'rate-compared', { fullPage: true });
  await page.getByRole('button', { name: 'Popovic, Petar' }).click();
  await page.getByText('plays like').waitFor();
  await page.getByRole('heading', { name: 'Popovic, Petar' }).waitFor();
  // All of it was known.
  const found = await server.call('GET', `/jobs/${page.url().split('/').at(-1)}/response`);
  assert.equal(found.evaluated, 0);
  await page.context().close();
});

for (const { phone, dark, how } of HOW) {
  test(`the pages of a rating are accessible and fit: ${how}`, async () => {
    slow(0);
    const page = await newPage(browser, server, { phone, dark });
    const job = await server.call('POST', '/jobs/rate-games', { pgn: GAMES, min_turns: 20 });
    const one = await server.call('POST', '/jobs/rate-games', { pgn: GAMES, player: 'Doe, Jane' });
    await page.goto('/rate');
    await page.locator('input[type=file]').setInputFiles(file());
    await page.getByText('More settings').click();
    await page.getByLabel('Engine depth').waitFor();
    for (const [name, path, ready] of [
      ['form', null, 'h1'],
      ['table', `/rate/${job.id}`, 'tbody tr'],
      ['player', `/rate/${one.id}`, '.big b'],
    ]) {
      if (path) await page.goto(path);
      await page.locator(ready).first().waitFor({ timeout: 60_000 });
      await page.waitForLoadState('networkidle');
      if (name === 'player') await page.getByText('How the rating is made').click();
      await accessible(page, `${name}, ${how}`);
      await fits(page, `${name}, ${how}`);
      await picture(page, `rate-${name}-${how}`, { fullPage: true });
    }
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test('what goes wrong is said in a sentence', async () => {
  const page = await newPage(browser, server);
  slow(0);
  await open(page, 'this is no game');
  // A text without tags still looks like moves; the server knows better.
  await page.locator('input[type=file], button.primary').first().waitFor();
  if (await page.getByRole('button', { name: 'Rate all players' }).isVisible()) {
    await page.getByRole('button', { name: 'Rate all players' }).click();
    await page.getByRole('alert').getByText(/No games to evaluate/i).waitFor();
  } else {
    await page.getByRole('alert').waitFor();
  }
  await open(page, '');
  await page.getByText('There are no games in this file').waitFor();
  // An engine that dies of every position.
  writeFileSync(join(folder, 'broken'), '');
  await open(page, GAMES.replaceAll('1. d4', '1. d4 {new}').replaceAll('Doe, Jane', 'Roe, Jane').replace(/\[FEN.*\]/g, ''));
  await page.getByText('More settings').click();
  await page.getByLabel('Engine depth').fill('9');
  await page.getByRole('button', { name: 'Rate all players' }).click();
  await page.getByRole('alert').getByText(/the engine failed at/i).waitFor({ timeout: 90_000 });
  rmSync(join(folder, 'broken'));
  await picture(page, 'rate-engine-dies');
  await page.getByRole('button', { name: 'Try again' }).click();
  // At depth 9 there is no calibration: the moves are shown, and how to make one.
  await page.getByText('No ratings with this engine and depth').waitFor();
  await page.getByText('errare calibrate').waitFor();
  await picture(page, 'rate-uncalibrated', { fullPage: true });
  await page.context().close();
});

test('without an engine the page says how to get one', async () => {
  const without = await Server.start({ args: ['--engine', join(folder, 'nothing')] });
  try {
    for (const { phone, dark, how } of HOW) {
      const page = await newPage(browser, without, { phone, dark });
      await page.goto('/rate');
      await page.getByText('There is no engine', { exact: false }).or(page.getByText('there is no engine', { exact: false })).first().waitFor();
      await page.locator('input[type=file]').setInputFiles(file());
      assert.ok(await page.getByRole('button', { name: 'Rate all players' }).isDisabled());
      await accessible(page, `no engine, ${how}`);
      await fits(page, `no engine, ${how}`);
      await picture(page, `rate-no-engine-${how}`);
      await page.context().close();
    }
    // The words for a machine without any engine.
    const page = await newPage(browser, without);
    await page.route('**/api/v1/about', (route) =>
      route.fulfill({ json: { version: '1', engine: null, engine_problem: 'no chess engine was found: there is no `stockfish`', has_turns: false } }));
    await page.goto('/rate');
    await page.getByText('sudo apt-get install stockfish').waitFor();
    await picture(page, 'rate-no-engine');
    // Once there is one, the page goes on.
    await page.unroute('**/api/v1/about');
    writeFileSync(join(folder, 'nothing'), readFileSync(engine));
    chmodSync(join(folder, 'nothing'), 0o755);
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByText('A chess engine is needed first').waitFor({ state: 'hidden' });
    await page.context().close();
  } finally {
    await without.stop();
  }
});

test('turns that the server was started with: players, a player, mileposts', async () => {
  const turns = await Server.start({ args: [join(DATA, 'mileposts.jsonl.gz'), '--turns-engine', 'Stockfish 15.1', '--depth', '10', '--min-turns', '30'] });
  try {
    for (const { phone, dark, how } of HOW) {
      const page = await newPage(browser, turns, { phone, dark });
      await page.goto('/rate');
      await page.getByRole('link', { name: 'Players' }).click();
      await page.getByLabel('Name').fill('popov');
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByText('one player').waitFor();
      await page.getByText('from these turns themselves').waitFor();
      await accessible(page, `players, ${how}`);
      await fits(page, `players, ${how}`);
      await picture(page, `rate-players-${how}`);
      await page.getByRole('link', { name: 'Popovic, Petar' }).click();
      await page.getByText('plays like').waitFor();
      await page.getByText('This is a screening, not a verdict').waitFor();
      await page.getByLabel('Compare the moves with a rating of').fill('1900');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByText('What is to be expected of a rating of 1900').waitFor();
      await accessible(page, `player, ${how}`);
      await fits(page, `player, ${how}`);
      await page.goto('/rate/mileposts');
      await page.getByText('Regan and G. McC. Haworth').first().waitFor();
      await page.getByText('cannot be surer than that').waitFor();
      assert.equal(await page.locator('svg[role=img]').count(), 4);
      await accessible(page, `mileposts, ${how}`);
      await fits(page, `mileposts, ${how}`);
      await picture(page, `rate-mileposts-${how}`, { fullPage: true });
      assert.deepEqual(page.faults, []);
      await page.context().close();
    }
    const page = await newPage(browser, turns);
    await page.goto('/rate/player?name=nobody');
    await page.getByRole('alert').getByText('No player matches').waitFor();
    await page.context().close();
  } finally {
    await turns.stop();
  }
});
