// Every page on desktop and phone, light and dark: nothing grave for axe, nothing too wide.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, fits, launch, newPage, picture, Server } from './harness.mjs';

const PAGES = [
  { name: 'practise', path: '/', ready: 'text=Your move.' },
  { name: 'history', path: '/practise/history', ready: 'h1' },
  { name: 'explore', path: '/explore', ready: 'main h1' },
  { name: 'assess', path: '/assess', ready: 'main h1' },
  { name: 'rate', path: '/rate', ready: 'main h1' },
];

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

for (const phone of [false, true]) {
  for (const dark of [false, true]) {
    const how = `${phone ? 'phone' : 'desktop'}-${dark ? 'dark' : 'light'}`;
    test(`every page is accessible and fits: ${how}`, async () => {
      const page = await newPage(browser, server, { phone, dark });
      for (const { name, path, ready } of PAGES) {
        await page.goto(path);
        await page.locator(ready).first().waitFor();
        await page.waitForLoadState('networkidle');
        await accessible(page, `${name}, ${how}`);
        await fits(page, `${name}, ${how}`);
        await apart(page, '.scale-marks', `${name}, ${how}`);
        await picture(page, `${name}-${how}`);
      }
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }
}

/** Words along a scale do not run into each other. */
async function apart(page, scales, what) {
  const rows = await page.locator(scales).evaluateAll((found) =>
    found.map((scale) => [...scale.children].map((word) => ({ text: word.textContent, left: word.getBoundingClientRect().left, right: word.getBoundingClientRect().right }))),
  );
  for (const words of rows) {
    const shown = words.filter(({ left, right }) => right > left).sort((a, b) => a.left - b.left);
    shown.slice(1).forEach((word, n) => assert.ok(word.left - shown[n].right >= 3, `${what}: ${shown[n].text} and ${word.text} touch`));
  }
}

test('the theme is chosen, kept, and shown', async () => {
  const page = await newPage(browser, server);
  await page.goto('/');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: 'Switch to dark colours' }).click();
  await page.locator('html[data-theme="dark"]').waitFor();
  const dark = await background();
  assert.notEqual(light, dark);
  await page.reload();
  assert.equal(await background(), dark);
  await page.context().close();
});
