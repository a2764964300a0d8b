// The server's API. Failures are thrown as `Problem`, whose `detail` is a sentence for people.
import { connection } from './connection.svelte';
import type { JobStatus } from './server';

export type { About, Belief, BeliefDay, GameSummary, JobState, JobStatus, SavedGame } from './server';

const ROOT = '/api/v1';

/** What went wrong with a request. `status` is 0 if the server did not answer at all. */
export class Problem extends Error {
  override readonly name = 'Problem';
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly body: unknown = null,
  ) {
    super(detail);
  }
}

/** A sentence for people about anything that was thrown. */
export function sentence(error: unknown): string {
  if (error instanceof Problem) return error.detail;
  return error instanceof Error ? error.message : String(error);
}

/** Whether a request was given up by its own signal, which needs no message. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Asks the lab: `POST /api/v1/OPERATION`. */
export function call<Req, Res>(operation: string, request: Req, signal?: AbortSignal): Promise<Res> {
  return exchange<Res>('POST', `/${operation}`, request, signal);
}

/** Reads something of the server, such as `get<Games>('/games')`. */
export function get<Res>(path: string, signal?: AbortSignal): Promise<Res> {
  return exchange<Res>('GET', path, undefined, signal);
}

/** Any other request, such as `send('DELETE', '/games/17')`. */
export function send<Res>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Res> {
  return exchange<Res>(method, path, body, signal);
}

async function exchange<Res>(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Res> {
  const response = await answer(method, path, body, signal);
  const text = await bodyText(response);
  const value = parsed(text);
  if (!response.ok) throw problemOf(response, value);
  return value as Res;
}

async function answer(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method, cache: 'no-store', headers: { accept: 'application/json' } };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.headers = { accept: 'application/json', 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  try {
    const response = await fetch(`${ROOT}${path}`, init);
    connection.answered();
    return response;
  } catch (error) {
    if (isAborted(error)) throw error;
    throw unreachable();
  }
}

async function bodyText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    if (isAborted(error)) throw error;
    throw unreachable();
  }
}

function unreachable(): Problem {
  connection.lost();
  return new Problem(0, 'No answer', 'The server does not answer. Nothing is lost: it is tried again until it does.');
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function problemOf(response: Response, body: unknown): Problem {
  const field = (name: string): string | undefined => {
    const value = body !== null && typeof body === 'object' ? (body as Record<string, unknown>)[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const title = field('title') ?? `Error ${response.status}`;
  const detail = field('detail') ?? field('error') ?? `The server refused this (${response.status}).`;
  return new Problem(response.status, title, capitalised(detail), body);
}

function capitalised(text: string): string {
  const first = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** Starts long work: `POST /api/v1/jobs/OPERATION`. */
export function startJob<Req>(operation: string, request: Req): Promise<JobStatus> {
  return send<JobStatus>('POST', `/jobs/${operation}`, request);
}

/** The response of a job that is done; `at` is a JSON pointer to a part of it, such as `/games/17`. */
export function jobResponse<Res>(id: string, at?: string): Promise<Res> {
  const part = at === undefined ? '' : `?at=${encodeURIComponent(at)}`;
  return get<Res>(`/jobs/${encodeURIComponent(id)}/response${part}`);
}

/** Cancels a job and forgets it. */
export async function cancelJob(id: string): Promise<void> {
  await send('DELETE', `/jobs/${encodeURIComponent(id)}`);
}

/** Whether nothing will change about a job any more. */
export function isFinal(status: JobStatus): boolean {
  return status.state !== 'waiting' && status.state !== 'running';
}

const POLL = 1000;

/**
 * Follows a job to its end and returns its final status. Events are listened to; when they break off, the job is asked for
 * instead, also across a restart of the server.
 */
export async function watchJob(
  id: string,
  onStatus: (status: JobStatus) => void,
  signal?: AbortSignal,
): Promise<JobStatus> {
  const path = `/jobs/${encodeURIComponent(id)}`;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const status = await get<JobStatus>(path, signal);
      onStatus(status);
      if (isFinal(status)) return status;
      const last = await listen(`${ROOT}${path}/events`, onStatus, signal);
      if (last) return last;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 0) throw error;
      await connection.back();
    }
    await pause(POLL, signal);
  }
}

function listen(url: string, onStatus: (status: JobStatus) => void, signal?: AbortSignal): Promise<JobStatus | null> {
  return new Promise((resolve, reject) => {
    const source = new EventSource(url);
    const stop = (): void => {
      source.close();
      signal?.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      stop();
      reject(new DOMException('aborted', 'AbortError'));
    };
    const receive = (event: MessageEvent<string>): void => {
      const status = JSON.parse(event.data) as JobStatus;
      onStatus(status);
      if (!isFinal(status)) return;
      stop();
      resolve(status);
    };
    for (const name of ['progress', 'done', 'failed', 'cancelled']) source.addEventListener(name, receive);
    source.onerror = () => {
      stop();
      resolve(null);
    };
    signal?.addEventListener('abort', abort);
  });
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('aborted', 'AbortError'));
    });
  });
}
