// What can be seen of games in PGN without playing them through: how many, who played, and about how many turns count.

export interface PlayerOfGames {
  name: string;
  games: number;
  /** An estimate of this player's turns that count. */
  turns: number;
}

export interface GamesSeen {
  games: number;
  turns: number;
  /** Those with the most games first. */
  players: PlayerOfGames[];
}

/** The most characters that the server takes. */
export const LONGEST = 60_000_000;

const TAG = /^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/;

/** Looks through games. Turns from `firstMove` on count; those with one legal move, which are few, are counted too. */
export function look(pgn: string, firstMove: number): GamesSeen {
  const players = new Map<string, PlayerOfGames>();
  const seen: GamesSeen = { games: 0, turns: 0, players: [] };
  let names: (string | undefined)[] = [];
  let moves = 0;
  let inGame = false;

  const finish = (): void => {
    if (!inGame) return;
    const each = Math.max(0, moves - firstMove + 1);
    seen.games += 1;
    seen.turns += 2 * each;
    for (const name of names) {
      if (!name || name === '?') continue;
      const player = players.get(name) ?? { name, games: 0, turns: 0 };
      player.games += 1;
      player.turns += each;
      players.set(name, player);
    }
    names = [];
    moves = 0;
    inGame = false;
  };

  let hasMoves = false;
  for (const line of pgn.split(/\r\n?|\n/)) {
    const tag = TAG.exec(line);
    if (tag) {
      if (hasMoves) finish();
      hasMoves = false;
      inGame = true;
      const value = (tag[2] ?? '').replace(/\\(.)/g, '$1');
      if (tag[1] === 'White') names[0] = value;
      if (tag[1] === 'Black') names[1] = value;
    } else if (line.trim() !== '') {
      inGame = true;
      hasMoves = true;
      for (const number of line.matchAll(/(?:^|[\s(])(\d{1,3})\./g)) moves = Math.max(moves, Number(number[1]));
    }
  }
  finish();
  seen.players = [...players.values()].sort((a, b) => b.games - a.games || a.name.localeCompare(b.name));
  return seen;
}

/** The text of a file of games, unpacked if its name says that it is compressed by gzip. */
export async function textOf(file: File): Promise<string> {
  const bytes = /\.gz$/i.test(file.name) ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = bytes.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LONGEST) throw new Error(`${file.name} is too large: at most 60 MB of games can be rated at once.`);
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return decoded(whole);
}

/** UTF-8, or Latin-1 as older files have it. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
