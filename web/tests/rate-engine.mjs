// An engine that knows Stockfish 15.1's evaluations of a few games by heart: it gives those of the turn file.
//
// Usage: node rate-engine.mjs FOLDER. A file `delay` in the folder holds the milliseconds that a position takes; if there is
// a file `broken`, the engine dies of the next position.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';

const folder = process.argv[2] ?? '.';
const data = new URL('../../crates/errare-ratings/tests/data/mileposts.jsonl.gz', import.meta.url);
const rows = gunzipSync(readFileSync(data)).toString('utf8').trim().split('\n').map((line) => JSON.parse(line));
const key = (fen) => fen.split(' ').slice(0, 4).join(' ');
const known = new Map(rows.map(({ fen, lines }) => [key(fen), lines]));

let position = '';
let busy = Promise.resolve();
const say = (text) => process.stdout.write(`${text}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === 'uci') {
    say('id name Stockfish 15.1');
    for (const option of ['Threads type spin default 1 min 1 max 9', 'Hash type spin default 16 min 1 max 999', 'MultiPV type spin default 1 min 1 max 500', 'EvalFile type string default nn-ad9b42354671.nnue']) {
      say(`option name ${option}`);
    }
    say('uciok');
  } else if (word === 'isready') busy = busy.then(() => say('readyok'));
  else if (word === 'position') position = key(rest.slice(1).join(' '));
  else if (word === 'go') busy = busy.then(() => search(rest[1]));
  else if (word === 'quit') process.exit(0);
});

async function search(depth) {
  if (existsSync(join(folder, 'broken'))) process.exit(3);
  const delay = join(folder, 'delay');
  if (existsSync(delay)) await new Promise((resolve) => setTimeout(resolve, Number(readFileSync(delay, 'utf8'))));
  const lines = known.get(position) ?? [];
  lines.forEach(([move, score], n) => {
    const text = typeof score === 'number' ? `cp ${score}` : `mate ${score.slice(1)}`;
    say(`info depth ${depth} multipv ${n + 1} score ${text} pv ${move}`);
  });
  say(`bestmove ${lines[0]?.[0] ?? '0000'}`);
}
