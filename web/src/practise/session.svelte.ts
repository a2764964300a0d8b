// A game on the page: first a draft that nobody has moved in, then a game that the server keeps. Every change goes to the
// server before it counts; while the server is gone the change waits.
import { connection } from '../lib/connection.svelte';
import { get, isAborted, Problem, send, sentence } from '../lib/api';
import type { JobStatus, SavedGame } from '../lib/api';
import type { PlayRequest, PlayResponse, Side } from '../lib/types';
import { materialOf } from './position';
import { prepared } from './prepare';

/** What a game is to start with. */
export interface Draft {
  fen: string;
  human: Side;
  opponent: string;
  seed: number;
  moves: string[];
  lesson: string | null;
  title: string | null;
}

type Change = { path: 'moves'; move: string } | { path: 'take-back' } | { path: 'finish'; finish: 'resign' | 'claim-draw' };

const channel = new BroadcastChannel('errare.games');

export class Session {
  draft = $state.raw<Draft | null>(null);
  saved = $state.raw<SavedGame | null>(null);
  /** How the game stands; null until the server has said it. */
  game = $state.raw<PlayResponse | null>(null);
  /** Whether the server is being asked. */
  busy = $state(false);
  /** What went wrong, in a sentence. */
  problem = $state<string | null>(null);
  /** Something to know that is not wrong, such as that the game went on elsewhere. */
  note = $state<string | null>(null);
  /** Tables that are being built before the game can begin. */
  job = $state.raw<JobStatus | null>(null);
  #work = new AbortController();
  readonly #onbegin: (id: string) => void;

  /** `onbegin` is called when the first move made a draft a game. */
  constructor(onbegin: (id: string) => void) {
    this.#onbegin = onbegin;
  }

  readonly lesson = $derived(this.saved ? this.saved.lesson : (this.draft?.lesson ?? null));
  readonly title = $derived(this.saved ? this.saved.title : (this.draft?.title ?? null));
  readonly id = $derived(this.saved?.id ?? null);

  #reset(): AbortSignal {
    this.#work.abort();
    this.#work = new AbortController();
    this.problem = null;
    this.note = null;
    this.job = null;
    this.busy = false;
    return this.#work.signal;
  }

  /** Follows the game in other tabs. To be called in an effect; returns what ends it. */
  follow(): () => void {
    const refresh = (): void => {
      if (document.visibilityState === 'visible') void this.refresh();
    };
    const hear = (event: MessageEvent<unknown>): void => {
      if (event.data === this.id) void this.refresh();
    };
    document.addEventListener('visibilitychange', refresh);
    channel.addEventListener('message', hear);
    return () => {
      document.removeEventListener('visibilitychange', refresh);
      channel.removeEventListener('message', hear);
      this.#work.abort();
    };
  }

  /** Puts a game on the board that is saved with its first move. */
  async begin(draft: Draft): Promise<void> {
    const signal = this.#reset();
    this.saved = null;
    this.draft = draft;
    this.game = null;
    await this.#attempt(signal, async () => {
      const follow = (status: JobStatus | null): void => void (this.job = status);
      const game = await prepared<PlayRequest, PlayResponse>('play', materialOf(draft.fen), this.#play(draft), follow, signal);
      // The opponent may have begun; its move must stay what it was.
      this.draft = { ...draft, moves: game.moves.map((move) => move.uci) };
      this.game = game;
    });
  }

  #play({ fen, human, opponent, seed, moves }: Draft): PlayRequest {
    return { fen, human, opponent, seed, moves };
  }

  /** Changes the opponent of a game that has not begun. */
  async against(opponent: string): Promise<void> {
    const { draft, game } = this;
    if (!draft) return;
    // If the opponent has made a move, the new one makes its own.
    if (draft.moves.length > 0 || !game) return this.begin({ ...draft, opponent, moves: [] });
    this.draft = { ...draft, opponent };
    this.game = { ...game, opponent };
  }

  /** Opens a saved game. */
  async open(id: string): Promise<void> {
    if (this.saved?.id === id) return this.refresh();
    const signal = this.#reset();
    this.draft = null;
    this.saved = null;
    this.game = null;
    await this.#attempt(signal, async () => this.#adopt(await get<SavedGame>(`/games/${encodeURIComponent(id)}`, signal)));
  }

  /** Looks whether the game went on elsewhere. */
  async refresh(): Promise<void> {
    const { saved } = this;
    if (!saved || this.busy) return;
    try {
      const current = await get<SavedGame>(`/games/${encodeURIComponent(saved.id)}`);
      if (this.saved === saved && current.version > saved.version) this.#elsewhere(current);
    } catch (error) {
      if (error instanceof Problem && error.status === 404) this.note = 'This game has been erased. Your next move is refused.';
    }
  }

  async move(uci: string): Promise<void> {
    if (this.busy) return;
    this.note = null;
    if (this.saved) return this.#change({ path: 'moves', move: uci });
    const { draft } = this;
    if (!draft) return;
    const signal = this.#work.signal;
    await this.#attempt(signal, async () => {
      const play = this.#play({ ...draft, moves: [...draft.moves, uci] });
      const saved = await send<SavedGame>('POST', '/games', { play, lesson: draft.lesson, title: draft.title }, signal);
      this.#adopt(saved);
      this.#onbegin(saved.id);
    });
  }

  takeBack(): Promise<void> {
    this.note = null;
    return this.#change({ path: 'take-back' });
  }

  finish(finish: 'resign' | 'claim-draw'): Promise<void> {
    this.note = null;
    return this.#change({ path: 'finish', finish });
  }

  async #change(change: Change): Promise<void> {
    const { saved } = this;
    if (!saved || this.busy) return;
    const { path, ...body } = change;
    const signal = this.#work.signal;
    const address = `/games/${encodeURIComponent(saved.id)}`;
    let sent = false;
    await this.#attempt(signal, async () => {
      // After a broken connection the change may have arrived or not: the version tells.
      if (sent) {
        const current = await get<SavedGame>(address, signal);
        if (current.version !== saved.version) return this.#adopt(current);
      }
      sent = true;
      try {
        this.#adopt(await send<SavedGame>('POST', `${address}/${path}`, { version: saved.version, ...body }, signal));
        channel.postMessage(saved.id);
      } catch (error) {
        const current = conflict(error);
        if (!current) throw error;
        this.#elsewhere(current);
      }
    });
  }

  /** Does the work, again and again as long as the server does not answer. */
  async #attempt(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.problem = null;
    try {
      for (;;) {
        try {
          await work();
          return;
        } catch (error) {
          if (!(error instanceof Problem) || error.status !== 0) throw error;
          await connection.back();
          if (signal.aborted) return;
        }
      }
    } catch (error) {
      if (!isAborted(error)) this.problem = sentence(error);
    } finally {
      if (!signal.aborted) this.busy = false;
    }
  }

  #adopt(saved: SavedGame): void {
    this.draft = null;
    this.saved = saved;
    this.game = saved.game;
  }

  #elsewhere(current: SavedGame): void {
    this.#adopt(current);
    this.note = 'This game went on in another tab or window. This is how it stands now.';
  }

  /** Stops building tables. */
  stop(): void {
    this.#work.abort();
    this.job = null;
    this.busy = false;
    this.problem = 'Cancelled. Choose something else to practise, or start this again.';
  }
}

function conflict(error: unknown): SavedGame | null {
  if (!(error instanceof Problem) || error.status !== 409) return null;
  const { body } = error;
  if (body === null || typeof body !== 'object' || !('current' in body)) return null;
  return body.current as SavedGame;
}
