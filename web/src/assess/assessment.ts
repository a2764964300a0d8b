// An assessment as the page asks for it and finds it again: a job of many games, and one game move by move.
import { call, jobResponse, Problem, startJob } from '../lib/api';
import type { JobStatus } from '../lib/api';
import type {
  AssessedGame,
  AssessedPlayer,
  AssessRequest,
  AssessResponse,
  GameRow,
  GameTotals,
  LeftOutEndgames,
  ModelSummary,
  UnlistedPlayers,
  WorstMove,
} from '../lib/types';
import type { Input } from './reading';

/** What can be chosen. */
export interface Choices {
  /** Missing tables of up to so many men are built. */
  men: number;
  /** Whether players are thought never to give up a win or a draw, as in the papers on the model. */
  keepsValue: boolean;
}

export const USUAL: Choices = { men: 4, keepsValue: false };

/** Number of the worst moves that are listed. */
const WORST = 100;

/** What is known of an assessment without its players and its annotated games, which may be many megabytes. */
export interface Summary {
  model: ModelSummary;
  men: number;
  totals: GameTotals;
  leftOut: LeftOutEndgames[];
  unlisted: UnlistedPlayers;
  unlistedGames: number;
  games: GameRow[];
  worst: WorstMove[];
}

/** The games that were last sent from here, so that they can be assessed again in another way. */
let sent: { id: string; input: Input } | null = null;

/** The games of a job, if they were sent from here since the page was loaded. */
export function inputOf(id: string): Input | null {
  return sent?.id === id ? sent.input : null;
}

export async function start(input: Input, choices: Choices): Promise<JobStatus> {
  const model = choices.keepsValue ? { hold: 'value' } : {};
  const request = { pgn: input.text, detail: 'rows', men: choices.men, worst: WORST, model } satisfies Partial<AssessRequest>;
  const status = await startJob('assess', request);
  sent = { id: status.id, input };
  return status;
}

/** A finished assessment without its players and its annotated games. */
export async function summary(id: string): Promise<Summary> {
  const part = <T>(at: string): Promise<T> => jobResponse<T>(id, at);
  const totals = await part<GameTotals>('/totals');
  const [model, men, leftOut, unlisted, unlistedGames, games, worst] = await Promise.all([
    part<ModelSummary>('/model'),
    part<number>('/men'),
    part<LeftOutEndgames[]>('/left_out'),
    part<UnlistedPlayers>('/unlisted'),
    part<number>('/unlisted_games'),
    totals.assessed > 0 ? part<GameRow[]>('/index') : [],
    part<WorstMove[]>('/worst'),
  ]);
  return { model, men, totals, leftOut, unlisted, unlistedGames, games, worst };
}

/** The players of a finished assessment. */
export function players(id: string): Promise<AssessedPlayer[]> {
  return jobResponse<AssessedPlayer[]>(id, '/players');
}

/** All annotated games as one text. */
export async function annotatedGames(id: string): Promise<string> {
  return (await jobResponse<string[]>(id, '/annotated')).join('');
}

/** One annotated game, by its place among the rows. */
export function annotatedGame(id: string, place: number): Promise<string> {
  return jobResponse<string>(id, `/annotated/${place}`);
}

/** One game move by move: it is assessed again by itself, which takes no time where the tables are there. */
export async function wholeGame(pgn: string, known: Pick<Summary, 'men' | 'model'>, signal?: AbortSignal): Promise<AssessedGame> {
  const { metric, kappa, hold, avoid_loss = false, horizon = null, leanings = [] } = known.model;
  const model = { metric, kappa, hold, avoid_loss, horizon, leanings };
  const request = { pgn: bare(pgn), detail: 'boards', men: known.men, worst: 0, model };
  const { games } = await call<typeof request, AssessResponse>('assess', request, signal);
  const [game] = games;
  if (!game) throw new Problem(0, 'No game', 'This game could not be read again.');
  return game;
}

/** A game without its comments and glyphs, which say nothing that an assessment does not. */
export function bare(pgn: string): string {
  const moves = pgn.search(/\n\r?\n/);
  const text = pgn.slice(moves).replace(/\{[^}]*\}/g, ' ').replace(/\$\d+/g, ' ');
  return pgn.slice(0, moves) + text;
}

/** Offers a text as a file to download. */
export function download(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
