// The position that is looked at, how one got there, and what the lab says about it.
import { call, isAborted, Problem, sentence } from '../lib/api';
import type { BoardMove } from '../lib/board';
import { fenFault } from '../lib/fen';
import type {
  ChooseRequest,
  ChooseResponse,
  LineRequest,
  LineResponse,
  ProbeRequest,
  ProbeResponse,
  SquaresRequest,
  SquaresResponse,
} from '../lib/types';
import { after, materialOf, menOf } from './fen';
import { settings } from './settings.svelte';
import { BASE, MAX_MEN, metricsOf, QUICK_MEN } from './tables.svelte';
import { Work } from './work.svelte';

/** A position of the trail, and the move that led to it. */
export interface Step {
  fen: string;
  uci: string | null;
  san: string | null;
  /** Other moves that were as good. */
  alternatives: string[];
}

class Explorer {
  /** The positions gone through; those after `place` can be stepped to. */
  trail = $state.raw<Step[]>([]);
  place = $state(0);
  /** What is wrong with the position that was asked for. */
  problem = $state<string | null>(null);
  /** The answer about the position that is shown; null until it is there. */
  probe = $state.raw<ProbeResponse | null>(null);
  /** How likely a player of the dialled strength makes each move. */
  player = $state.raw<ChooseResponse | null>(null);
  /** What each move leads to after the reply of an opponent of that strength. */
  reply = $state.raw<ChooseResponse | null>(null);
  /** The same for opponents of all strengths. */
  sweep = $state.raw<ChooseResponse | null>(null);
  /** The value with one man on every square. */
  squares = $state.raw<SquaresResponse | null>(null);
  /** The square of the man that the overlay is about. */
  lifted = $state<string | null>(null);
  /** Metrics of this ending that are not built. */
  missing = $state.raw<string[]>([]);
  /** Whether tables have to be built, and the person be asked first. */
  unbuilt = $state(false);
  /** What went wrong with a part of the page. */
  note = $state<string | null>(null);
  /** Whether an answer is on its way. */
  busy = $state(false);
  /** The position that `probe` is about; until the answer is there it is the one before. */
  answered = $state('');
  /** The square of a man to lift once the position is there. */
  #toLift: string | null = null;

  readonly building = new Work<ProbeRequest, ProbeResponse>('probe');
  #abort = new AbortController();
  #dialAbort = new AbortController();
  #sweepAbort = new AbortController();

  readonly step = $derived(this.trail[this.place] ?? null);
  readonly fen = $derived(this.step?.fen ?? '');
  readonly material = $derived(materialOf(this.fen));
  /** Whether what is known is about the position that is shown. */
  readonly isCurrent = $derived(this.probe !== null && this.answered === this.fen);
  readonly moves: BoardMove[] = $derived(
    (this.isCurrent ? (this.probe?.successors ?? []) : []).map(({ uci, san }) => ({
      uci,
      san,
      from: uci.slice(0, 2),
      to: uci.slice(2, 4),
      promotion: uci.slice(4) || null,
    })),
  );

  /** Shows a position and forgets the trail. */
  show(fen: string, lifted: string | null = null): void {
    this.#toLift = lifted;
    this.trail = [{ fen, uci: null, san: null, alternatives: [] }];
    this.place = 0;
    void this.load();
  }

  /** Makes a legal move. What lay ahead stays if it began with this move. */
  move(uci: string): void {
    const found = this.isCurrent && this.probe?.successors.find((move) => move.uci === uci);
    if (!found) return;
    if (this.trail[this.place + 1]?.uci === uci) return this.go(this.place + 1);
    const step = { fen: after(this.fen, uci), uci, san: found.san, alternatives: [] };
    this.trail = [...this.trail.slice(0, this.place + 1), step];
    this.go(this.place + 1);
  }

  go(place: number): void {
    if (place < 0 || place >= this.trail.length) return;
    this.place = place;
    void this.load();
  }

  /** Asks everything about the position that is shown. */
  async load(): Promise<void> {
    this.#abort.abort();
    this.#dialAbort.abort();
    this.#sweepAbort.abort();
    const abort = new AbortController();
    this.#abort = abort;
    this.building.leave();
    this.#clear();
    const fen = this.fen;
    const fault = fenFault(fen);
    if (fault !== null) {
      this.#forget();
      this.problem = fault;
      return;
    }
    this.busy = true;
    try {
      const { present, missing } = await metricsOf(this.material, abort.signal);
      if (abort.signal.aborted) return;
      this.missing = missing;
      const isReady = BASE.every((metric) => present.includes(metric));
      // Of more men the server says what can be done.
      if (!isReady && menOf(fen).size <= MAX_MEN) return await this.build(BASE, menOf(fen).size > QUICK_MEN);
      const request: ProbeRequest = { fen, metric: 'dtm', also: present.filter((metric) => metric !== 'dtm') };
      const probe = await call<ProbeRequest, ProbeResponse>('probe', request, abort.signal);
      if (abort.signal.aborted) return;
      this.probe = probe;
      this.answered = fen;
      this.player = null;
      this.reply = null;
      if (probe.successors.length === 0) this.sweep = null;
      if (this.#toLift !== null) void this.lift(this.#toLift);
      this.#toLift = null;
      await this.#study();
    } catch (error) {
      if (isAborted(error)) return;
      this.#forget();
      this.problem = sentence(error);
    } finally {
      if (this.#abort === abort) this.busy = false;
    }
  }

  /** What is known of the position before stays in sight until there is an answer, unless it was another ending. */
  #clear(): void {
    if (materialOf(this.answered) !== this.material) this.#forget();
    this.problem = null;
    this.note = null;
    this.squares = null;
    this.lifted = null;
    this.unbuilt = false;
    this.busy = false;
  }

  #forget(): void {
    this.answered = '';
    this.probe = null;
    this.player = null;
    this.reply = null;
    this.sweep = null;
  }

