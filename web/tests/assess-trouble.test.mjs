// What cannot be assessed, and work that is stopped: a sentence each, and nothing hangs.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { BROWNE_BELLE, FIVE_MEN, LONG, manyGames, NO_ENDING, paste, THROWN_AWAY } from './assess-steps.mjs';
import { launch, newPage, picture, Server } from './harness.mjs';

let server;
let browser;
let page;
const folder = mkdtempSync(join(tmpdir(), 'errare-assess-'));

before(async () => {
  server = await Server.start();
  browser = await launch();
  page = await newPage(browser, server);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const alert = (text) => page.getByRole('alert').filter({ hasText: text }).waitFor({ timeout: LONG });

async function choose(name, bytes) {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  await page.goto('/assess');
  await page.getByLabel('A PGN file').setInputFiles(file);
}

test('garbage is called so', async () => {
  await paste(page, 'hello world, this is no game');
  await alert(/This could not be assessed\. There is no game to assess: the only one is broken\./);
  await picture(page, 'assess-garbage');
  await page.getByRole('link', { name: 'Try other games' }).click();
  await page.getByLabel('Or paste games').waitFor();
});

test('files that are empty, packed or too large are refused before they are sent', async () => {
  await choose('empty.pgn', '');
  await alert('empty.pgn is empty.');
  await choose('blank.pgn', ' \n\n');
  await alert('blank.pgn is empty.');
  await choose('games.zip', Buffer.from('PK\u0003\u0004 and so on'));
  await alert('games.zip is a ZIP file. Unpack it first.');
  const large = join(folder, 'large.pgn');
  writeFileSync(large, '[Event "x"]\n');
  truncateSync(large, 100_000_000);
  await page.goto('/assess');
  await page.getByLabel('A PGN file').setInputFiles(large);
  await alert(/large\.pgn has 100 MB\. The page takes up to 62 MB at once: .*errare assess large\.pgn/);
  assert.equal(new URL(page.url()).pathname, '/assess');
});

test('games without an ending that has tables are told apart from none', async () => {
  await paste(page, NO_ENDING);
  await page.getByText('The only game has no move in an ending of up to four men, so there is nothing to assess.').waitFor({ timeout: LONG });
  assert.equal(await page.getByRole('tab').count(), 0);
});

test('endings that were left out are named, with what brings them in', async () => {
  await paste(page, THROWN_AWAY + FIVE_MEN);
  await page.getByText('One game of 2 reaches an ending with tables').waitFor({ timeout: LONG });
  await page.getByText('Left out: 4 moves in larger endings').click();
  await page.getByText('4 moves in one game: endings of five men (KBBKN). Their tables can be built, which takes a while.').waitFor();
  await page.getByRole('button', { name: 'Assess again with endings of five men (takes a while)' }).waitFor();
  await picture(page, 'assess-left-out');
  // What was thrown away is marked, and leads to its place.
  await page.getByRole('link', { name: '1. Qd8+??' }).click();
  await page.getByText('The win was given up.').waitFor();
  // After a reload the page has the games no more, and asks for them.
  await page.goto(page.url().replace(/\?.*/, ''));
  await page.getByText('Left out: 4 moves in larger endings').click();
  await page.getByRole('button', { name: /Assess again with endings of five men/ }).click();
  await page.waitForURL('**/assess?men=5&again=*');
  await page.getByText(/^(?:\S.*) is needed again\.$/).waitFor();
  await page.getByText('endings of five men are ticked below').waitFor();
  assert.equal(await page.getByLabel(/Endings of five men too/).isChecked(), true);
});

test('a broken game among others is counted, and a packed file is unpacked', async () => {
  const broken = '[White "C"]\n[Black "D"]\n\n1. e4 e5 2. Kxe5 *\n\n';
  await choose('games.pgn.gz', gzipSync(Buffer.from(`${broken}${BROWNE_BELLE}`, 'latin1')));
  await page.getByText('Both games reach an ending with tables: 189 moves assessed.').waitFor({ timeout: LONG });
  await page.getByText('One game could not be played through and was skipped.').click();
  await page.getByText(/illegal move 2\. Kxe5/).waitFor();
});

test('thousands of games report how far they are, and can be stopped', async () => {
  await choose('many.pgn', manyGames(3000));
  await page.getByText(/^[\d,]+ of 3,000 games$/).waitFor({ timeout: LONG });
  await picture(page, 'assess-progress');
  const id = page.url().split('/').at(-1);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL('**/assess');
  await page.getByLabel('Or paste games').waitFor();
  const gone = await fetch(`${server.url}/api/v1/jobs/${id}`);
  assert.equal(gone.status, 404);
  await page.goto(`/assess/${id}`);
  await alert('This assessment is not here any more');
  await page.getByRole('link', { name: 'Bring the games again' }).click();
  await page.getByText('Assessment is needed again.').waitFor();
});

test('an assessment goes on after a restart of the server, and one that the next server does not have says so', async () => {
  await choose('restarted.pgn', manyGames(1000));
  await page.getByText(/^[\d,]+ of 1,000 games$/).waitFor({ timeout: LONG });
  await server.end('SIGKILL');
  await server.again();
  // The games were kept with the job: nothing has to be brought again.
  await page.getByText('All 1,000 games reach an ending with tables').waitFor({ timeout: 4 * LONG });
  const here = page.url();
  await server.end();
  rmSync(join(server.folder, 'data'), { recursive: true });
  await server.again();
  await page.goto(here);
  await alert('This assessment is not here any more');
  await page.getByRole('link', { name: 'Bring the games again' }).click();
  await page.getByText('restarted.pgn is needed again.').waitFor();
});

test('a dropped file is assessed, and lists are sorted and searched', async () => {
  await page.goto('/assess');
  await page.locator('.drop').waitFor();
  await page.evaluate((pgn) => {
    const data = new DataTransfer();
    data.items.add(new File([pgn], 'dropped.pgn'));
    document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, manyGames(140) + THROWN_AWAY);
  await page.getByRole('heading', { name: 'dropped.pgn' }).waitFor({ timeout: LONG });
  await page.getByText('All 141 games reach an ending with tables').waitFor({ timeout: LONG });
  const rows = page.locator('tbody tr');
  assert.equal(await rows.count(), 50);
  await page.getByRole('button', { name: 'Show 91 more' }).click();
  assert.equal(await rows.count(), 141);
  // The worst first: a win thrown away.
  await page.getByRole('button', { name: 'Worst move' }).click();
  assert.match(await rows.first().innerText(), /A – B[^]*1\. Qd8\+\?\?[^]*win to loss/);
  assert.equal(await page.locator('th[aria-sort="descending"]').innerText(), 'Worst move\n↓');
  await page.getByRole('searchbox').fill('browne 124');
  await page.getByText('2 of 141 games').waitFor();
  assert.match(await rows.first().innerText(), /Browne 124/);
  await page.getByRole('searchbox').fill('nobody');
  await page.getByText('Nothing matches “nobody”.').waitFor();
  await page.getByRole('tab', { name: 'Players' }).click();
  await page.getByRole('searchbox').fill('browne 138');
  await page.getByRole('link', { name: 'Browne 138' }).click();
  await page.getByText('2 of 141 games').waitFor();
  assert.deepEqual(page.faults, []);
});
