// Opponents as people choose them, and as the lab names them.
import { competence, strengthWords } from '../lib/words';

export type Kind = 'human' | 'natural' | 'steady' | 'tricky' | 'perfect';

export interface Opponent {
  kind: Kind;
  /** Competence; of use to those whose strength is dialled. */
  c: number;
  /** Elo; of use to those who play like people. */
  elo: number;
}

export const KINDS: { kind: Kind; name: string; about: string; dialled: boolean }[] = [
  { kind: 'human', name: 'Human', about: 'Errs as people of a rating do in this ending, by their real games.', dialled: false },
  { kind: 'natural', name: 'Natural', about: 'Errs by chance, as people do: now a fine move, now a slip.', dialled: true },
  { kind: 'steady', name: 'Steady', about: 'Keeps to one strength: no strokes of luck, no blunders beyond it.', dialled: true },
  { kind: 'tricky', name: 'Tricky', about: 'Watches how you play and sets the problems you find hardest.', dialled: false },
  { kind: 'perfect', name: 'Perfect', about: 'Never errs.', dialled: false },
];

/** The least strength of a steady opponent. */
export const MIN_STEADY_C = 1;

/** The ends of the dial of ratings, and its step. */
export const MIN_ELO = 1200;
export const MAX_ELO = 2800;
export const ELO_STEP = 50;

/** Places on the dial with words. */
export const MARKS = [
  { c: -10, words: 'helps you' },
  { c: 0, words: 'random' },
  { c: 8, words: 'people' },
  { c: 25, words: 'rarely errs' },
  { c: 50, words: 'near perfect' },
];

export const DEFAULT: Opponent = { kind: 'human', c: 6, elo: 1800 };

/** The agent's text for the lab. */
export function agentOf({ kind, c, elo }: Opponent): string {
  switch (kind) {
    case 'human':
      return `elo:${elo}`;
    case 'natural':
      return `player:${c}`;
    case 'steady':
      return `emulator:${Math.max(c, MIN_STEADY_C)}`;
    case 'tricky':
      return 'predator';
    case 'perfect':
      return 'infallible';
  }
}

/** The opponent that an agent's text stands for; null if it is one that cannot be chosen here. */
export function opponentOf(agent: string): Opponent | null {
  const [name = '', parameter = ''] = agent.split(':');
  const c = Number(parameter);
  const dialled = parameter !== '' && Number.isFinite(c);
  if (name === 'elo' && dialled) return { ...DEFAULT, kind: 'human', elo: c };
  if (name === 'player' && dialled) return { ...DEFAULT, kind: 'natural', c };
  if (name === 'emulator' && dialled) return { ...DEFAULT, kind: 'steady', c };
  if (name === 'predator') return { ...DEFAULT, kind: 'tricky' };
  if (name === 'infallible' || agent === 'player:inf') return { ...DEFAULT, kind: 'perfect' };
  return null;
}

/** An opponent in a few words: `natural, casual player`. */
export function opponentWords(agent: string): string {
  const opponent = opponentOf(agent);
  if (!opponent) return agent;
  switch (opponent.kind) {
    case 'human':
      return `a human of Elo ${opponent.elo}`;
    case 'tricky':
      return 'tricky, learns how you play';
    case 'perfect':
      return 'perfect';
    default:
      return `${opponent.kind}, ${strengthWords(opponent.c)}`;
  }
}

/** The symbol for those who want it: `c = 12`, or nothing where no strength is dialled. */
export function opponentSymbol(agent: string): string {
  const opponent = opponentOf(agent);
  if (!opponent || opponent.kind === 'tricky' || opponent.kind === 'human') return '';
  return `c = ${competence(opponent.kind === 'perfect' ? Infinity : opponent.c, 1)}`;
}
