// What the page about an ending asks for.
import type {
  ArrayOf_EndgameStatistics,
  ArrayOf_FoundPositions,
  BuildRequest,
  EndgameStatistics,
  FindRequest,
  HistogramBin,
  SideStatistics,
  StatsRequest,
  Zugzwangs,
  ZugzwangsRequest,
} from '../lib/types';
import { isWon } from './metrics';
import { BASE, metricsOf, QUICK_MEN } from './tables.svelte';
import { Work } from './work.svelte';

/** Positions of one side to move with one result. */
export interface Group {
  turn: 'white' | 'black';
  winner: 'white' | 'black';
  outcome: 'win' | 'loss';
  /** Number of positions by depth in moves of the winner. */
  counts: number[];
  total: number;
  deepest: number;
}

/** Moves of the winner still to be made, of a depth in plies. */
function winnerMoves(bin: HistogramBin, metric: string): number {
  const plies = bin.plies ?? 0;
  // Where the loser is to move, the winner makes half the plies; a phase may begin with the winner all the same.
  return isWon(bin.outcome) || metric === 'dtr' ? Math.ceil(plies / 2) : Math.floor(plies / 2);
}

/** The decisive positions of an ending by side to move and winner, the most first. */
export function groupsOf(statistics: EndgameStatistics): Group[] {
  const sides: ['white' | 'black', SideStatistics][] = [
    ['white', statistics.white_to_move],
    ['black', statistics.black_to_move],
  ];
  const groups: Group[] = [];
  for (const [turn, side] of sides) {
    for (const outcome of ['win', 'loss'] as const) {
      const counts: number[] = [];
      for (const bin of side.histogram) {
        // What a move rule spoils is won all the same, and deeper.
        if (bin.outcome === 'draw' || isWon(bin.outcome) !== (outcome === 'win')) continue;
        const moves = winnerMoves(bin, statistics.metric);
        while (counts.length <= moves) counts.push(0);
        counts[moves] = (counts[moves] ?? 0) + bin.count;
      }
      const total = counts.reduce((sum, count) => sum + count, 0);
      const winner = (outcome === 'win') === (turn === 'white') ? 'white' : 'black';
      if (total > 0) groups.push({ turn, winner, outcome, counts, total, deepest: counts.length - 1 });
    }
  }
  return groups.sort((a, b) => b.total - a.total);
}

/** The ending that a page is about. */
export class Ending {
  readonly building = new Work<BuildRequest, unknown>('build');
  readonly stats = new Work<StatsRequest, ArrayOf_EndgameStatistics>('stats');
  readonly found = new Work<FindRequest, ArrayOf_FoundPositions>('find');
  readonly zugzwangs = new Work<ZugzwangsRequest, Zugzwangs>('zugzwangs');
  present = $state.raw<string[]>([]);
  missing = $state.raw<string[]>([]);
  /** Whether tables have to be built, and the person be asked first. */
  unbuilt = $state(false);
  ready = $state(false);
  problem = $state<string | null>(null);

  constructor(readonly material: string) {}

  get isQuick(): boolean {
    return this.material.length <= QUICK_MEN;
  }

  /** Looks what is there, and builds what a quick ending lacks. */
  async open(): Promise<void> {
    try {
      await this.#look();
      if (this.ready) return;
      if (this.isQuick) await this.build(BASE);
      else if ((await this.building.resume(this.#request(BASE))) !== null) {
        await this.building.cancel();
        await this.#look();
      }
      this.unbuilt = !this.ready && !this.building.busy && this.problem === null;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  async #look(): Promise<void> {
    const { present, missing } = await metricsOf(this.material);
    this.present = present;
    this.missing = missing;
    this.ready = BASE.every((metric) => present.includes(metric));
  }

  #request(metrics: string[]): BuildRequest {
    return { materials: [this.material], metrics };
  }

  async build(metrics: string[]): Promise<void> {
    this.unbuilt = false;
    const built = await this.building.run(this.#request(metrics));
    if (this.building.problem !== null) this.problem = this.building.problem;
    if (built !== null) await this.building.cancel();
    await this.#look();
    this.unbuilt = !this.ready && this.problem === null && !this.building.busy;
  }

  async cancelBuild(): Promise<void> {
    await this.building.cancel();
    this.unbuilt = !this.ready;
  }

  /** Asks at once where that takes a moment, and as a job where it may take long. */
  ask<Req, Res>(work: Work<Req, Res>, request: Req): Promise<Res | null> {
    return this.isQuick ? work.quick(request) : work.run(request);
  }

  /** Stops watching. */
  leave(): void {
    for (const work of [this.building, this.stats, this.found, this.zugzwangs]) work.leave();
  }
}
