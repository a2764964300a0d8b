// Which tables are there. The list is asked for once, and again when something is missing or was built.
import { call } from '../lib/api';
import type { ListResponse } from '../lib/types';
import { namesOf } from './fen';
import { METRICS, storedAs } from './metrics';

/** The metrics without which a position is not shown: depths to mate, and those that players are modelled by. */
export const BASE = ['dtm', 'dtc'];

/** Endings of at most so many men are built without asking: it takes seconds. */
export const QUICK_MEN = 4;

/** Endings of more men are built at the command line only. */
export const MAX_MEN = 5;

const known = new Set<string>();

async function refresh(signal?: AbortSignal): Promise<void> {
  const { tables } = await call<object, ListResponse>('list', {}, signal);
  known.clear();
  for (const { material, metric } of tables) known.add(`${material} ${metric}`);
}

function has(material: string, metric: string): boolean {
  return namesOf(material).some((name) => known.has(`${name} ${storedAs(metric, name)}`));
}

/** The metrics of an ending whose tables are there, and those whose are not. */
export async function metricsOf(material: string, signal?: AbortSignal): Promise<{ present: string[]; missing: string[] }> {
  const all = METRICS.map((metric) => metric.id);
  // Two bare kings are drawn, and need no table.
  if (material.length <= 2) return { present: all, missing: [] };
  if (!all.every((metric) => has(material, metric))) await refresh(signal);
  return { present: all.filter((metric) => has(material, metric)), missing: all.filter((metric) => !has(material, metric)) };
}
