// Long work of this page: a job that is watched, can be cancelled, and is found again after a reload.
import { call, cancelJob, isAborted, isFinal, jobResponse, Problem, sentence, startJob, watchJob } from '../lib/api';
import type { JobStatus } from '../lib/api';

const KEY = 'errare.explore.jobs';
/** Number of jobs that are remembered. */
const MAX_KEPT = 24;

/** Ids of jobs by what was asked, the latest last. */
function remembered(): [string, string][] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? (value as [string, string][]) : [];
  } catch {
    return [];
  }
}

function remember(question: string, id: string | null): void {
  const others = remembered().filter(([other]) => other !== question);
  const all = id === null ? others : [...others, [question, id]];
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(-MAX_KEPT)));
  } catch {
    // It is then known as long as the page is open.
  }
}

/** One question to the lab that takes long. */
export class Work<Req, Res> {
  status = $state<JobStatus | null>(null);
  response = $state.raw<Res | null>(null);
  problem = $state<string | null>(null);
  /** What the response answers. */
  asked = $state.raw<Req | null>(null);
  /** Whether an answer without a job is on its way. */
  waiting = $state(false);
  #abort: AbortController | null = null;

  constructor(readonly operation: string) {}

  get busy(): boolean {
    return this.status !== null && !isFinal(this.status);
  }

  #question(request: Req): string {
    return `${this.operation} ${JSON.stringify(request)}`;
  }

  /** Asks, or takes up the job that asked the same before. */
  async run(request: Req): Promise<Res | null> {
    return (await this.resume(request)) ?? (this.problem === null && !this.busy ? this.#start(request) : null);
  }

  /** Asks without a job what takes a moment only. */
  async quick(request: Req): Promise<Res | null> {
    this.leave();
    const abort = new AbortController();
    this.#abort = abort;
    this.waiting = true;
    try {
      const response = await call<Req, Res>(this.operation, request, abort.signal);
      if (abort.signal.aborted) return null;
      this.response = response;
      this.asked = request;
      return response;
    } catch (error) {
      if (!isAborted(error)) this.problem = sentence(error);
      return null;
    } finally {
      if (this.#abort === abort) this.waiting = false;
    }
  }

  /** Takes up the job that asked this before, if the server still knows it. */
  async resume(request: Req): Promise<Res | null> {
    this.leave();
    const id = remembered().find(([question]) => question === this.#question(request))?.[1];
    return id === undefined ? null : this.#follow(request, id, true);
  }

  async #start(request: Req): Promise<Res | null> {
    this.leave();
    try {
      const { id } = await startJob(this.operation, request);
      remember(this.#question(request), id);
      return await this.#follow(request, id, false);
    } catch (error) {
      this.problem = sentence(error);
      return null;
    }
  }

  async #follow(request: Req, id: string, isOld: boolean): Promise<Res | null> {
    const abort = new AbortController();
    this.#abort = abort;
    this.problem = null;
    try {
      const last = await watchJob(id, (status) => !abort.signal.aborted && (this.status = status), abort.signal);
      if (last.state === 'done') {
        const response = await jobResponse<Res>(id);
        if (abort.signal.aborted) return null;
        this.response = response;
        this.asked = request;
        return response;
      }
      remember(this.#question(request), null);
      if (last.state === 'failed' && !isOld) this.problem = last.error ?? 'This could not be worked out.';
      if (isOld) this.status = null;
    } catch (error) {
      if (isAborted(error)) return null;
      this.status = null;
      remember(this.#question(request), null);
      // A job that the server has forgotten is no failure: it can be started anew.
      if (!(isOld && error instanceof Problem && error.status === 404)) this.problem = sentence(error);
    }
    return null;
  }

  /** Stops the job. */
  async cancel(): Promise<void> {
    const id = this.status?.id;
    this.leave();
    if (id === undefined) return;
    for (const [question, other] of remembered()) if (other === id) remember(question, null);
    await cancelJob(id).catch(() => undefined);
  }

  /** Stops watching; the job goes on. */
  leave(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.status = null;
    this.problem = null;
  }
}
