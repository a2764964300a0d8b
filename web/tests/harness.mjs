// What browser tests share: a server of their own, the system's Chromium, squares of a board, axe.
//
// ERRARE_BIN     the program (../target/release/errare)
// CHROMIUM       the browser (/usr/bin/chromium)
// ERRARE_BUNDLE  a folder with a built front end to test instead of the one in the program, which then need not be compiled anew
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const program = process.env.ERRARE_BIN ?? here('../../target/release/errare');
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const artefacts = here('./artefacts/');

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** How long to wait for anything; the machine may be busy. */
export const PATIENCE = 15_000;

/** A server on a port of its own, with folders of its own that are removed at the end. */
export class Server {
  static async start(options = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'errare-web-'));
    const server = new Server(folder, options);
    await server.run('0');
    return server;
  }

  constructor(folder, { args = [], env = {} }) {
    this.folder = folder;
    this.args = args;
    this.env = env;
    this.child = null;
    this.output = '';
  }

  /** Starts the program, and reads the address that it prints. */
  async run(port) {
    assert.ok(existsSync(program), `no program at ${program}: build it, or set ERRARE_BIN`);
    const args = ['--tables', join(this.folder, 'tables'), 'serve', '--port', port, ...this.args];
    const env = { ...process.env, XDG_DATA_HOME: join(this.folder, 'data'), XDG_CACHE_HOME: join(this.folder, 'cache'), ...this.env };
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    this.url = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no address within ${PATIENCE} ms:\n${this.output}`)), PATIENCE);
      const read = (data) => {
        this.output += data;
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(this.output.slice(start));
        if (!address) return;
        clearTimeout(timer);
        resolve(address[0]);
      };
      const start = this.output.length;
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`the server ended with ${code}:\n${this.output}`)));
    });
  }

  /** Ends the server by its process id, and waits for that. */
  async end(signal = 'SIGTERM') {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  /** Starts it again where it was, with the same folders. */
  again() {
    return this.run(new URL(this.url).port);
  }

  async stop() {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Asks the API. */
  async call(method, path, body) {
    const init = { method, headers: { 'content-type': 'application/json' } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(`${this.url}/api/v1${path}`, init);
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text === '' ? null : JSON.parse(text);
  }
}

export function launch(options = {}) {
  return chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--force-color-profile=srgb'], ...options });
}

/** A page that fails its test if anything was thrown or refused by the Content-Security-Policy. */
export async function newPage(browser, server, options = {}) {
  const { phone = false, dark = false, ...rest } = options;
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: phone ? PHONE : DESKTOP,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ...(phone ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
    ...rest,
  });
  context.setDefaultTimeout(PATIENCE);
  if (process.env.ERRARE_BUNDLE) await context.route((url) => !url.pathname.startsWith('/api/'), fromFolder);
  const page = await context.newPage();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|Uncaught/.test(message.text())) page.faults.push(message.text());
  });
  return page;
}

function fromFolder(route) {
  const file = join(process.env.ERRARE_BUNDLE, new URL(route.request().url()).pathname);
  const isFile = existsSync(file) && statSync(file).isFile();
  return route.fulfill({ path: isFile ? file : join(process.env.ERRARE_BUNDLE, 'index.html') });
}

/** A screenshot among the artefacts. */
export async function picture(page, name, options = {}) {
  mkdirSync(artefacts, { recursive: true });
  await page.screenshot({ path: join(artefacts, `${name}.png`), animations: 'disabled', ...options });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails on violations that axe calls serious or critical. */
export async function accessible(page, what) {
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, nodes: nodes.slice(0, 3).map(({ html }) => html) }));
  });
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(grave, [], `${what}: ${JSON.stringify(grave, null, 1)}`);
}

/** No page may scroll sideways. */
export async function fits(page, what) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= window, `${what}: ${content} px wide in a window of ${window} px`);
}

/** The middle of a square of the first board of the page. */
export async function middle(page, square) {
  const box = await page.locator(`[data-square="${square}"]`).first().boundingBox();
  assert.ok(box, `no square ${square}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Fails unless every man of a FEN is drawn on its square of the first board, and no other man is. */
export async function menInPlace(page, fen) {
  const drawn = await page.locator('.board').first().evaluate((board) => {
    const cells = [...board.querySelectorAll('[data-square]')].map((cell) => ({ square: cell.dataset.square, box: cell.getBoundingClientRect() }));
    return [...board.querySelectorAll('cg-board piece:not(.ghost, .fading)')].map((man) => {
      const { x, y, width, height } = man.getBoundingClientRect();
      const [across, down] = [x + width / 2, y + height / 2];
      const cell = cells.find(({ box }) => box.left <= across && across < box.right && box.top <= down && down < box.bottom);
      return `${cell?.square ?? 'nowhere'} ${[...man.classList].filter((name) => name !== 'anim').sort().join(' ')}`;
    });
  });
  assert.deepEqual(drawn.sort(), menOf(fen).sort());
}

const ROLES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

/** The men of a FEN: `a1 king white`. */
function menOf(fen) {
  const [placement] = fen.split(' ');
  return placement.split('/').flatMap((row, index) => {
    const squares = row.replace(/\d/g, (count) => '.'.repeat(Number(count)));
    return [...squares].flatMap((letter, file) => {
      if (letter === '.') return [];
      const words = [ROLES[letter.toLowerCase()], letter === letter.toUpperCase() ? 'white' : 'black'].sort();
      return [`${'abcdefgh'[file]}${8 - index} ${words.join(' ')}`];
    });
  });
}

/** Drags from square to square with the mouse. */
export async function drag(page, from, to) {
  await page.locator(`[data-square="${from}"]`).first().scrollIntoViewIfNeeded();
  const start = await middle(page, from);
  const goal = await middle(page, to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + goal.x) / 2, (start.y + goal.y) / 2, { steps: 3 });
  await page.mouse.move(goal.x, goal.y, { steps: 3 });
  await page.mouse.up();
}

/** Makes a move on the focused board with the keys alone. */
export async function keyMove(page, from, to) {
  await goTo(page, from);
  await page.keyboard.press('Enter');
  await goTo(page, to);
  await page.keyboard.press('Enter');
}

/** Walks the cursor of a board to a square with the arrow keys. White is at the bottom. */
async function goTo(page, square) {
  const here = await page.evaluate(() => document.activeElement?.getAttribute('data-square'));
  assert.ok(here, 'the focus is not on the board');
  const across = square.charCodeAt(0) - here.charCodeAt(0);
  const up = Number(square[1]) - Number(here[1]);
  for (let n = 0; n < Math.abs(across); n += 1) await page.keyboard.press(across > 0 ? 'ArrowRight' : 'ArrowLeft');
  for (let n = 0; n < Math.abs(up); n += 1) await page.keyboard.press(up > 0 ? 'ArrowUp' : 'ArrowDown');
}

/** Presses Tab until the focus is on a square of the board, if it is not there already. */
export async function tabToBoard(page) {
  const isThere = () => page.evaluate(() => document.activeElement?.hasAttribute('data-square'));
  for (let n = 0; n < 200; n += 1) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('the board cannot be reached by Tab');
}