  /** Builds tables of the ending with progress, then shows the position. */
  async build(metrics: string[], onlyResume = false): Promise<void> {
    this.unbuilt = false;
    this.problem = null;
    const fen = this.fen;
    const [metric = 'dtm', ...also] = metrics;
    // A probe builds what it needs, and refuses positions that cannot arise before it builds anything.
    const request = { fen, metric, also };
    const found = onlyResume ? await this.building.resume(request) : await this.building.run(request);
    if (fen !== this.fen) return;
    if (this.building.problem !== null) {
      this.problem = this.building.problem;
      this.building.leave();
    } else if (found) {
      // Tables that are gone when they are needed again are built again.
      await this.building.cancel();
      await this.load();
    }
    else if (!this.building.busy && this.probe === null) this.unbuilt = true;
  }

  async cancelBuild(): Promise<void> {
    await this.building.cancel();
    if (this.probe === null) this.unbuilt = true;
  }

  /** Asks how players of all strengths fare with the moves. */
  async #study(): Promise<void> {
    if (this.probe === null || this.probe.successors.length === 0) return;
    await Promise.all([this.dial(), this.#compare()]);
  }

  /** Asks again about the dialled strength. */
  async dial(): Promise<void> {
    this.#dialAbort.abort();
    const abort = new AbortController();
    this.#dialAbort = abort;
    if (this.probe === null || this.probe.successors.length === 0) return;
    const { competence, model } = settings;
    const base = { fen: this.fen, model };
    const ask = (request: ChooseRequest): Promise<ChooseResponse> => call('choose', request, abort.signal);
    try {
      const [player, reply] = await Promise.all([
        ask({ ...base, agent: `player:${competence}` }),
        ask({ ...base, agent: 'predator', opponent: competence, scope: 'keeping' }),
      ]);
      if (abort.signal.aborted) return;
      this.player = player;
      this.reply = reply;
      this.note = null;
    } catch (error) {
      if (!isAborted(error)) this.note = sentence(error);
    }
  }

  async #compare(): Promise<void> {
    // An answer about an earlier model that comes late must not stay.
    this.#sweepAbort.abort();
    const abort = new AbortController();
    this.#sweepAbort = abort;
    const request: ChooseRequest = {
      fen: this.fen,
      model: settings.model,
      sweep: '0:0.5:50',
      scope: 'keeping',
    };
    try {
      const found = await call<ChooseRequest, ChooseResponse>('choose', request, abort.signal);
      if (!abort.signal.aborted) this.sweep = found;
    } catch (error) {
      if (!isAborted(error)) this.note = sentence(error);
    }
  }

  /** Asks all again after the model has changed. */
  remodel(): void {
    if (this.probe === null) return;
    this.sweep = null;
    void this.#study();
  }

  /** Lifts a man for the overlay; null puts it back. */
  async lift(square: string | null): Promise<void> {
    this.lifted = square;
    this.squares = null;
    if (square === null || !this.isCurrent) return;
    const request: SquaresRequest = { fen: this.fen, square, metric: settings.metric };
    try {
      const found = await call<SquaresRequest, SquaresResponse>('squares', request, this.#abort.signal);
      if (this.lifted === square) this.squares = found;
    } catch (error) {
      if (!isAborted(error)) this.note = sentence(error);
    }
  }

  /** Puts the best play of both sides ahead on the trail. */
  async bestPlay(strategy: string): Promise<void> {
    const { fen, place } = this;
    const request: LineRequest = { fen, white: strategy, black: strategy, plies: 400 };
    this.note = null;
    try {
      const { lines } = await call<LineRequest, LineResponse>('line', request, this.#abort.signal);
      if (fen !== this.fen || place !== this.place) return;
      let position = fen;
      const ahead = (lines[0]?.moves ?? []).map(({ uci, san, alternatives }) => {
        position = after(position, uci);
        return { fen: position, uci, san, alternatives };
      });
      this.trail = [...this.trail.slice(0, place + 1), ...ahead];
    } catch (error) {
      if (isAborted(error)) return;
      this.note = error instanceof Problem ? error.detail : sentence(error);
    }
  }
}

export const explorer = new Explorer();
