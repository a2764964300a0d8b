// The shapes of what the server adds to the lab's operations: jobs, saved games, beliefs.
import type { PlayRequest, PlayResponse, StoredPosterior } from './types';

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

export interface JobStatus {
  id: string;
  operation: string;
  /** When it was asked for. */
  started: string;
  state: JobState;
  progress: {
    activity: string;
    unit: string;
    done: number;
    total: number | null;
    step: string | null;
    plan: { part: number; parts: number; share: number } | null;
  } | null;
  warnings: string[];
  error: string | null;
}

export interface SavedGame {
  id: string;
  version: number;
  lesson: string | null;
  title: string | null;
  started: string;
  updated: string;
  play: PlayRequest;
  game: PlayResponse;
}

export interface GameSummary {
  id: string;
  version: number;
  lesson: string | null;
  title: string | null;
  /** The person's men first. */
  material: string;
  human: 'white' | 'black';
  opponent: string;
  theory: 'win' | 'draw' | 'loss';
  result: 'win' | 'draw' | 'loss' | null;
  moves: number;
  started: string;
  updated: string;
  expected_c: number;
  interval: [number, number];
  over: boolean;
}

export interface BeliefDay {
  day: string;
  games: number;
  expected_c: number;
  interval: [number, number];
}

export interface Belief {
  /** The person's men first. */
  material: string;
  task: 'win' | 'draw' | 'loss';
  games: number;
  moves: number;
  expected_c: number;
  interval: [number, number];
  posterior: StoredPosterior;
  days: BeliefDay[];
}

export interface About {
  version: string;
  engine: { program: string; name: string } | null;
  /** Why there is no engine, and how to get one. */
  engine_problem: string | null;
  has_turns: boolean;
}
