// Questions that need tables. Missing ones are built first, as a job that shows its progress.
import { call, cancelJob, jobResponse, Problem, startJob, watchJob } from '../lib/api';
import type { JobStatus } from '../lib/api';
import type { ListResponse } from '../lib/types';
import { namesOf } from './position';

/** The metric of all that people practise. */
const METRIC = 'dtc';
const known = new Set<string>();

/** Whether the tables of an ending are there. */
export async function isReady(material: string, signal?: AbortSignal): Promise<boolean> {
  const names = namesOf(material);
  if (names.some((name) => known.has(name))) return true;
  const { tables } = await call<object, ListResponse>('list', {}, signal);
  for (const table of tables) if (table.metric === METRIC) known.add(table.material);
  return names.some((name) => known.has(name));
}

/**
 * Asks the lab about an ending. If its tables are not there, the same question is asked as a job, and `onStatus` follows how
 * they are built; it is called with null at the end.
 */
export async function prepared<Req, Res>(
  operation: string,
  material: string,
  request: Req,
  onStatus: (status: JobStatus | null) => void,
  signal: AbortSignal,
): Promise<Res> {
  if (await isReady(material, signal)) return call<Req, Res>(operation, request, signal);
  const job = await startJob(operation, request);
  try {
    onStatus(job);
    const last = await watchJob(job.id, onStatus, signal);
    if (last.state !== 'done') throw new Problem(422, 'Not prepared', last.error ?? 'The tables could not be prepared.');
    return await jobResponse<Res>(job.id);
  } finally {
    void cancelJob(job.id).catch(() => undefined);
    onStatus(null);
  }
}
